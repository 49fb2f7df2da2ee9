import { Readable } from 'node:stream'
import { budgets } from '../../base/budgets/budgets.ts'
import { combineIntoBlocks } from '../../base/bytes/byte-blocks.ts'
import { limitBytes } from '../../base/bytes/byte-limit.ts'
import { createPuppetError, defineIssues, type PuppetError, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { indirectorIssues } from '../../model/indirector/issues.ts'
import { ignoreNotFound } from '../../network/client/errors.ts'
import type { HttpQuery, HttpRequest, HttpStream } from '../../network/client/http-client.ts'
import { parseAddress } from '../../network/client/server-choice.ts'
import { createRemoteServer, type RemoteServerSettings, remoteServerIssues } from './remote-server.ts'

/** Settings for requests to another Puppet server. */
export type RemotePuppetSettings = RemoteServerSettings & Pick<Settings, 'server' | 'server_list' | 'environment'>

/** Location of a model on a server: `/puppet/v3/INDIRECTION/KEY?QUERY`. */
export interface RemotePlace {
  readonly indirection: string
  readonly key: string
  readonly query: HttpQuery
}

/** A file streamed from another server. */
export interface RemoteFile {
  /** Size in bytes; undefined for a chunked response of Puppet Server. */
  readonly size: number | undefined
  readonly identity?: undefined
  /** Content of the file, which must be read or destroyed. Fails if the file exceeds the limit. */
  readonly content: Readable
}

/** A file streamed to another server. */
export interface FileUpload {
  /** Size in bytes; 0 if unknown. */
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * Client of Puppet's indirections on another server. Throws ResponseError with its message,
 * REMOTE_AWAY, REMOTE_OVERLOADED, INVALID_KEY.
 */
export interface RemotePuppet {
  /** Text of the response; `undefined` on 404. */
  find(place: RemotePlace, request?: Pick<HttpRequest, 'method' | 'headers' | 'body'>): Promise<Buffer | undefined>
  save(place: RemotePlace, text: Uint8Array): Promise<void>
  /** Streams the response; with HEAD, only its size is known. `undefined` on 404. */
  open(place: RemotePlace, method?: 'GET' | 'HEAD'): Promise<RemoteFile | undefined>
  send(place: RemotePlace, file: FileUpload): Promise<void>
}

/**
 * Creates the clients of `rest` termini; undefined if no terminus uses another server. Each client has its own
 * request limit. Throws REMOTE_IS_THIS_SERVER.
 */
export interface RemoteServices {
  readonly remote?: (() => RemotePuppet) | undefined
}

const issues = defineIssues({
  TERMINUS_WITHOUT_SERVER: {
    text: (a: { what: string }) => `The rest terminus of ${a.what} has no server`,
  },
})

/** Returns the client for a `rest` terminus. Throws TERMINUS_WITHOUT_SERVER, REMOTE_IS_THIS_SERVER. */
export function getRemotePuppet({ remote }: RemoteServices, what: string): RemotePuppet {
  return remote?.() ?? throwIssue(issues.TERMINUS_WITHOUT_SERVER, { what })
}

const json = 'application/json'
const bytes = 'application/octet-stream'
/** Size in bytes of one write to the other server. */
const blockBytes = 64 * 1024

/**
 * Creates a client of the server that agents with these settings would use: the first of
 * `server_list`, otherwise `server` at `serverport`. Throws REMOTE_IS_THIS_SERVER. Puppet:
 * http/session.rb, `route_to`.
 */
export function createRemotePuppet(
  settings: RemotePuppetSettings,
  files: Pick<Files, 'readText'>,
  times: { readonly timeoutMs?: number; readonly fileTimeoutMs?: number } = {},
): RemotePuppet {
  const { server, server_list: list, serverport } = settings
  const { host, port } = parseAddress(list[0] ?? server, serverport)
  const setting = list.length > 0 ? 'server_list' : 'server'
  const what = 'Puppet server'
  const remote = createRemoteServer({ settings, files, host, port, what, setting, ...times })
  const createAwayError = (why: string) =>
    createPuppetError(remoteServerIssues.REMOTE_AWAY, { what, address: `${host}:${port}`, why })
  return {
    find: (place, { headers, ...request } = {}) =>
      ignoreNotFound(
        remote.ask(async (http, origin) => {
          const all = { query: place.query, headers: { accept: json, ...headers }, ...request }
          return (
            await http.send(toRemoteUrl(origin, place), { ...all, maxAnswer: budgets.request.forwardedAnswer.bound })
          ).body
        }, true),
      ),
    async save(place, text) {
      const headers = { accept: json, 'content-type': json }
      const request = { method: 'PUT', query: place.query, headers, body: text } as const
      await remote.ask((http, origin) => http.send(toRemoteUrl(origin, place), request), true)
    },
    async open(place, method = 'GET') {
      // With compression `Content-Length` would not be the size of the file.
      const headers = { accept: bytes, 'accept-encoding': 'identity' }
      const request = { method, query: place.query, headers }
      const answer = await ignoreNotFound(
        remote.open((http, origin) => http.stream(toRemoteUrl(origin, place), request)),
      )
      return answer && toRemoteFile(answer, method, createAwayError)
    },
    async send(place, { size, content }) {
      const headers = {
        ...{ accept: bytes, 'content-type': bytes },
        ...(size > 0 && { 'content-length': String(size) }),
      }
      const body = Readable.from(combineIntoBlocks(content, blockBytes), { objectMode: false })
      const request = { method: 'PUT', query: place.query, headers, body } as const
      try {
        const sendRequest = (http: Parameters<Parameters<typeof remote.ask>[0]>[0], origin: URL) =>
          http.send(toRemoteUrl(origin, place), request)
        await remote.ask(sendRequest, true, times.fileTimeoutMs ?? budgets.request.forwardedFileTime.bound)
      } finally {
        body.destroy()
      }
    },
  }
}

/**
 * Returns the URL of a location. Rejects `.` and `..`, because our certificate would then be used for another path.
 * Throws INVALID_KEY.
 */
function toRemoteUrl(origin: URL, { indirection, key }: RemotePlace): URL {
  const segments = key.split('/')
  if (key === '' || segments.some((segment) => segment === '.' || segment === '..'))
    throwIssue(indirectorIssues.INVALID_KEY, { indirection, key })
  return new URL(`/puppet/v3/${indirection}/${segments.map(encodeURIComponent).join('/')}`, origin)
}

/** Returns the file in a response. Throws the error if the response is compressed or exceeds the limit. */
function toRemoteFile(
  answer: HttpStream,
  method: 'GET' | 'HEAD',
  createError: (why: string) => PuppetError,
): RemoteFile {
  const { body, headers } = answer
  const most = budgets.request.forwardedFile.bound
  const rejectFile = (why: string): never => {
    body.destroy()
    throw createError(why)
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    rejectFile('its response is compressed against the request')
  const size = getResponseSize(answer, method)
  if (size === undefined) return { size, content: limitStream(body, most, rejectFile) }
  return size > most ? rejectFile(`the file has ${size} bytes`) : { size, content: body }
}

/** Size of a response in bytes; `undefined` if unknown. */
function getResponseSize({ headers }: HttpStream, method: 'GET' | 'HEAD'): number | undefined {
  const { 'content-length': length } = headers
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length)
  return method === 'HEAD' ? 0 : undefined
}

/** Counts the bytes of a stream of unknown size, and fails above the limit. */
function limitStream(body: Readable, most: number, refuse: (why: string) => never): Readable {
  const bytes = limitBytes(most, body, () => refuse(`the file exceeds ${most} bytes`))
  const content = Readable.from(bytes, { objectMode: false })
  content.once('close', () => body.destroy())
  return content
}
