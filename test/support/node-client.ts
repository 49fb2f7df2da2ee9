import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'

/** What a server answered a node. */
export interface NodeReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A node that asks over connections which it keeps, with its certificate in the folder of an authority. */
export interface NodeClient {
  /** Fails where the connection does. */
  once(method: string, path: string, body?: string, type?: string): Promise<NodeReply>
  close(): void
}

const form = 'application/x-www-form-urlencoded'

/** Opens a client; `port` is that of the balancer or of the server. */
export function openNodeClient(authority: string, name: string, port: number): NodeClient {
  const file = (path: string) => readFileSync(join(authority, 'ssl', path))
  const tls = { ca: file('certs/ca.pem'), cert: file(`certs/${name}.pem`), key: file(`private_keys/${name}.pem`) }
  const agent = new Agent({ keepAlive: true, ...tls })
  const once = (method: string, path: string, body?: string, type = form): Promise<NodeReply> =>
    new Promise((done, failed) => {
      const headers = { accept: '*/*', ...(body !== undefined && { 'content-type': type }) }
      const asking = request({ host: 'localhost', port, method, path, agent, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', failed)
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer
          done({ status, headers, text: String(Buffer.concat(chunks)) })
        })
      })
      // As Node's documentation has it: a connection that was kept may end in the very moment in which it is used again.
      asking.on('error', (error) =>
        asking.reusedSocket ? once(method, path, body, type).then(done, failed) : failed(error),
      )
      asking.end(body)
    })
  return { once, close: () => agent.destroy() }
}

/** The body of a request for a catalog. */
export function catalogForm(name: string, values: object = {}): string {
  const facts = JSON.stringify({ name, values, timestamp: '2026-11-24', expiration: '2027-11-24' })
  return new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(facts), environment: 'production' },
    ...{ static_catalog: 'true', checksum_type: 'sha256' },
  }).toString()
}
