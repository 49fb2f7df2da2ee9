// PuppetDB as Debian packages it, on a PostgreSQL of its own, both on the loopback interface with folders of their own.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../bench/free-port.js'
import { eventually } from './eventually.js'

const jar = '/usr/share/puppetdb/puppetdb.jar'
const programs = '/usr/lib/postgresql'

/** True where PuppetDB and PostgreSQL are installed. */
export const hasPuppetDb = existsSync(jar) && existsSync(programs)

/**
 * A PostgreSQL of its own in a folder: everybody of this machine is its superuser `postgres`. With `primary`, the port of
 * another one, it is a streaming replica.
 * @param {string} folder
 * @param {{ primary?: number }} [options]
 */
export async function startPostgres(folder, { primary } = {}) {
  const bin = join(programs, String(readdirSync(programs).sort().at(-1)), 'bin')
  const data = join(folder, 'postgres')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o755)
  const owner = ownerOfPostgres()
  if (owner) chownSync(data, owner.uid, owner.gid)
  const as = /** @type {const} */ ({ ...owner, cwd: '/', stdio: 'ignore' })
  if (primary === undefined) {
    const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
    execFileSync(join(bin, 'initdb'), words, as)
  } else {
    const words = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'postgres', '-D', data, '-R', '-c', 'fast']
    execFileSync(join(bin, 'pg_basebackup'), words, as)
  }
  const port = await freePort()
  const settings = [`listen_addresses=127.0.0.1`, `port=${port}`, 'unix_socket_directories=', 'max_connections=60']
  const output = openSync(join(folder, 'postgres.log'), 'a')
  const start = () => {
    const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(join(bin, 'postgres'), words, { ...owner, cwd: '/', stdio: ['ignore', output, output] })
    return { child, ended: new Promise((done) => child.once('exit', done)) }
  }
  let running = start()
  const ready = () =>
    eventually(() => spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0)
  await ready()
  const psql = (database, sql) => {
    const words = ['-qAt', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database, '-c', sql]
    return execFileSync(join(bin, 'psql'), words, { encoding: 'utf8', env: { PGCONNECT_TIMEOUT: '10' } })
  }
  const stop = async (/** @type {NodeJS.Signals} */ signal = 'SIGINT') => {
    running.child.kill(signal)
    await running.ended
  }
  return {
    port,
    psql,
    pid: () => running.child.pid,
    url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    stop,
    async restart() {
      await stop()
      running = start()
      await ready()
    },
  }
}

/** PostgreSQL refuses to be run by root. */
function ownerOfPostgres() {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/**
 * Starts both; `{ url, postgres, stop }`, where `url` is the address of PuppetDB without TLS. `jetty` are more lines of its
 * web server's settings; with `openMetrics` its figures need no certificate.
 */
export async function startPuppetDb(
  folder,
  { memory = '-Xmx512m', config = '', jetty = '', openMetrics = false } = {},
) {
  const postgres = await startPostgres(folder)
  postgres.psql('postgres', 'create database puppetdb')
  postgres.psql('puppetdb', 'create extension if not exists pg_trgm')
  const port = await freePort()
  const home = join(folder, 'puppetdb')
  mkdirSync(join(home, 'conf.d'), { recursive: true })
  const put = (path, text) => writeFileSync(join(home, path), text)
  put('logback.xml', logback(join(home, 'puppetdb.log')))
  put('conf.d/config.ini', `[global]\nvardir = ${home}/var\nlogging-config = ${home}/logback.xml\n${config}`)
  put(
    'conf.d/database.ini',
    `[database]\nsubname = //127.0.0.1:${postgres.port}/puppetdb\nusername = postgres\npassword = none\n`,
  )
  put('conf.d/jetty.ini', `[jetty]\nhost = 127.0.0.1\nport = ${port}\n${jetty}`)
  const auth = readFileSync('/etc/puppetdb/conf.d/auth.conf', 'utf8')
  put('conf.d/auth.conf', openMetrics ? auth.replace(/allow: "\*"/, 'allow-unauthenticated: true') : auth)
  put('bootstrap.cfg', readFileSync('/etc/puppetdb/bootstrap.cfg', 'utf8'))
  put('restart', '0')
  mkdirSync(join(home, 'var'), { recursive: true })
  const output = openSync(join(home, 'output'), 'w')
  const words = [
    memory,
    '-Djava.security.egd=/dev/urandom',
    '-cp',
    jar,
    'clojure.main',
    '-m',
    'puppetlabs.puppetdb.core',
  ]
  const files = ['--config', 'conf.d', '--bootstrap-config', 'bootstrap.cfg', '--restart-file', 'restart']
  const server = spawn('/usr/bin/java', [...words, 'services', ...files], {
    cwd: home,
    stdio: ['ignore', output, output],
  })
  const ended = new Promise((done) => server.once('exit', done))
  const url = `http://127.0.0.1:${port}`
  await eventually(() => {
    if (server.exitCode !== null) throw new Error(readFileSync(join(home, 'output'), 'utf8').slice(-4000))
    return isReady(url)
  })
  return {
    url,
    postgres,
    pid: server.pid,
    async stop() {
      server.kill('SIGKILL')
      await ended
      await postgres.stop()
    },
  }
}

async function isReady(url) {
  const answer = await fetch(`${url}/status/v1/services/puppetdb-status`).catch(() => undefined)
  if (!answer?.ok) return false
  const { state } = /** @type {{ state: string }} */ (await answer.json())
  return state === 'running'
}

function logback(file) {
  return `<configuration><appender name="F1" class="ch.qos.logback.core.FileAppender"><file>${file}</file>
<encoder><pattern>%d %-5p [%c{2}] %m%n</pattern></encoder></appender><root level="warn"><appender-ref ref="F1"/></root></configuration>`
}
