import { fail } from '../../base/issue.ts'
import type { Remote } from '../../code/git/remotes/remote.ts'
import type { RemoteAccess } from '../../code/git/remotes/remote-access.ts'
import { readSecretFile } from '../../code/git/remotes/secret-file.ts'
import type { HttpProxy } from '../../network/client/proxy.ts'
import { moduleIssues as issues } from './issues.ts'
import type { ModuleWeb } from './module-web.ts'

/** Keys, tokens and ways to hosts of modules, by settings. */
export interface GitAccessSettings {
  /** FILE, or HOST=FILE. */
  readonly git_ssh_key: readonly string[]
  readonly git_known_hosts: string
  /** HOST=FILE. */
  readonly git_token_files: readonly string[]
  readonly module_ca_file: string
}

/** Means of reaching hosts of Git. */
export interface HostMeans {
  /** The key of a host; `''` stands for all others. */
  readonly keys: ReadonlyMap<string, string>
  readonly tokens: ReadonlyMap<string, string>
  readonly knownHosts: string | undefined
  readonly authorities: string | undefined
}

/** Reads the settings. Throws TOKEN_HOSTS. */
export function hostMeans(settings: GitAccessSettings): HostMeans {
  return {
    keys: byHost(settings.git_ssh_key, 'git_ssh_key', true),
    tokens: byHost(settings.git_token_files, 'git_token_files', false),
    knownHosts: settings.git_known_hosts || undefined,
    authorities: settings.module_ca_file || undefined,
  }
}

function byHost(given: readonly string[], setting: string, mayBeForAll: boolean): ReadonlyMap<string, string> {
  return new Map(
    given.map((each) => {
      const [, host, file = ''] = /^(?:([\w.:[\]-]+)=)?(.+)$/.exec(each) ?? []
      if (file === '' || (host === undefined && !mayBeForAll)) fail(issues.TOKEN_HOSTS, { given: each, setting })
      return [host?.toLowerCase() ?? '', file]
    }),
  )
}

/** The means by which remotes are reached, and the bounds on where they may be. */
export interface GitWays {
  readonly means: HostMeans
  readonly web: ModuleWeb
  readonly proxyTo: (host: string, port: number) => HttpProxy | undefined
}

const ports = { https: 443, http: 80, ssh: 22, file: 0 } as const

/**
 * The access of git to a remote. Git follows no redirect by itself, and where it asks a host without a proxy it is told at which
 * addresses, those that were looked at. By ssh it looks itself: there the host's key proves who answers. Throws
 * MODULE_ADDRESS_PRIVATE, SECRET_….
 */
export async function accessTo(
  remote: Remote,
  { means, web, proxyTo }: GitWays,
): Promise<{ remote: Remote; access: RemoteAccess }> {
  const { protocol, host: place = '' } = remote
  if (protocol === 'file') return { remote, access: {} }
  const cut = /:\d+$/.exec(place)?.index ?? place.length
  const host = place.slice(0, cut)
  const port = Number(place.slice(cut + 1)) || ports[protocol]
  if (protocol === 'ssh') {
    await web.addressesOf(host, port)
    const privateKey = means.keys.get(place) ?? means.keys.get(host) ?? means.keys.get('')
    return { remote, access: { privateKey, knownHosts: means.knownHosts } }
  }
  const addresses = await web.addressesOf(host, port)
  const proxy = proxyTo(host, port)
  const secret = means.tokens.get(place) ?? means.tokens.get(host)
  const [user, password] = secret === undefined ? [] : userAndToken(await readSecretFile(secret))
  const access: RemoteAccess = {
    ...{ username: user, authorities: means.authorities, proxy: proxy ? proxyUrl(proxy) : undefined },
    config: [
      ['http.followRedirects', 'false'],
      ...(addresses.length > 0 ? [['http.curloptResolve', `${host}:${port}:${addresses.join(',')}`] as const] : []),
    ],
  }
  return { remote: password === undefined ? remote : { ...remote, password }, access }
}

/** `USER:TOKEN`, or a token alone. */
function userAndToken(secret: string): readonly [user: string | undefined, token: string] {
  const cut = secret.indexOf(':')
  return cut === -1 ? [undefined, secret] : [secret.slice(0, cut), secret.slice(cut + 1)]
}

function proxyUrl({ host, port, user, password = '' }: HttpProxy): string {
  const who = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return `http://${who}${host.includes(':') ? `[${host}]` : host}:${port}`
}
