import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A forward proxy on the loopback interface, which wants a user and a password. */
export interface ForwardProxy {
  readonly port: number
  /** The URLs that were asked through it. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** Starts it; who asks has to give these credentials, `USER:PASSWORD`. */
export async function openForwardProxy(credentials: string): Promise<ForwardProxy> {
  const asked: string[] = []
  const wanted = `Basic ${Buffer.from(credentials).toString('base64')}`
  const server = createServer((request, response) => {
    const { 'proxy-authorization': given, ...headers } = request.headers
    if (given !== wanted) return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end()
    asked.push(`${request.method} ${request.url}`)
    const onward = ask(request.url ?? '', { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
