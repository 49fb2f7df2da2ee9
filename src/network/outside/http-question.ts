import { hash } from 'node:crypto'
import { throwIssue } from '../../base/issue.ts'
import { type ExactJson, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { outsideRefusals } from './issues.ts'
import { isListedHost, type OutsideRules } from './rules.ts'

/** An HTTP request. */
export interface HttpQuestion {
  readonly url: URL
  readonly method: 'GET' | 'HEAD'
  readonly headers: readonly Header[]
}

type Header = readonly [name: string, value: string]

/** Request headers whose values are not secret, so that the recorded request contains the values. */
const plainHeaders = new Set(['accept', 'accept-charset', 'accept-language', 'content-type', 'range', 'user-agent'])

/** Request headers that only the client may set, and headers for a single connection. */
const ownHeaders = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'http2-settings', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** Parses and checks an HTTP request from Puppet code. Throws one of `outsideRefusals`. */
export function parseHttpQuestion(content: unknown, rules: OutsideRules): HttpQuestion {
  const { url: given, method, headers = [] } = checkJsonObject(content, 'an HTTP request')
  if (!rules.http) throwIssue(outsideRefusals.LOOKUPS_OFF, { kind: 'http' })
  const verb = checkJsonString(method, 'a method')
  if (verb !== 'GET' && verb !== 'HEAD') throwIssue(outsideRefusals.HTTP_METHOD, { method: verb })
  const url = parsePageUrl(checkJsonString(given, 'a URL'))
  if (!isListedHost(rules.httpHosts, url)) throwIssue(outsideRefusals.HTTP_HOST, { host: url.host })
  return { url, method: verb, headers: parseHeaders(headers).filter(([name]) => !ownHeaders.has(name)) }
}

/** Parses and normalizes a URL: removes the fragment, and the trailing period of the host name. */
function parsePageUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return throwIssue(outsideRefusals.HTTP_ADDRESS, { url: hideCredentials(given) })
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return url
}

/** Replaces the credentials in an invalid URL, for messages. */
function hideCredentials(given: string): string {
  const at = given.lastIndexOf('@')
  return at === -1 ? given : `…${given.slice(at)}`
}

function parseHeaders(given: unknown): Header[] {
  return checkJsonArray(given, 'headers').map((each): Header => {
    const [name, value] = checkJsonArray(each, 'a header')
    return [checkJsonString(name, 'a header').toLowerCase(), checkJsonString(value, 'a header')]
  })
}

/**
 * Returns the form of an HTTP request that is recorded: the values of headers that may be secret are omitted. Requests
 * of one catalog that differ only in these values are numbered in order of first use; `seen` contains digests of the
 * values.
 */
export function toRecordedQuestion(content: ExactJson, seen: Map<string, string[]>): ExactJson {
  if (!isExactObject(content)) return content
  const headers = getMember(content, 'headers')
  const given = Array.isArray(headers) ? (headers as readonly Header[]) : []
  const pairs = given.filter(([name]) => !ownHeaders.has(name.toLowerCase()))
  const open = pairs.filter(([name]) => plainHeaders.has(name.toLowerCase()))
  const secret = pairs.filter(([name]) => !plainHeaders.has(name.toLowerCase()))
  const shown = {
    ...{ url: getMember(content, 'url') ?? null, method: getMember(content, 'method') ?? null },
    headers: [...open, ...secret.map(([name]) => [name])] as ExactJson,
  }
  if (secret.length === 0) return shown
  const key = JSON.stringify(shown)
  const digests = seen.get(key) ?? []
  seen.set(key, digests)
  const digest = hash('sha256', JSON.stringify(secret), 'hex')
  if (!digests.includes(digest)) digests.push(digest)
  return { ...shown, secret: digests.indexOf(digest) + 1 }
}
