import { PuppetError } from '../../base/issue.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { type HttpProxy, parseProxyUrl } from '../../network/client/proxy.ts'
import { readSourcesFile, type SourcesSettings } from '../sources/sources-file.ts'

/** The Forge for the modules of a Puppetfile that sets no Forge. */
export interface ServerForge {
  /** URL of the Forge, without trailing slash. */
  readonly url: string
  /**
   * Returns the `Authorization` header, which no other host receives. Throws SECRET_…, and errors
   * of the sources file.
   */
  authorization(): Promise<string | undefined>
  /** Proxy for the Forge, instead of the proxy in the settings. */
  readonly proxy?: HttpProxy | undefined
}

/** Settings of the server's Forge. */
export type ForgeSettings = Pick<Settings, 'module_repository' | 'forge_token_file'>

/** Returns the Forge of `module_repository`, with its token. */
export function getConfiguredForge({ module_repository: url, forge_token_file: file }: ForgeSettings): ServerForge {
  return {
    url: removeTrailingSlash(url),
    authorization: async () => (file === '' ? undefined : `Bearer ${await readSecretFile(file)}`),
  }
}

/**
 * Returns the Forge in the sources file (r10k.yaml), or else that of the settings. The token in the
 * file is sent unchanged, as in r10k (puppet_forge: connection.rb): `Bearer …`. If the file is
 * unreadable, modules without an explicit Forge cannot be fetched, since another Forge may have a
 * different module of the same name.
 */
export async function getServerForge(
  settings: ForgeSettings & SourcesSettings,
  files: Pick<Files, 'readText'>,
): Promise<ServerForge> {
  const own = getConfiguredForge(settings)
  if (settings.code_sources === '') return own
  try {
    const { baseurl, proxy: given, authorizationToken } = (await readSourcesFile(settings, files)).forge
    const url = baseurl === undefined ? own.url : removeTrailingSlash(baseurl)
    const proxy = given === undefined ? undefined : parseProxyUrl(given)
    if (authorizationToken !== undefined) return { url, proxy, authorization: async () => authorizationToken }
    return url === own.url ? { ...own, proxy } : { url, proxy, authorization: async () => undefined }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { url: own.url, authorization: () => Promise.reject(error) }
  }
}

function removeTrailingSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}
