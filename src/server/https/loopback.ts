import type { FastifyRequest } from 'fastify'
import { type Client, stranger } from '../http/client.ts'
import { bareRefusal } from '../http/refusal.ts'

/**
 * Whoever asks without TLS: a program on this machine, which may ask as one with a token may. A browser on this machine
 * asks for whatever page it shows: so the request has to name this machine and no other (DNS rebinding), and may not come
 * from a page of elsewhere. Throws 403.
 */
export function loopbackClient({ ip, headers, raw }: FastifyRequest): Client {
  const hosts = raw.headersDistinct['host'] ?? []
  if (hosts.length !== 1 || !isLoopbackHost(hosts[0]!))
    throw bareRefusal(403, 'The Host of a request is localhost here')
  const { origin, 'sec-fetch-site': site } = headers
  const isElsewhere = origin !== undefined && !isLoopbackHost(origin.replace(/^https?:\/\//, ''))
  if (isElsewhere || site === 'cross-site' || !isLoopbackAddress(ip))
    throw bareRefusal(403, 'Only programs of this machine may ask here')
  return { ...stranger(ip), token: { name: '(this machine)', scopes: ['query'] } }
}

/** True for names of this machine that no DNS gives away: `localhost`, `127.0.0.1`, `[::1]`, with any port. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
}
