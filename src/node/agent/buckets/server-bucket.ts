import { originOf } from '../../../network/client/choose-server.ts'
import type { FileBucket } from '../../../network/client/file-bucket.ts'
import { fileBucket } from '../../../network/client/file-bucket.ts'
import type { Session } from '../../../network/client/session.ts'

/** The server of a filebucket, where its resource names one. */
export interface BucketPlace {
  readonly server: string | undefined
  readonly port: number | undefined
}

/** Buckets of servers: what `filebucket { path => false }` stands for. */
export type ServerBuckets = <Result>(
  place: BucketPlace,
  work: (bucket: FileBucket) => Promise<Result>,
) => Promise<Result>

/**
 * The bucket of a server in a session: of that session's server, unless the resource names another. Puppet 7.23 takes
 * `server` and `port`, and asks the agent's own server all the same.
 */
export function bucketIn(session: Session, { server, port }: BucketPlace, serverport: number): FileBucket {
  if (server === undefined && port === undefined) return session.bucket
  return fileBucket(session.http, async () => {
    const host = server ?? (await session.server()).host
    return originOf({ host, port: port ?? serverport })
  })
}
