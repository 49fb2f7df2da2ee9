import { isIPv6 } from 'node:net'
import { throwArgumentError } from '../argument-error.ts'
import { completeUri, type UriParts } from './uri-parts.ts'

const pchar = `(?:%[0-9A-Fa-f]{2}|[!$&-.0-;=@-Z_a-z~])`
const userinfo = `(?<userinfo>(?:%[0-9A-Fa-f]{2}|[!$&-.0-;=A-Z_a-z~])*)@`
const host = `(?<host>\\[[^\\]]*\\]|(?:%[0-9A-Fa-f]{2}|[!$&-.0-9;=A-Z_a-z~])+)`
const authority = `//(?:${userinfo})?${host}?(?::(?<port>\\d*))?(?<abempty>(?:/${pchar}*)*)`
const absolute = `(?<absolute>/(?:${pchar}+(?:/${pchar}*)*)?)`
const end = `(?:\\?(?<query>[^#]*))?(?:#(?<fragment>(?:${pchar}|[/?])*))?$`
const withScheme = new RegExp(
  `^(?<scheme>[A-Za-z][+\\-.0-9A-Za-z]*):(?:${authority}|${absolute}|(?<rootless>${pchar}+(?:/${pchar}*)*)|)${end}`,
)
const segmentWithoutColon = `(?:%[0-9A-Fa-f]{2}|[!$&-.0-9;=@-Z_a-z~])+`
const relative = new RegExp(`^(?:${authority}|${absolute}|(?<noscheme>${segmentWithoutColon}(?:/${pchar}*)*)|)${end}`)

/** Parses a URI (RFC 3986; Ruby: uri/rfc3986_parser.rb). Throws RUNTIME_ERROR. */
export function parseUri(text: string): UriParts {
  if (/[^\0-\x7f]/.test(text)) return throwArgumentError(`URI must be ascii only ${dumpText(text)}`)
  const found = (withScheme.exec(text) ?? relative.exec(text))?.groups
  if (!found || !isHost(found.host)) return throwArgumentError(`bad URI(is not URI?): ${JSON.stringify(text)}`)
  const { scheme, userinfo, host, port, query, fragment, rootless } = found
  if (rootless !== undefined) {
    const opaque = query === undefined ? rootless : `${rootless}?${query}`
    return completeUri({ ...none, scheme, opaque, fragment })
  }
  const path = found.abempty ?? found.absolute ?? found.noscheme ?? ''
  // In Ruby, the path of an FTP URI starts after the slash (uri/ftp.rb).
  const own = scheme?.toLowerCase() === 'ftp' ? path.replace(/^\//, '').replace(/^%2F/, '/') : path
  const parts = { scheme, userinfo, host, port: port ? Number(port) : undefined, path: own }
  return completeUri({ ...none, ...parts, query, fragment })
}

const none = {
  ...{ scheme: undefined, userinfo: undefined, host: undefined, port: undefined },
  ...{ path: undefined, query: undefined, fragment: undefined, opaque: undefined },
}

function isHost(host: string | undefined): boolean {
  if (!host?.startsWith('[')) return true
  const address = host.slice(1, -1)
  return /^v[0-9A-Fa-f]+\.[!$&-.0-;=A-Z_a-z~]+$/.test(address) || (!address.includes('%') && isIPv6(address))
}

/** Formats a text like Ruby's `String#dump`. */
function dumpText(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (found) => {
    const hex = found.codePointAt(0)!.toString(16).toUpperCase()
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
  })
}
