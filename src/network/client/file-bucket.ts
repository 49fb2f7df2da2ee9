import type { Readable } from 'node:stream'
import { hasStatus } from './errors.ts'
import type { HttpClient, HttpRequest, Query } from './http-client.ts'

/** The bucket of a server: old versions of files by `ALGORITHM/SUM`, for saving with `/ORIGINAL/PATH`. protocol.md 9. */
export interface FileBucket {
  /** `undefined` when it has none; with `diffWith`, how that sum's file differs. */
  find(key: string, query: BucketQuery): Promise<Buffer | undefined>
  has(key: string, query: BucketQuery): Promise<boolean>
  save(key: string, content: Uint8Array | Readable, query: BucketQuery): Promise<void>
}

/** Parameters of a request to the bucket. */
export interface BucketQuery {
  readonly environment: string
  readonly diffWith?: string
}

/** The calls of a node. `origin` is asked for each call: it may have to be chosen first. */
export function fileBucket(http: HttpClient, origin: () => Promise<URL>): FileBucket {
  const send = async (
    method: NonNullable<HttpRequest['method']>,
    key: string,
    query: Query,
    body?: Uint8Array | Readable,
  ) => {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const headers = { accept: 'application/octet-stream', 'content-type': 'application/octet-stream' }
    const place = new URL(`/puppet/v3/file_bucket_file/${path}`, await origin())
    return http.send(place, { method, query, headers, ...(body && { body }) })
  }
  const found = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await ask()
    } catch (error) {
      if (hasStatus(error, 404)) return undefined
      throw error
    }
  }
  return {
    find: (key, { environment, diffWith }) =>
      found(async () => (await send('GET', key, { environment, diff_with: diffWith })).body),
    has: async (key, { environment }) => (await found(() => send('HEAD', key, { environment }))) !== undefined,
    async save(key, content, { environment }) {
      await send('PUT', key, { environment }, content)
    },
  }
}
