// Our store behind PuppetDB's addresses, with the dataset.
import { createServer } from 'node:http'
import { PuppetError } from '#built/base/issue.js'
import { readCommand } from '#built/store/commands/read-command.js'
import { ingest } from '#built/store/ingest/ingest.js'
import { runQuery } from '#built/store/query/execution.js'
import { expireNodes } from '#built/store/retention/node-expiration.js'
import { datasetCommands } from '../../dataset/commands.js'
import { payloadText } from '../../dataset/load.js'

const day = 86_400_000

/** Writes the dataset into an empty database, and lets nodes expire that are as old as the century. */
export async function fillDatabase(database) {
  const received = new Date().toISOString()
  for (const { command, version, payload } of datasetCommands()) {
    const read = readCommand({ name: command, version, payload: Buffer.from(payloadText(payload)), received })
    await database.transaction((inside) => ingest(inside, read, Date.now()))
  }
  const now = Date.now()
  await expireNodes(database, { now, since: now - 7300 * day })
}

/** Serves queries of a database on a free port of the loopback interface; `{ url, stop }`. */
export async function serveDatabase(database) {
  const server = createServer((request, response) => void respond(database, request, response))
  await new Promise((done) => void server.listen(0, '127.0.0.1', () => done(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}

async function respond(database, request, response) {
  const plain = { 'content-type': 'text/plain;charset=utf-8' }
  try {
    const found = await runQuery(database, await questionFrom(request), { now: Date.now(), nodePurgeTtl: 18_000 * day })
    if (!found) {
      response.writeHead(404, plain)
      response.end('Not Found')
      return
    }
    let text = ''
    for await (const piece of found.pieces) text += piece
    const total = found.total !== undefined && { 'x-records': String(found.total) }
    response.writeHead(found.status, { 'content-type': 'application/json;charset=utf-8', ...total })
    response.end(text)
  } catch (error) {
    const isRefused = error instanceof PuppetError
    response.writeHead(isRefused ? 400 : 500, plain)
    response.end(isRefused ? error.diagnostic.message : error.stack)
  }
}

async function questionFrom(request) {
  const [path = '', search = ''] = request.url.split('?')
  let body = ''
  for await (const piece of request) body += piece
  return { method: request.method, path: path.slice('/pdb/query/v4'.length), search, body }
}
