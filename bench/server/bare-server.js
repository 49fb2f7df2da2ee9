// A server of HTTPS that does nothing but answer the same bytes: what is left of a request is the agent that measures, TLS and the kernel.
//   node bare-server.js KEY CERT CA BYTES
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const [key, cert, ca] = process.argv.slice(2, 5).map((file) => readFileSync(file))
const content = Buffer.alloc(Number(process.argv[5]))
const tls = { key, cert, ca, requestCert: true }
const server = createServer(tls, (_, answer) => answer.end(content))
server.listen(0, '127.0.0.1', () => process.send?.(/** @type {any} */ (server.address()).port))
process.once('disconnect', () => process.exit())
