import { throwIssue } from '../../base/issue.ts'
import type { Remote } from '../../code/git/remotes/remote.ts'
import type { RemoteAccess } from '../../code/git/remotes/remote-access.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import type { HttpProxy } from '../../network/client/proxy.ts'
import { moduleIssues as issues } from './issues.ts'
import type { ModuleWeb } from './module-http-client.ts'

/** Settings with keys, tokens and options for module hosts. */
export interface GitAccessSettings {
  /** Paths of SSH key files: entries `FILE` for all hosts, or `HOST=FILE`. */
  readonly git_ssh_key: readonly string[]
  readonly git_known_hosts: string
  /** Paths of token files: entries `HOST=FILE`. */
  readonly git_token_files: readonly string[]
  readonly module_ca_file: string
}

/** Credentials for Git hosts. */
export interface HostCredentials {
  /** Path of the SSH key file by host; the key `''` stands for all other hosts. */
  readonly keys: ReadonlyMap<string, string>
  readonly tokens: ReadonlyMap<string, string>
  readonly knownHosts: string | undefined
  readonly authorities: string | undefined
}

/** Parses the settings of credentials. Throws TOKEN_HOSTS. */
export function readHostCredentials(settings: GitAccessSettings): HostCredentials {
  return {
    keys: parseHostEntries(settings.git_ssh_key, 'git_ssh_key', true),
    tokens: parseHostEntries(settings.git_token_files, 'git_token_files', false),
    knownHosts: settings.git_known_hosts || undefined,
    authorities: settings.module_ca_file || undefined,
  }
}

function parseHostEntries(
  given: readonly string[],
  setting: string,
  mayBeForAll: boolean,
): ReadonlyMap<string, string> {
  return new Map(
    given.map((each) => {
      const [, host, file = ''] = /^(?:([\w.:[\]-]+)=)?(.+)$/.exec(each) ?? []
      if (file === '' || (host === undefined && !mayBeForAll)) throwIssue(issues.TOKEN_HOSTS, { given: each, setting })
      return [host?.toLowerCase() ?? '', file]
    }),
  )
}

/** Credentials for remotes, and the limits on their addresses. */
export interface GitCredentials {
  readonly means: HostCredentials
  readonly web: ModuleWeb
  readonly proxyTo: (host: string, port: number) => HttpProxy | undefined
}

const ports = { https: 443, http: 80, ssh: 22, file: 0 } as const

/**
 * Returns git's access options for a remote. Git follows no redirects by itself. Without a proxy,
 * an https host is resolved here, and git connects only to the checked addresses; with ssh, git
 * resolves the host, whose key proves its identity. Throws MODULE_ADDRESS_PRIVATE, SECRET_….
 */
export async function createGitAccess(
  remote: Remote,
  { means, web, proxyTo }: GitCredentials,
): Promise<{ remote: Remote; access: RemoteAccess }> {
  const { protocol, host: place = '' } = remote
  if (protocol === 'file') return { remote, access: {} }
  const cut = /:\d+$/.exec(place)?.index ?? place.length
  const host = place.slice(0, cut)
  const port = Number(place.slice(cut + 1)) || ports[protocol]
  if (protocol === 'ssh') {
    await web.checkSshHost(host, port)
    const privateKey = means.keys.get(place) ?? means.keys.get(host) ?? means.keys.get('')
    return { remote, access: { privateKey, knownHosts: means.knownHosts } }
  }
  const addresses = await web.resolveAddresses(host, port)
  const proxy = proxyTo(host, port)
  const secret = means.tokens.get(place) ?? means.tokens.get(host)
  const [user, password] = secret === undefined ? [] : splitUserAndToken(await readSecretFile(secret))
  const access: RemoteAccess = {
    ...{ username: user, authorities: means.authorities, proxy: proxy ? formatProxyUrl(proxy) : undefined },
    config: [
      ['http.followRedirects', 'false'],
      ...(addresses.length > 0 ? [['http.curloptResolve', `${host}:${port}:${addresses.join(',')}`] as const] : []),
    ],
  }
  return { remote: password === undefined ? remote : { ...remote, password }, access }
}

/** Splits `USER:TOKEN`, or a token without user. */
function splitUserAndToken(secret: string): readonly [user: string | undefined, token: string] {
  const cut = secret.indexOf(':')
  return cut === -1 ? [undefined, secret] : [secret.slice(0, cut), secret.slice(cut + 1)]
}

function formatProxyUrl({ host, port, user, password = '' }: HttpProxy): string {
  const who = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return `http://${who}${host.includes(':') ? `[${host}]` : host}:${port}`
}
