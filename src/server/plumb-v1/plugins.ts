import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { discardContent, wholeContent } from '../../base/bytes/content.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import type { Environment } from '../../code/environments/environments.ts'
import { type PluginFile, pluginMounts, pluginTreeDigest, pluginTreeToWire } from '../../model/plugin-tree.ts'
import { binary, takesGzip } from '../http/negotiation.ts'
import { bareRefusal } from '../http/refusal.ts'
import { sendPieces } from '../sending/send-file.ts'
import type { Services } from '../services/services.ts'

/** A packed tree of plug-ins. */
interface Packed {
  readonly digest: string
  readonly size: number
  /** Compressed with gzip. */
  readonly bytes: Buffer
}

/** Names excluded from the tree, as in the default of `pluginsignore`. */
const ignored = ['.svn', 'CVS', '.git', '.hg']

const packing = promisify(gzip)
const unpacking = promisify(gunzip)

/**
 * `GET /plumb/v1/plugins/ENVIRONMENT`: all plug-ins of an environment in one response, with the
 * commit; 304 if the client's copy is current. Puppet's agents request each file instead.
 */
export function pluginRoutes(server: FastifyInstance, { environments }: Pick<Services, 'environments'>): void {
  const digests = new WeakMap<Environment, Promise<string>>()
  const trees = new LRUCache<string, Packed>({
    maxSize: budgets.environment.packedPlugins.bound,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const pack = async (environment: Environment): Promise<Packed> => {
    const wire = pluginTreeToWire(await pluginsOf(environment))
    const packed = { digest: pluginTreeDigest(wire), size: wire.length, bytes: await packing(wire, { level: 6 }) }
    trees.set(packed.digest, packed)
    return packed
  }
  const digestOf = (environment: Environment): Promise<string> => {
    const known = digests.get(environment) ?? pack(environment).then(({ digest }) => digest)
    digests.set(environment, known)
    known.catch(() => digests.delete(environment))
    return known
  }

  server.get('/plumb/v1/plugins/:environment', async (request, reply) => {
    const { environment: name } = request.params as { readonly environment: string }
    const environment = isEnvironmentName(name) ? await environments.get(name) : undefined
    if (!environment) throw bareRefusal(404, `Could not find environment '${name}'`)
    const digest = await digestOf(environment)
    void reply.header('ETag', `"${digest}"`)
    if (environment.codeId !== undefined) void reply.header('X-Plumb-Code-Id', environment.codeId)
    if (request.headers['if-none-match'] === `"${digest}"`) return reply.code(304).send()
    const { bytes } = trees.get(digest) ?? (await pack(environment))
    void reply.type(binary.contentType)
    if (!takesGzip(request)) return sendPieces(reply, [await unpacking(bytes)])
    return sendPieces(reply.header('Content-Encoding', 'gzip'), [bytes])
  })
}

/** Reads all plug-ins. Throws 413 if they exceed the limit; agents then request each file. */
async function pluginsOf(environment: Environment): Promise<PluginFile[]> {
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
        throw bareRefusal(413, `The plug-ins of '${environment.name}' have more than ${bound} bytes`)
      }
      const content = opened && (await wholeContent(opened.content))
      files.push({ mount, path, mode: mount === 'plugins' ? 0o644 : mode, content })
    }
  }
  return files
}
