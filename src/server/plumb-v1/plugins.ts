import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { discardContent, readContent } from '../../base/bytes/content.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { Environment } from '../../code/environments/environments.ts'
import { computePluginTreeDigest, type PluginFile, pluginMounts, pluginTreeToWire } from '../../model/plugin-tree.ts'
import { binaryMedia, isGzipAccepted } from '../http/negotiation.ts'
import { createBareRefusal } from '../http/refusal.ts'
import { sendPieces } from '../sending/file-response.ts'
import type { Services } from '../services/services.ts'
import { findEnvironment } from '../termini/request-environment.ts'

/** All plug-ins of an environment, packed for one response. */
interface PackedPlugins {
  readonly digest: string
  readonly size: number
  /** The tree in gzip format. */
  readonly bytes: Buffer
}

/** Names of files and folders that are not sent, as in the default of `pluginsignore`. */
const ignored = ['.svn', 'CVS', '.git', '.hg']

const packing = promisify(gzip)
const unpacking = promisify(gunzip)

/**
 * `GET /plumb/v1/plugins/ENVIRONMENT`: all plug-ins of an environment in one response, with the
 * commit; 304 if the client's copy is current. Puppet's agents request each file instead.
 */
export function addPluginRoutes(server: FastifyInstance, { environments }: Pick<Services, 'environments'>): void {
  const digests = new WeakMap<Environment, Promise<string>>()
  const trees = new LRUCache<string, PackedPlugins>({
    maxSize: budgets.environment.packedPlugins.bound,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const packPlugins = async (environment: Environment): Promise<PackedPlugins> => {
    const wire = pluginTreeToWire(await readPlugins(environment))
    const packed = {
      digest: computePluginTreeDigest(wire),
      size: wire.length,
      bytes: await packing(wire, { level: 6 }),
    }
    trees.set(packed.digest, packed)
    return packed
  }
  const getDigest = (environment: Environment): Promise<string> => {
    const known = digests.get(environment) ?? packPlugins(environment).then(({ digest }) => digest)
    digests.set(environment, known)
    known.catch(() => digests.delete(environment))
    return known
  }

  server.get('/plumb/v1/plugins/:environment', async (request, reply) => {
    const { environment: name } = request.params as { readonly environment: string }
    const { certname } = request.call.client
    const environment = isEnvironmentName(name) ? await findEnvironment(environments, name, certname) : undefined
    if (!environment) throw createBareRefusal(404, `Could not find environment '${name}'`)
    const digest = await getDigest(environment)
    void reply.header('ETag', `"${digest}"`)
    if (environment.codeId !== undefined) void reply.header('X-Plumb-Code-Id', environment.codeId)
    if (request.headers['if-none-match'] === `"${digest}"`) return reply.code(304).send()
    const { bytes } = trees.get(digest) ?? (await packPlugins(environment))
    void reply.type(binaryMedia.contentType)
    if (!isGzipAccepted(request)) return sendPieces(reply, [await unpacking(bytes)])
    return sendPieces(reply.header('Content-Encoding', 'gzip'), [bytes])
  })
}

/** Reads all plug-ins. Throws 413 if they exceed the limit; agents then request each file. */
async function readPlugins(environment: Environment): Promise<PluginFile[]> {
  const { bound } = budgets.environment.plugins
  const files: PluginFile[] = []
  let total = 0
  for (const mount of pluginMounts) {
    const options = {
      links: 'follow',
      checksumType: 'none',
      recurse: true,
      recurselimit: undefined,
      maxFiles: -1,
    } as const
    const search = { mount, path: '', sourcePermissions: 'use', ignore: ignored, ...options } as const
    for (const { relativePath: path = '.', type, mode } of (await environment.searchMetadata(search)) ?? []) {
      const opened = type === 'directory' ? undefined : await environment.openContent({ mount, path })
      if (opened === 'directory') continue
      total += opened?.size ?? 0
      if (total > bound) {
        if (opened) discardContent(opened.content)
        throw createBareRefusal(413, `The plug-ins of '${environment.name}' exceed ${bound} bytes`)
      }
      const content = opened && (await readContent(opened.content))
      files.push({ mount, path, mode: mount === 'plugins' ? 0o644 : mode, content })
    }
  }
  return files
}
