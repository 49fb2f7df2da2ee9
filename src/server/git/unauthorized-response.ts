import type { FastifyRequest } from 'fastify'
import { createPlainRefusal, Refusal } from '../http/refusal.ts'
import { isGitPath } from './git-path.ts'
import { formatPusherName } from './pusher-name.ts'

/** Asks for credentials in UTF-8. RFC 7617. */
const challenge = { 'WWW-Authenticate': 'Basic realm="Plumbline", charset="UTF-8"' }
const type = 'text/plain;charset=utf-8'

/**
 * Response to unauthorized git requests: 401 without valid credentials, so that git asks for a
 * token; otherwise 403. Git prints the text after `remote:`.
 */
export function createGitRefusal({ call }: Pick<FastifyRequest, 'call'>): Refusal | undefined {
  const { client, path } = call
  if (!isGitPath(path) || client.unchecked) return undefined
  if (client.refusedToken !== undefined)
    return new Refusal(401, type, 'The token is unknown or has expired.\n', challenge)
  if (client.revoked !== undefined)
    return createPlainRefusal(403, `The certificate 'CN=${client.revoked}' is revoked.\n`)
  if (client.certname === undefined && !client.token)
    return new Refusal(
      401,
      type,
      "Use a token of 'plumb token create' as the password, with any user name.\n",
      challenge,
    )
  const who = formatPusherName(client)
  return createPlainRefusal(403, `auth.conf does not allow this request by ${who}.\n`)
}
