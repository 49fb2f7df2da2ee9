import { buffer } from 'node:stream/consumers'
import { fail } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { createIndirection } from '../../model/indirector/indirection.ts'
import type { Session } from '../../network/client/session.ts'
import { fileBucketFile } from '../../server/termini/file-bucket-file/index.ts'
import { filebucketIssues } from './issues.ts'

/** A file bucket, on this machine or on the server. */
export interface Bucket {
  /** Throws BUCKET_NOTHING. */
  get(sum: string): Promise<Uint8Array>
  has(sum: string): Promise<boolean>
  keep(sum: string, content: Uint8Array, path: string): Promise<void>
  /** The output of `diff -u` for two files in the bucket. */
  diff(from: string, to: string): Promise<Uint8Array>
}

/** Opens a bucket in a local directory. */
export function folderBucket(bucketdir: string, settings: Settings): Bucket {
  const { files, commands } = localSystem
  const services = { files, commands, settings: { ...settings, bucketdir } }
  const bucket = createIndirection(fileBucketFile, services, { terminus: 'file' })
  const { digest_algorithm: algorithm } = settings
  const find = async (key: string, diffWith?: string) => {
    const found = await bucket.find({ key: `${algorithm}/${key}`, diffWith })
    return found && buffer(found.content)
  }
  return {
    get: async (sum) => (await find(sum)) ?? fail(filebucketIssues.BUCKET_NOTHING, {}),
    has: async (sum) => (await find(sum)) !== undefined,
    async keep(sum, content, path) {
      await files.makeDirectory(bucketdir, 0o750)
      await bucket.save({ size: content.length, content: only(content) }, { key: `${algorithm}/${sum}/${path}` })
    },
    diff: async (from, to) => (await find(from, to)) ?? fail(filebucketIssues.BUCKET_NOTHING, {}),
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Opens the bucket of the server. */
export function serverBucket({ bucket }: Session, settings: Settings): Bucket {
  const { digest_algorithm: algorithm, environment } = settings
  const key = (sum: string) => `${algorithm}/${sum}`
  return {
    get: async (sum) => (await bucket.find(key(sum), { environment })) ?? fail(filebucketIssues.BUCKET_NOTHING, {}),
    has: (sum) => bucket.has(key(sum), { environment }),
    // Without the leading slash: the server stores the paths of agents in this form.
    keep: (sum, content, path) => bucket.save(`${key(sum)}/${path.replace(/^\/+/, '')}`, content, { environment }),
    diff: async (from, to) =>
      (await bucket.find(key(from), { environment, diffWith: to })) ?? fail(filebucketIssues.BUCKET_NOTHING, {}),
  }
}
