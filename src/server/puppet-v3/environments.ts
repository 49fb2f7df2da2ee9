import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../environments/environments.ts'
import { json } from '../negotiation.ts'
import type { Services } from '../services.ts'

/** `GET /puppet/v3/environments`. protocol.md 9. */
export function environmentsRoutes(
  server: FastifyInstance,
  { environments }: Services,
  settings: { readonly environmentpath: readonly string[] },
): void {
  server.get('/puppet/v3/environments', async (_request, reply) => {
    const names = await environments.list()
    const served = await Promise.all(names.map((name) => environments.get(name)))
    const described = served.flatMap((each) => (each ? [[each.name, { settings: settingsOf(each) }]] : []))
    const search_paths = [...settings.environmentpath.map((path) => `file://${path}`), 'data:text/plain,internal']
    return reply
      .type(json.contentType)
      .send(JSON.stringify({ search_paths, environments: Object.fromEntries(described) }))
  })
}

function settingsOf({ settings, code }: Environment) {
  const { modulepath, manifest, environmentTimeout, configVersion } = settings
  const absolute = (path: string) => resolve(code.tree.root, path)
  return {
    modulepath: modulepath.map(absolute),
    manifest: absolute(manifest),
    environment_timeout: Number.isFinite(environmentTimeout) ? environmentTimeout : 'unlimited',
    config_version: configVersion ?? '',
  }
}
