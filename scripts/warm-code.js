// Runs a server and an agent of it in this process, so that V8 has compiled what the start of the one and a run of the
// other need.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rubyModule } from './warm-ruby.js'

const patienceMs = 60_000

/**
 * The reason why there was no run, if there was none: a build also works where no server can listen, and agent and server
 * then start a little slower.
 * @param {{ scratch: string, run: (words: string[], told?: (text: string) => void) => Promise<number> }} options
 * @returns {Promise<string | undefined>}
 */
export async function warmServerAndAgent({ scratch, run }) {
  const target = join(scratch, 'target')
  const environment = join(scratch, 'work')
  writeFiles(environment, {
    'manifests/site.pp': `
      file { '${target}': ensure => directory }
      file { '${target}/content': content => "text\\n", mode => '0644', notify => Exec['/bin/true'] }
      Integer[1, 9].each |$n| { file { "${target}/f\${n}": source => "puppet:///modules/site/f\${n}" } }
      exec { '/bin/true': refreshonly => true }
      build_note { '${target}/note': content => 'note', mode => '0644' }`,
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`modules/site/files/f${n}`, `${n}\n`])),
    ...Object.fromEntries(Object.entries(rubyModule).map(([path, text]) => [`modules/site/lib/${path}`, text])),
  })
  const places = (name) => [
    ...['--confdir', join(scratch, name, 'etc')],
    ...['--vardir', join(scratch, name, 'var')],
    ...['--publicdir', join(scratch, name, 'public')],
    ...['--key_type', 'ec'],
  ]
  try {
    const repository = repositoryOf(environment, join(scratch, 'code.git'))
    const server = [
      ...['server', ...places('server'), '--repo', repository, '--certname', '127.0.0.1'],
      ...['--dns_alt_names', 'IP:127.0.0.1', '--autosign', 'true'],
      ...['--bindaddress', '127.0.0.1', '--serverport', '0', '--logdest', join(scratch, 'server.log')],
    ]
    const { port, ended } = await started((told) => run(server, told))
    const agent = ['agent', '--test', ...places('agent'), '--certname', 'node', '--server', '127.0.0.1']
    // The server ends in any case: it would keep the build from its end.
    const trouble = await twoRuns(() => run([...agent, '--serverport', port])).catch(({ message }) => message)
    process.kill(process.pid, 'SIGTERM')
    const status = await ended
    return trouble ?? (status === 0 ? undefined : `the server ended with ${status}`)
  } catch (error) {
    return error.message
  }
}

/** Runs the agent, which changes all the first time and nothing the second; the reason where it does otherwise. */
async function twoRuns(run) {
  for (const expected of [2, 0]) {
    const status = await run()
    if (status !== expected) return `a run ended with ${status}`
  }
  return undefined
}

function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A bare repository with what the folder has, on `production`. */
function repositoryOf(work, bare) {
  const git = (...words) => execFileSync('git', words, { cwd: work, stdio: 'ignore' })
  git('init', '--quiet', '--initial-branch=production')
  git('add', '--all')
  git('-c', 'user.name=build', '-c', 'user.email=build@example.test', 'commit', '--quiet', '--message', 'All')
  git('clone', '--quiet', '--bare', work, bare)
  return bare
}

/**
 * The port of a server that has begun, and its exit status when it has ended.
 * @param {(told: (text: string) => void) => Promise<number>} begin
 * @returns {Promise<{ port: string, ended: Promise<number> }>}
 */
function started(begin) {
  return new Promise((ready, failed) => {
    let said = ''
    const ended = begin((text) => {
      said += text
      const [, port] = /serving .*:(\d+)\n/.exec(said) ?? []
      if (port) ready({ port, ended })
    })
    ended.then((status) => failed(new Error(`the server ended with ${status}: ${said}`)), failed)
    setTimeout(() => failed(new Error(`the server did not start in ${patienceMs} ms`)), patienceMs).unref()
  })
}
