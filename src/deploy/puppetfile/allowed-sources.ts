import { type BlockList, isIP } from 'node:net'
import { throwIssue } from '../../base/issue.ts'
import { redactRemote } from '../../code/git/remotes/remote.ts'
import { isInNetworks, isPublicAddress, parseNetworks } from '../../network/outside/public-addresses.ts'
import { puppetfileIssues as issues } from './issues.ts'
import { isAtOrBelow, type ModulePlace, normalizeUrl } from './module-address.ts'

/** Allowed addresses of modules: the parsed setting `puppetfile_sources`. */
export interface ModuleSources {
  readonly prefixes: readonly ModulePlace[]
  /** Private networks in which hosts may be. */
  readonly networks: BlockList
}

/** Parses the setting `puppetfile_sources`. Throws PUPPETFILE_SOURCES. */
export function readModuleSources(given: readonly string[]): ModuleSources {
  const isNetwork = (each: string) => isIP(each.split('/')[0] ?? '') !== 0
  return {
    prefixes: given.filter((each) => !isNetwork(each)).map(parsePrefix),
    networks: parseNetworks(given.filter(isNetwork)),
  }
}

/** Returns true for an address at or below an entry of the setting. */
export function isListedAddress({ prefixes }: ModuleSources, place: ModulePlace): boolean {
  return prefixes.some((prefix) =>
    isEveryHost(prefix) ? prefix.protocol === place.protocol && isPublicHost(place.host) : isAtOrBelow(place, prefix),
  )
}

/** True for the entries `https://` and `ssh://`. */
function isEveryHost({ protocol, host }: ModulePlace): boolean {
  return protocol !== 'file' && host === ''
}

/** True for a name of a host, whose addresses are checked at the connection, and for a public address. */
function isPublicHost(host: string): boolean {
  const address = host.startsWith('[') ? host.slice(1, -1) : host
  return isIP(address) === 0 ? address !== 'localhost' && !address.endsWith('.localhost') : isPublicAddress(address)
}

/**
 * Returns true for an allowed address of a listed host: public, in a listed network, or identical
 * to the host.
 */
export function isAllowedAddress(sources: ModuleSources, host: string, address: string): boolean {
  const literal = host.startsWith('[') ? host.slice(1, -1) : host
  return literal === address || isPublicAddress(address) || isInNetworks(sources.networks, address)
}

/** Returns the shortest prefix that an administrator would list to allow an address. */
export function formatShortestPrefix({ protocol, user, host, port, segments }: ModulePlace): string {
  if (protocol === 'file') return `/${segments.slice(0, -1).join('/')}`
  const standard = protocol === 'https' ? 443 : protocol === 'http' ? 80 : 22
  const who = protocol === 'ssh' && user !== undefined ? `${user}@` : ''
  const first = segments.length > 1 ? `/${segments[0]}` : ''
  return `${protocol}://${who}${host}${port === standard ? '' : `:${port}`}${first}`
}

function parsePrefix(given: string): ModulePlace {
  const failInvalidEntry = (): never => throwIssue(issues.PUPPETFILE_SOURCES, { given: redactRemote(given) })
  const path = given.startsWith('file:///') ? given.slice('file://'.length) : given
  if (given === 'https://') return { protocol: 'https', user: undefined, host: '', port: 443, segments: [] }
  if (given === 'ssh://') return { protocol: 'ssh', user: undefined, host: '', port: 22, segments: [] }
  if (path.startsWith('/'))
    return {
      protocol: 'file',
      user: undefined,
      host: '',
      port: 0,
      segments: splitPathSegments(path) ?? failInvalidEntry(),
    }
  const [, user, host = '', way = ''] =
    /^(?:([\w.+-]+)@)?([\w.-]+|\[[0-9a-f:.]+\]):(?!\/\/)([^\s]*)$/i.exec(given) ?? []
  if (host !== '')
    return {
      protocol: 'ssh',
      user,
      host: host.toLowerCase(),
      port: 22,
      segments: splitPathSegments(way) ?? failInvalidEntry(),
    }
  const [, scheme] = /^(https?|ssh):\/\//i.exec(given) ?? []
  if (scheme === undefined || !URL.canParse(given)) return failInvalidEntry()
  const url = new URL(given)
  if (url.password !== '' || url.search !== '' || url.hash !== '' || url.hostname === '') return failInvalidEntry()
  if (scheme.toLowerCase() !== 'ssh') return normalizeUrl(url) ?? failInvalidEntry()
  // An ssh address is parsed as https, since URL does not handle ssh and its port.
  const asHttps = normalizeUrl(new URL(given.replace(/^ssh:/i, 'https:'))) ?? failInvalidEntry()
  return { ...asHttps, protocol: 'ssh', port: Number(url.port) || 22 }
}

function splitPathSegments(path: string): readonly string[] | undefined {
  const parts = path.split('/').filter((part) => part !== '')
  if (parts.some((part) => part === '.' || part === '..' || /[\\%\0-\x1f]/.test(part))) return undefined
  return parts.map((part, at) => (at === parts.length - 1 ? part.replace(/\.git$/, '') : part))
}
