// The two servers, by one interface: `{ name, pids, call(method, path, body), disk(), stop() }`.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { startPuppetDb } from '../../test/support/real-puppetdb.js'
import { freePort } from '../free-port.js'
import { makeAuthority, startPlumbline } from '../server/plumbline.js'

const asker = 'asker.example.com'

/** Plumbline's server with its store, over HTTPS. */
export async function startOurs(folder, store) {
  const { identity } = makeAuthority(folder, [asker])
  const { key, cert, ca } = identity(asker)
  const files = { key: readFileSync(key), cert: readFileSync(cert), ca: readFileSync(ca) }
  writeFileSync(join(folder, 'plumbline/etc/auth.conf'), rules)
  const port = await freePort()
  const settings = ['--store', store]
  const server = await startPlumbline(folder, { repository: emptyRepository(folder), port, settings })
  const agent = new Agent({ ...files, keepAlive: true, maxSockets: 64 })
  return {
    name: 'Plumbline',
    pids: [server.pid],
    call: caller(request, { host: 'localhost', port, agent }),
    disk: () => sizeOf(join(folder, 'plumbline/var')),
    async stop() {
      agent.destroy()
      await server.stop()
    },
  }
}

const rules = `authorization: { version: 1, rules: [
  { match-request: { path: "/pdb", type: path }, allow: "${asker}", sort-order: 1, name: "the benchmark" }
] }\n`

/** PuppetDB on a PostgreSQL of its own, with the settings of their packages, over HTTP. */
export async function startTheirs(folder, memory) {
  const database = await startPuppetDb(folder, { memory })
  const agent = new PlainAgent({ keepAlive: true, maxSockets: 64 })
  return {
    name: 'PuppetDB 7.12',
    pids: [database.pid, database.postgres.pid()],
    call: caller(plainRequest, { host: '127.0.0.1', port: Number(new URL(database.url).port), agent }),
    disk: () => Number(database.postgres.psql('puppetdb', 'select pg_database_size(current_database())')),
    async stop() {
      agent.destroy()
      await database.stop()
    },
  }
}

function caller(send, where) {
  const call = (method, path, body = '') =>
    new Promise((done, fail) => {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      const sent = send({ ...where, method, path, headers }, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.once('end', () => done({ status: answer.statusCode, body: Buffer.concat(parts) }))
      })
      // A connection that was left idle for too long, while the other server had its turn.
      sent.once('error', (error) => (sent.reusedSocket ? call(method, path, body).then(done, fail) : fail(error)))
      sent.end(body)
    })
  return call
}

function emptyRepository(folder) {
  const bare = join(folder, 'control.git')
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  git('init', '-q', '--bare', '-b', 'production', bare)
  const tree = git('-C', bare, 'hash-object', '-t', 'tree', '-w', '/dev/null')
  const who = ['-c', 'user.name=b', '-c', 'user.email=b@example.com']
  git('-C', bare, 'update-ref', 'refs/heads/production', git('-C', bare, ...who, 'commit-tree', tree, '-m', 'empty'))
  return { bare, environmentpath: join(folder, 'environments') }
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, path, name }) => sum + statSync(join(parentPath ?? path, name)).size, 0)
}
