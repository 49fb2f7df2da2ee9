// Runs the agent of this process twice against a server of its own, so that V8 has compiled what a run of a node needs.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const patienceMs = 60_000

/**
 * The reason why there was no run, if there was none: a build also works where no server can listen, and its agent then
 * starts a little slower.
 * @param {{ main: string, scratch: string, run: (words: string[]) => Promise<number> }} options
 * @returns {Promise<string | undefined>}
 */
export async function warmAgent({ main, scratch, run }) {
  const target = join(scratch, 'target')
  const environment = join(scratch, 'environments/production')
  writeFiles(environment, {
    'manifests/site.pp': `
      file { '${target}': ensure => directory }
      file { '${target}/content': content => "text\\n", mode => '0644', notify => Exec['/bin/true'] }
      Integer[1, 9].each |$n| { file { "${target}/f\${n}": source => "puppet:///modules/site/f\${n}" } }
      exec { '/bin/true': refreshonly => true }`,
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`modules/site/files/f${n}`, `${n}\n`])),
  })
  const places = (name) => [
    ...['--confdir', join(scratch, name, 'etc')],
    ...['--vardir', join(scratch, name, 'var')],
    ...['--publicdir', join(scratch, name, 'public')],
    ...['--key_type', 'ec'],
  ]
  const server = spawn(process.execPath, [
    ...[main, 'server', ...places('server'), '--environmentpath', join(scratch, 'environments')],
    ...['--certname', '127.0.0.1', '--dns_alt_names', 'IP:127.0.0.1', '--autosign', 'true'],
    ...['--bindaddress', '127.0.0.1', '--serverport', '0'],
  ])
  try {
    const port = await portOf(server)
    const words = ['agent', '--test', ...places('agent'), '--certname', 'node', '--server', '127.0.0.1']
    for (const expected of [2, 0]) {
      const status = await run([...words, '--serverport', port])
      if (status !== expected) return `a run ended with ${status}`
    }
    return undefined
  } catch (error) {
    return error.message
  } finally {
    server.kill('SIGKILL')
  }
}

function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** @returns {Promise<string>} */
function portOf(server) {
  return new Promise((ready, failed) => {
    let said = ''
    const look = (data) => {
      said += data
      const [, port] = /serving .*:(\d+)\n/.exec(said) ?? []
      if (port) ready(port)
    }
    server.stdout.on('data', look)
    server.stderr.on('data', look)
    server.once('error', failed)
    server.once('exit', (status) => failed(new Error(`the server ended with ${status}: ${said}`)))
    setTimeout(() => failed(new Error(`the server did not start in ${patienceMs} ms`)), patienceMs).unref()
  })
}
