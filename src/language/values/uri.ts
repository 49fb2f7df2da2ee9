import { refuse } from './argument-error.ts'
import type { Keyed } from './hash-key.ts'

/** The parts of a URI; `undefined` for one that it does not have. */
export interface UriParts {
  readonly scheme: string | undefined
  readonly userinfo: string | undefined
  readonly host: string | undefined
  readonly port: number | undefined
  readonly path: string | undefined
  readonly query: string | undefined
  readonly fragment: string | undefined
  readonly opaque: string | undefined
}

/** A URI by RFC 3986, as written. */
export class Uri implements Keyed {
  readonly text: string

  /** The scheme is kept in lower case. */
  constructor(text: string) {
    this.text = text.replace(/^[A-Za-z][\w+.-]*:/, (scheme) => scheme.toLowerCase())
  }

  get parts(): UriParts {
    const [, scheme, rest = '', query, fragment] = /^(?:([A-Za-z][\w+.-]*):)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(
      this.text,
    )!
    const none = { userinfo: undefined, host: undefined, port: undefined, path: undefined, opaque: undefined }
    const known = { scheme, query, fragment }
    const authority = /^\/\/(?:([^@/]*)@)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?(.*)$/s.exec(rest)
    if (authority) {
      const [, userinfo, host, port, path] = authority
      const usual = scheme === undefined ? undefined : usualPorts[scheme.toLowerCase()]
      return { ...none, ...known, userinfo, host, port: port === undefined ? usual : Number(port), path }
    }
    if (scheme !== undefined && !rest.startsWith('/')) return { ...none, ...known, opaque: rest }
    return { ...none, ...known, path: rest }
  }

  keyText(): string {
    return `URI:${JSON.stringify(this.text)}`
  }

  toString(): string {
    return this.text
  }
}

/** The URI that a text says. Throws RUNTIME_ERROR for what is none. */
export function parseUri(text: string): Uri {
  const isUri = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/.test(text) && !/%(?![0-9A-Fa-f]{2})/.test(text)
  return isUri ? new Uri(text) : refuse(`bad URI(is not URI?): ${JSON.stringify(text)}`)
}

const usualPorts: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21, ldap: 389, ldaps: 636 }
