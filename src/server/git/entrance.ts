import type { FastifyRequest } from 'fastify'
import { plainRefusal, Refusal } from '../http/refusal.ts'
import { isGitPath } from './git-path.ts'
import { pusherName } from './pusher-name.ts'

/** A password is asked for in UTF-8. RFC 7617. */
const challenge = { 'WWW-Authenticate': 'Basic realm="Plumbline", charset="UTF-8"' }
const type = 'text/plain;charset=utf-8'

/**
 * The answer to those whom no rule lets at a repository: 401 to who has shown nothing that counts, so that git asks for a
 * token, and 403 to the others. Git shows a text after `remote:`.
 */
export function gitEntrance({ call }: Pick<FastifyRequest, 'call'>): Refusal | undefined {
  const { client, path } = call
  if (!isGitPath(path) || client.unchecked) return undefined
  if (client.refusedToken !== undefined)
    return new Refusal(401, type, 'The token is not known here, or has ended.\n', challenge)
  if (client.revoked !== undefined) return plainRefusal(403, `The certificate 'CN=${client.revoked}' is revoked.\n`)
  if (client.certname === undefined && !client.token)
    return new Refusal(
      401,
      type,
      "The password is a token: 'plumb token create' makes one. Any name will do.\n",
      challenge,
    )
  const who = pusherName(client)
  return plainRefusal(403, `No rule of auth.conf lets ${who} do this here.\n`)
}
