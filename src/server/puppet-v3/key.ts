import type { FastifyRequest } from 'fastify'
import { puppetRefusal } from '../http/refusal.ts'

const certname = /^[\w.:@-]{1,253}$/

/**
 * The key after `/puppet/v3/<indirection>/`. Throws 400 for no key, or for a slash at its end: the same key by
 * another path is not what a rule of auth.conf says. Puppet's agents take it off.
 */
export function requireKey({ call }: FastifyRequest): string {
  const key = call.path.split('/').slice(4).join('/')
  if (key === '') throw puppetRefusal(400, `No request key specified in ${call.path}`)
  if (key.endsWith('/')) throw puppetRefusal(400, `Invalid key ${JSON.stringify(key)}: it ends with a slash`)
  return key
}

/** True of what may be the name of a node. */
export function isNodeName(name: string): boolean {
  return certname.test(name) && !name.startsWith('.')
}

/** A key that is the name of a node. Throws 400 for what could not be one. */
export function requireCertname(request: FastifyRequest): string {
  const key = requireKey(request)
  if (!isNodeName(key)) throw puppetRefusal(400, `Invalid node name ${JSON.stringify(key)}`)
  return key
}
