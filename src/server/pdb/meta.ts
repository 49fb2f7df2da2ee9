import type { FastifyInstance } from 'fastify'
import { jsonMedia } from '../http/negotiation.ts'
import type { PdbServices } from './index.ts'

/** The PuppetDB version whose API is implemented. */
export const puppetDbVersion = '7.12.1'

/** `GET /pdb/meta/v1/version[/latest]` and `/pdb/meta/v1/server-time`. */
export function addMetaRoutes(server: FastifyInstance, { now }: Pick<PdbServices, 'now'>): void {
  const answers: Readonly<Record<string, () => object>> = {
    version: () => ({ version: puppetDbVersion }),
    'version/latest': () => ({ newer: false, version: puppetDbVersion }),
    'server-time': () => ({ server_time: new Date(now()).toISOString() }),
  }
  for (const [path, answer] of Object.entries(answers))
    server.get(`/pdb/meta/v1/${path}`, async (_request, reply) =>
      reply.type(jsonMedia.contentType).send(JSON.stringify(answer())),
    )
}
