import type { FastifyRequest } from 'fastify'
import { createPuppetRefusal } from '../http/refusal.ts'

const certname = /^[\w.:@-]{1,253}$/

/**
 * The key after `/puppet/v3/<indirection>/`. Throws 400 for an empty key or a trailing slash: the
 * same key under another path could evade a rule of auth.conf. Puppet's agents remove the slash.
 */
export function requireKey({ call }: FastifyRequest): string {
  const key = call.path.split('/').slice(4).join('/')
  if (key === '') throw createPuppetRefusal(400, `No request key specified in ${call.path}`)
  if (key.endsWith('/')) throw createPuppetRefusal(400, `Invalid key ${JSON.stringify(key)}: it ends with a slash`)
  return key
}

/** Returns true if the name is a valid node name. */
export function isValidNodeName(name: string): boolean {
  return certname.test(name) && !name.startsWith('.')
}

/** The key of a request, which must be a valid node name. Throws 400 for any other key. */
export function requireCertname(request: FastifyRequest): string {
  const key = requireKey(request)
  if (!isValidNodeName(key)) throw createPuppetRefusal(400, `Invalid node name ${JSON.stringify(key)}`)
  return key
}
