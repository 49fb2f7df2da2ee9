import { type PluginFile, pluginTreeFromWire } from '../../model/plugin-tree.ts'
import { hasResponseStatus, ResponseError } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/** All plug-ins of an environment, or the information that the plug-ins have not changed. */
export interface PluginAnswer {
  readonly digest: string
  /** The commit of the plug-ins. */
  readonly codeId: string | undefined
  readonly files: readonly PluginFile[] | 'unchanged'
}

/** The `/plumb/v1` API of a Plumb server. */
export interface PlumbV1 {
  /**
   * Downloads all plug-ins in one response; `undefined` if the server denies the request or, like Puppet Server, does
   * not support it. Throws PLUGINS_TORN.
   */
  plugins(environment: string, digest: string | undefined): Promise<PluginAnswer | undefined>
}

/**
 * Creates the client for a Plumb agent. Calls `origin` for each request, because the server may not have been selected
 * yet.
 */
export function createPlumbV1Client(http: HttpClient, origin: () => Promise<URL>): PlumbV1 {
  return {
    async plugins(environment, digest) {
      const url = new URL(`/plumb/v1/plugins/${encodeURIComponent(environment)}`, await origin())
      const since: Record<string, string> = digest === undefined ? {} : { 'if-none-match': `"${digest}"` }
      const headers = { accept: 'application/octet-stream', ...since }
      try {
        const answer = await http.send(url, { headers })
        const [, sent] = /^"([0-9a-f]{64})"$/.exec(answer.headers['etag'] ?? '') ?? []
        if (sent === undefined) return undefined
        return { digest: sent, codeId: getCodeId(answer.headers), files: pluginTreeFromWire(answer.body, sent) }
      } catch (error) {
        if (hasResponseStatus(error, 304) && digest !== undefined)
          return { digest, codeId: getCodeId(error.headers), files: 'unchanged' }
        if (error instanceof ResponseError) return undefined
        throw error
      }
    },
  }
}

function getCodeId(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['x-plumb-code-id'] || undefined
}
