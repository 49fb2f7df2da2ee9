import type { FileBucket } from '../../../network/client/file-bucket.ts'
import { createFileBucketClient } from '../../../network/client/file-bucket.ts'
import { formatOrigin } from '../../../network/client/server-choice.ts'
import type { Session } from '../../../network/client/session.ts'

/** Server and port of a filebucket resource; undefined if the resource does not set them. */
export interface BucketPlace {
  readonly server: string | undefined
  readonly port: number | undefined
}

/** Calls `work` with the filebucket of a server, for `filebucket { path => false }`. */
export type ServerBuckets = <Result>(
  place: BucketPlace,
  work: (bucket: FileBucket) => Promise<Result>,
) => Promise<Result>

/**
 * Returns the bucket on the server that the resource names, by default on the session's server.
 * Puppet 7.23 accepts `server` and `port`, but always contacts the agent's own server.
 */
export function selectServerBucket(session: Session, { server, port }: BucketPlace, serverport: number): FileBucket {
  if (server === undefined && port === undefined) return session.bucket
  return createFileBucketClient(session.http, async () => {
    const host = server ?? (await session.server()).host
    return formatOrigin({ host, port: port ?? serverport })
  })
}
