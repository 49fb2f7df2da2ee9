import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import { ResponseError } from '../../network/client/errors.ts'
import type { HttpClient, HttpStream } from '../../network/client/http-client.ts'
import { streamWithResume } from '../../network/client/resumable-body.ts'
import { readTrustedAuthorities } from '../../network/client/system-authorities.ts'
import { createWebClient, type WebClientSettings } from '../../network/client/web-client.ts'
import { formatRubyTime, getEtagDigest } from '../resources/checksum.ts'
import type { ProviderFileSources } from '../resources/provider.ts'

const issues = defineIssues({
  WEB_HAS_NO_FOLDERS: { text: (_: object) => 'cannot lookup multiple files' },
})

/** Settings for HTTP requests. */
export type WebSettings = WebClientSettings & Pick<Settings, 'localcacert'>

/**
 * HTTP sources, such as `https://example.com/a.txt`. Checksums and modification times come from response headers.
 * Puppet: file_serving/http_metadata.rb
 */
export function createWebSources(settings: WebSettings): ProviderFileSources {
  let client: Promise<HttpClient> | undefined
  const openClient = async () => createWebClient(settings, { ca: await readTrustedAuthorities(settings.localcacert) })
  const sendRequest = async (
    source: string,
    method: 'GET' | 'HEAD',
    headers: Readonly<Record<string, string>> = {},
  ) => {
    client ??= openClient().catch((error: unknown) => {
      client = undefined
      throw error
    })
    return (await client).stream(new URL(source), { method, headers })
  }
  return {
    async metadata(source, { links, checksumType }) {
      const headers = await fetchHeaders(source, sendRequest)
      if (headers === undefined) return undefined
      const checksum = selectChecksum(headers, checksumType)
      const nothing = { relativePath: undefined, destination: undefined, contentUri: undefined, source: undefined }
      return { ...nothing, path: '/dev/null', links, owner: 0, group: 0, mode: 0, type: 'file', checksum }
    },
    search: async () => throwIssue(issues.WEB_HAS_NO_FOLDERS, {}),
    content: async (_, source) =>
      streamWithResume(await sendRequest(source, 'GET'), (headers) => sendRequest(source, 'GET', headers)),
  }
}

type Ask = (source: string, method: 'GET' | 'HEAD', headers?: Readonly<Record<string, string>>) => Promise<HttpStream>

/** The headers of a file. Some servers serve GET but reject HEAD with 403 or 405. */
async function fetchHeaders(source: string, ask: Ask): Promise<HttpStream['headers'] | undefined> {
  const head = await readResponseHeaders(() => ask(source, 'HEAD'))
  if (head !== 403 && head !== 405) return typeof head === 'number' ? undefined : head
  const partial = await readResponseHeaders(() => ask(source, 'GET', { range: 'bytes=0-0' }))
  return typeof partial === 'number' ? undefined : partial
}

/** The headers of a response, or its status if unsuccessful. */
async function readResponseHeaders(work: () => Promise<HttpStream>): Promise<HttpStream['headers'] | number> {
  try {
    const { headers, body } = await work()
    body.on('error', () => {}).destroy()
    return headers
  } catch (error) {
    if (error instanceof ResponseError) return error.status
    throw error
  }
}

/**
 * Returns the checksum of the wanted type or, if missing, the best available checksum. Without a
 * checksum, returns the modification time, by default the current time. For the type `etag`, a strong
 * entity tag that is a hex digest is the checksum; a weak tag, `W/"…"`, is no digest.
 */
function selectChecksum(headers: HttpStream['headers'], wanted: string): FileMetadata['checksum'] {
  const md5 = headers['x-checksum-md5'] ?? base64ToHex(headers['content-md5'])
  const time = new Date(headers['last-modified'] ?? Number.NaN)
  const mtime = Number.isNaN(time.getTime())
    ? formatRubyTime(Date.now())
    : formatRubyTime(time.getTime()).replace(/[-+]\d+$/, 'UTC')
  const sums: Readonly<Record<string, string | undefined>> = {
    sha256: headers['x-checksum-sha256'],
    sha1: headers['x-checksum-sha1'],
    md5,
    mtime,
  }
  const tag = wanted === 'etag' ? headers.etag?.replaceAll('"', '').trim().toLowerCase() : undefined
  const digest = tag === undefined ? undefined : getEtagDigest(tag)
  if (digest !== undefined) return { type: digest, value: `{${digest}}${tag}` }
  const type = [wanted, 'sha256', 'sha1', 'md5'].find((each) => sums[each] !== undefined) ?? 'mtime'
  return { type, value: `{${type}}${sums[type]}` }
}

function base64ToHex(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex')
}
