import { PuppetError } from '../../base/issue.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { type HttpProxy, proxyOfUrl } from '../../network/client/proxy.ts'
import { readSourcesFile, type SourcesSettings } from '../sources/read-sources-file.ts'

/** The Forge of modules whose Puppetfile names none. */
export interface ServerForge {
  /** Without a slash at its end. */
  readonly url: string
  /** The header `Authorization` that it alone is sent. Throws SECRET_…, and what keeps the file of sources from being read. */
  authorization(): Promise<string | undefined>
  /** The way to it, in place of that of the settings. */
  readonly proxy?: HttpProxy | undefined
}

/** The settings of the server's Forge. */
export type ForgeSettings = Pick<Settings, 'module_repository' | 'forge_token_file'>

/** The Forge of `module_repository`, with its token. */
export function forgeOfSettings({ module_repository: url, forge_token_file: file }: ForgeSettings): ServerForge {
  return {
    url: withoutSlash(url),
    authorization: async () => (file === '' ? undefined : `Bearer ${await readSecretFile(file)}`),
  }
}

/**
 * The Forge of r10k.yaml where `code_sources` has one, else that of the settings. The token of the file goes as it stands
 * there, as r10k sends it (puppet_forge: connection.rb): `Bearer …`. Where the file cannot be read, no module of a Forge
 * can be had that its Puppetfile does not name: another Forge may have another module of that name.
 */
export async function serverForge(
  settings: ForgeSettings & SourcesSettings,
  files: Pick<Files, 'readText'>,
): Promise<ServerForge> {
  const own = forgeOfSettings(settings)
  if (settings.code_sources === '') return own
  try {
    const { baseurl, proxy: given, authorizationToken } = (await readSourcesFile(settings, files)).forge
    const url = baseurl === undefined ? own.url : withoutSlash(baseurl)
    const proxy = given === undefined ? undefined : proxyOfUrl(given)
    if (authorizationToken !== undefined) return { url, proxy, authorization: async () => authorizationToken }
    return url === own.url ? { ...own, proxy } : { url, proxy, authorization: async () => undefined }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { url: own.url, authorization: () => Promise.reject(error) }
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}
