import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { digestBytes } from '../../base/bytes/byte-digest.ts'
import { limitBytes } from '../../base/bytes/byte-limit.ts'
import { throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { ResponseError } from '../../network/client/errors.ts'
import type { HttpClient } from '../../network/client/http-client.ts'
import { readTrustedAuthorities } from '../../network/client/system-authorities.ts'
import { createWebClient, type WebClientSettings } from '../../network/client/web-client.ts'
import { formatFullName, type GemRelease, parseReleases } from './compact-index.ts'
import { gemIssues as issues } from './issues.ts'

/** Settings for requests to gem servers. */
export type GemServerSettings = WebClientSettings & Pick<Settings, 'localcacert'>

/** A server that offers gems by the compact index. */
export class GemServer {
  /** URL without credentials, for messages. */
  readonly shown: string
  readonly #base: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #settings: GemServerSettings
  #client: Promise<HttpClient> | undefined
  readonly #releases = new Map<string, Promise<readonly GemRelease[]>>()

  /** Credentials in the URL are sent as HTTP basic authentication. Throws GEM_SOURCE. */
  constructor(text: string, settings: GemServerSettings) {
    const url = parseServerUrl(text)
    const { username, password } = url
    url.username = url.password = url.search = url.hash = ''
    if (!url.pathname.endsWith('/')) url.pathname += '/'
    this.#base = url
    this.shown = url.href
    const credentials = [username, password].map(decodeURIComponent).join(':')
    this.#headers = username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
    this.#settings = settings
  }

  #openClient(): Promise<HttpClient> {
    const create = async () =>
      createWebClient(this.#settings, { ca: await readTrustedAuthorities(this.#settings.localcacert) })
    this.#client ??= create().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  /** Returns the versions of a gem, oldest first; empty if the server has no such gem. Throws GEM_INDEX_INVALID. */
  releases(name: string): Promise<readonly GemRelease[]> {
    const known = this.#releases.get(name)
    if (known) return known
    const asked = this.#fetchReleases(name).catch((error: unknown) => {
      this.#releases.delete(name)
      throw error
    })
    this.#releases.set(name, asked)
    return asked
  }

  async #fetchReleases(name: string): Promise<readonly GemRelease[]> {
    const url = new URL(`info/${name}`, this.#base)
    // As in RubyGems: this host serves the index.
    if (url.host === 'rubygems.org') url.host = 'index.rubygems.org'
    try {
      const { body } = await (await this.#openClient()).send(url, this.#request({ maxAnswer: budgets.gem.index.bound }))
      const releases = parseReleases(name, body.toString('utf8'))
      return 'why' in releases ? throwIssue(issues.GEM_INDEX_INVALID, { url: url.href, why: releases.why }) : releases
    } catch (error) {
      if (error instanceof ResponseError && (error.status === 404 || error.status === 410)) return []
      throw error
    }
  }

  /** Downloads the file of a version, and compares its checksum. Throws GEM_CHECKSUM, GEM_TOO_LARGE. */
  async download(release: GemRelease, file: string): Promise<void> {
    const name = `${formatFullName(release)}.gem`
    const { body } = await (await this.#openClient()).stream(new URL(`gems/${name}`, this.#base), this.#request({}))
    const sha256 = createHash('sha256')
    const most = budgets.gem.archive.bound
    const throwTooLarge = () => throwIssue(issues.GEM_TOO_LARGE, { what: name, bytes: most })
    const content = digestBytes(limitBytes(most, body, throwTooLarge), sha256)
    await pipeline(content, createWriteStream(file, { mode: 0o644, flags: 'wx' }))
    const actual = sha256.digest('hex')
    if (actual !== release.sha256) throwIssue(issues.GEM_CHECKSUM, { file: name, expected: release.sha256, actual })
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.close()
  }

  #request(more: { readonly maxAnswer?: number }) {
    const signal = AbortSignal.timeout(budgets.gem.requestTime.bound)
    return { headers: { ...this.#headers, 'accept-encoding': 'identity' }, signal, ...more }
  }
}

/** Throws GEM_SOURCE, without the credentials, for text that is not an HTTP URL. */
function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  return throwIssue(issues.GEM_SOURCE, { url: text.replace(/\/\/[^/@]*@/, '//') })
}
