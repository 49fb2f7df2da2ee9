// Our server, as it is built, with the certificates that both servers use.
import { execFileSync, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The command, as it is built. */
export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** An authority, a certificate for the servers, one for each of the names; where their files are. */
export function makeAuthority(folder, names) {
  const places = placesIn(folder)
  const ca = (...words) => execFileSync(process.execPath, [main, 'ca', ...words, ...places], { stdio: 'ignore' })
  ca('setup', '--certname', 'localhost')
  for (const name of names) ca('generate', '--certname', name, '--key_type', 'ec')
  const ssl = join(folder, 'plumbline/etc/ssl')
  const identity = (name) => ({
    key: join(ssl, 'private_keys', `${name}.pem`),
    cert: join(ssl, 'certs', `${name}.pem`),
    ca: join(ssl, 'certs/ca.pem'),
    crl: join(ssl, 'crl.pem'),
  })
  return { identity }
}

/**
 * Starts it, with every other setting but the gate's as it is by default; files are named as Puppet Server names them.
 * @param {string} folder
 * @param {{ repository: any, port: any, settings?: string[], watch?: boolean }} given
 */
export async function startPlumbline(folder, { repository, port, settings = [], watch = false }) {
  const words = [
    'server',
    '--repo',
    repository.bare,
    '--serverport',
    String(port),
    '--bindaddress',
    '127.0.0.1',
    '--environmentpath',
    repository.environmentpath,
    // Commits come past the hooks: what the gate takes to try them is not measured.
    '--gate',
    'off',
    ...settings,
  ]
  const log = openSync(join(folder, 'plumbline.log'), 'w')
  const nodeOptions = (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)
  const watching = watch ? ['--import', new URL('../large/loop-watch.js', import.meta.url).href] : []
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'pipe', log, ...(watch ? /** @type {const} */ (['ipc']) : [])]
  const server = spawn(
    process.execPath,
    [...nodeOptions, ...watching, main, ...words, ...placesIn(folder), '--certname', 'localhost'],
    { stdio },
  )
  const ended = new Promise((done) => server.once('exit', done))
  const started = performance.now()
  await new Promise((done, fail) => {
    server.stdout?.once('data', done)
    ended.then(() => fail(new Error(readFileSync(join(folder, 'plumbline.log'), 'utf8'))))
  })
  const readyAfter = performance.now() - started
  const version = execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' }).trim()
  return {
    name: `Plumbline ${version}`,
    pid: server.pid,
    port,
    /** Milliseconds from the start of the process until it said that it answers. */
    readyAfter,
    /** With `watch`: the longest that its event loop stood still since it was asked last, in milliseconds. */
    async longestPause() {
      const answer = new Promise((done) => server.once('message', done))
      server.send('pause')
      return answer
    },
    /** Pushes, tells the server of it as the hook does, and waits until it is served. */
    async deploy() {
      repository.push()
      execFileSync(process.execPath, [main, 'code', 'deploy', ...placesIn(folder)], { stdio: 'ignore' })
    },
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** The settings by which commands find what this server has. */
export function placesIn(folder) {
  return ['--confdir', join(folder, 'plumbline/etc'), '--vardir', join(folder, 'plumbline/var')]
}
