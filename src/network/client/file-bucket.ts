import type { Readable } from 'node:stream'
import { hasResponseStatus } from './errors.ts'
import type { HttpClient, HttpQuery, HttpRequest } from './http-client.ts'

/**
 * The file bucket of a server. A key is `ALGORITHM/SUM`; to save a file, the key is followed by `/ORIGINAL/PATH`.
 * protocol.md 9.
 */
export interface FileBucket {
  /**
   * Returns a file; `undefined` if it does not exist. With `diffWith`, returns the difference between the file and the
   * file with the checksum in `diffWith`.
   */
  find(key: string, query: BucketQuery): Promise<Buffer | undefined>
  has(key: string, query: BucketQuery): Promise<boolean>
  save(key: string, content: Uint8Array | Readable, query: BucketQuery): Promise<void>
}

/** Parameters of a request to the bucket. */
export interface BucketQuery {
  readonly environment: string
  readonly diffWith?: string
}

/**
 * Creates a node's client for the bucket. Calls `origin` for each request, because the server may not have been
 * selected yet.
 */
export function createFileBucketClient(http: HttpClient, origin: () => Promise<URL>): FileBucket {
  const send = async (
    method: NonNullable<HttpRequest['method']>,
    key: string,
    query: HttpQuery,
    body?: Uint8Array | Readable,
  ) => {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const headers = { accept: 'application/octet-stream', 'content-type': 'application/octet-stream' }
    const place = new URL(`/puppet/v3/file_bucket_file/${path}`, await origin())
    return http.send(place, { method, query, headers, ...(body && { body }) })
  }
  const requestOptional = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await ask()
    } catch (error) {
      if (hasResponseStatus(error, 404)) return undefined
      throw error
    }
  }
  return {
    find: (key, { environment, diffWith }) =>
      requestOptional(async () => (await send('GET', key, { environment, diff_with: diffWith })).body),
    has: async (key, { environment }) =>
      (await requestOptional(() => send('HEAD', key, { environment }))) !== undefined,
    async save(key, content, { environment }) {
      await send('PUT', key, { environment }, content)
    },
  }
}
