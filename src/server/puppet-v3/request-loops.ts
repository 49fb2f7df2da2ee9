import type { FastifyInstance } from 'fastify'
import { createPuppetRefusal } from '../http/refusal.ts'
import { isForwarded } from '../termini/remote-server.ts'

/** Names of indirections by their name in URLs, if the two differ. */
const indirectionNames: Readonly<Record<string, string>> = {
  file_metadatas: 'file_metadata',
  static_file_content: 'file_content',
}

/**
 * Refuses a forwarded request that this server would forward again, to prevent loops between
 * servers.
 */
export function refuseRequestLoops(server: FastifyInstance, asksOthers: ReadonlySet<string>): void {
  if (asksOthers.size === 0) return
  server.addHook('onRequest', async (request) => {
    const [, , version, name = ''] = request.call.path.split('/')
    const indirection = Object.hasOwn(indirectionNames, name) ? indirectionNames[name]! : name
    if (version === 'v3' && asksOthers.has(indirection) && isForwarded(request.headers.via))
      throw createPuppetRefusal(
        508,
        `This server forwards requests for ${indirection}. Send the request to the target server`,
      )
  })
}
