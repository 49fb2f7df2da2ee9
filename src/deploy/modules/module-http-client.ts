import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { createPuppetError, PuppetError, throwIssue } from '../../base/issue.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { HttpClient, type HttpStream } from '../../network/client/http-client.ts'
import type { HttpProxy } from '../../network/client/proxy.ts'
import {
  formatShortestPrefix,
  isAllowedAddress,
  isListedAddress,
  type ModuleSources,
} from '../puppetfile/allowed-sources.ts'
import { normalizeUrl } from '../puppetfile/module-address.ts'
import { moduleIssues as issues } from './issues.ts'

/** Options that decide which https hosts may be queried for modules. */
export interface ModuleWebOptions {
  readonly sources: ModuleSources
  /** The server's Forge, which is allowed without an entry in the sources. */
  readonly trusted: URL
  /** CA certificates (PEM) for connections to module hosts. */
  readonly authorities: string
  readonly proxyTo: (host: string, port: number) => HttpProxy | undefined
}

/** Timeout in seconds for a connection, and for a connection without data. */
const connectSeconds = 20
const silentSeconds = 60

/**
 * Sends requests to module hosts. Queries only allowed hosts at allowed addresses, also after redirects. Connects to
 * the checked addresses, so that a changed DNS record cannot redirect a connection.
 */
export class ModuleWeb {
  readonly #options: ModuleWebOptions
  readonly #client: HttpClient

  constructor(options: ModuleWebOptions) {
    this.#options = options
    this.#client = this.#open((url) => this.mustBeAllowed(url))
  }

  /**
   * Returns a reply after its headers were read. Throws MODULE_LEADS_ELSEWHERE,
   * MODULE_ADDRESS_PRIVATE, and request errors.
   */
  stream(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpStream> {
    return this.#client.stream(url, { headers, signal })
  }

  /** Returns the final URL after redirects, whatever the HTTP status. Throws as `stream` does. */
  async destination(url: URL, signal: AbortSignal): Promise<URL> {
    let last = url
    const client = this.#open((each) => {
      this.mustBeAllowed(each)
      last = each
    })
    try {
      const { body } = await client.stream(url, { signal })
      body.destroy()
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error
    } finally {
      await client.close()
    }
    return last
  }

  /** Throws MODULE_LEADS_ELSEWHERE if the URL is not allowed. */
  mustBeAllowed(url: URL): void {
    const { sources, trusted } = this.#options
    if (url.host === trusted.host && url.protocol === trusted.protocol) return
    const place = normalizeUrl(url)
    const shown = `${url.origin}${url.pathname}`
    if (!place || !isListedAddress(sources, place))
      throwIssue(issues.MODULE_LEADS_ELSEWHERE, {
        url: shown,
        prefix: place ? formatShortestPrefix(place) : url.origin,
      })
  }

  /**
   * Returns the addresses of a host, all of which are allowed; empty if a proxy resolves the host. Throws
   * MODULE_ADDRESS_PRIVATE.
   */
  resolveAddresses(host: string, port: number): Promise<readonly string[]> {
    return this.#options.proxyTo(host, port) ? Promise.resolve([]) : this.#resolve(host)
  }

  /**
   * Checks the addresses of an ssh host, to which git connects without a proxy. A name without addresses is accepted
   * where a proxy is set: ssh may reach it in its own way. Throws MODULE_ADDRESS_PRIVATE.
   */
  async checkSshHost(host: string, port: number): Promise<void> {
    try {
      await this.#resolve(host)
    } catch (error) {
      if (error instanceof PuppetError || !this.#options.proxyTo(host, port)) throw error
    }
  }

  #resolve(host: string): Promise<readonly string[]> {
    if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return Promise.resolve([])
    return new Promise((found, failed) => {
      this.#lookup(host, { all: true }, (error, addresses) => {
        if (error) failed(error)
        else found((addresses as readonly { readonly address: string }[]).map(({ address }) => address))
      })
    })
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #open(approve: (url: URL) => void): HttpClient {
    const { authorities, proxyTo } = this.#options
    return new HttpClient({
      ...{ tls: { ca: authorities }, plain: true, proxyTo, lookup: this.#lookup, approve },
      headers: { 'user-agent': 'Plumbline', 'accept-encoding': 'identity' },
      ...{ connectTimeout: connectSeconds, readTimeout: silentSeconds, longestRetryDelay: 5 },
      keepAliveTimeout: 4,
    })
  }

  /** Node's lookup, which fails if any address of the host is not allowed. */
  readonly #lookup: LookupFunction = (host, options, told) => {
    const { sources, trusted } = this.#options
    systemLookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return told(error, [])
      const isTrusted = host === trusted.hostname
      const wrong = addresses.find(({ address }) => !isTrusted && !isAllowedAddress(sources, host, address))
      if (wrong) return told(createPuppetError(issues.MODULE_ADDRESS_PRIVATE, { host, address: wrong.address }), [])
      if (options.all) return told(null, addresses)
      return told(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}
