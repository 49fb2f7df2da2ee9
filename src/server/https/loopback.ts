import type { FastifyRequest } from 'fastify'
import { type Client, createUnauthenticatedClient } from '../http/client.ts'
import { createBareRefusal } from '../http/refusal.ts'

/**
 * Client for plain HTTP on the loopback interface; it has the `query` scope. A web page in a local
 * browser can also send requests, so the Host header must name this machine (DNS rebinding) and the
 * origin must not be another site. Throws 403.
 */
export function identifyLoopbackClient({ ip, headers, raw }: FastifyRequest): Client {
  const hosts = raw.headersDistinct['host'] ?? []
  if (hosts.length !== 1 || !isLoopbackHost(hosts[0]!))
    throw createBareRefusal(403, 'The Host header must be localhost on this port')
  const { origin, 'sec-fetch-site': site } = headers
  const isElsewhere = origin !== undefined && !isLoopbackHost(origin.replace(/^https?:\/\//, ''))
  if (isElsewhere || site === 'cross-site' || !isLoopbackAddress(ip))
    throw createBareRefusal(403, 'Only programs on this machine can use this port')
  return { ...createUnauthenticatedClient(ip), token: { name: '(this machine)', scopes: ['query'] } }
}

/**
 * True for loopback names that DNS does not control: `localhost`, `127.0.0.1`, `[::1]`, with any
 * port.
 */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
}
