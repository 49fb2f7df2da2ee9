import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { Environment } from '../../code/environments/environments.ts'
import { jsonMedia } from '../http/negotiation.ts'
import type { Services } from '../services/services.ts'

/** `GET /puppet/v3/environments`. protocol.md 9. */
export function addEnvironmentsRoutes(
  server: FastifyInstance,
  { environments }: Services,
  settings: { readonly environmentpath: readonly string[] },
): void {
  server.get('/puppet/v3/environments', async (_request, reply) => {
    const names = await environments.list()
    const served = await Promise.all(names.map((name) => environments.get(name)))
    const texts = await mapCooperatively(
      served.filter((each) => each !== undefined),
      (each) => `${JSON.stringify(each.name)}:${JSON.stringify({ settings: getEnvironmentSettings(each) })}`,
    )
    const search_paths = [...settings.environmentpath.map((path) => `file://${path}`), 'data:text/plain,internal']
    return reply
      .type(jsonMedia.contentType)
      .send(`{"search_paths":${JSON.stringify(search_paths)},"environments":{${texts.join(',')}}}`)
  })
}

function getEnvironmentSettings({ settings, code }: Environment) {
  const { modulepath, manifest, environmentTimeout, configVersion } = settings
  const toAbsolute = (path: string) => resolve(code.tree.root, path)
  return {
    modulepath: modulepath.map(toAbsolute),
    manifest: toAbsolute(manifest),
    environment_timeout: Number.isFinite(environmentTimeout) ? environmentTimeout : 'unlimited',
    config_version: configVersion ?? '',
  }
}
