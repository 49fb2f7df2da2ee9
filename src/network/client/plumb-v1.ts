import { type PluginFile, pluginTreeFromWire } from '../../model/plugin-tree.ts'
import { hasStatus, ResponseError } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/** All plug-ins of an environment, or that they are those of the digest that was named. */
export interface PluginAnswer {
  readonly digest: string
  /** The commit that they are of. */
  readonly codeId: string | undefined
  readonly files: readonly PluginFile[] | 'unchanged'
}

/** `/plumb/v1` of a server of ours. */
export interface PlumbV1 {
  /** `undefined` of a server that does not hand them out so: Puppet's, or one that may not. Throws PLUGINS_TORN. */
  plugins(environment: string, digest: string | undefined): Promise<PluginAnswer | undefined>
}

/** The calls of an agent of ours. `origin` is asked for each call: it may have to be chosen first. */
export function plumbV1(http: HttpClient, origin: () => Promise<URL>): PlumbV1 {
  return {
    async plugins(environment, digest) {
      const url = new URL(`/plumb/v1/plugins/${encodeURIComponent(environment)}`, await origin())
      const since: Record<string, string> = digest === undefined ? {} : { 'if-none-match': `"${digest}"` }
      const headers = { accept: 'application/octet-stream', ...since }
      try {
        const answer = await http.send(url, { headers })
        const [, sent] = /^"([0-9a-f]{64})"$/.exec(answer.headers['etag'] ?? '') ?? []
        if (sent === undefined) return undefined
        return { digest: sent, codeId: codeIdOf(answer.headers), files: pluginTreeFromWire(answer.body, sent) }
      } catch (error) {
        if (hasStatus(error, 304) && digest !== undefined)
          return { digest, codeId: codeIdOf(error.headers), files: 'unchanged' }
        if (error instanceof ResponseError) return undefined
        throw error
      }
    },
  }
}

function codeIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['x-plumb-code-id'] || undefined
}
