import { buffer } from 'node:stream/consumers'
import { throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { createIndirection } from '../../model/indirector/indirection.ts'
import type { Session } from '../../network/client/session.ts'
import { fileBucketFile } from '../../server/termini/file-bucket-file/index.ts'
import { filebucketIssues } from './issues.ts'

/** A file bucket, on this machine or on the server. */
export interface Bucket {
  /** Returns the content of a file. Throws BUCKET_NOTHING if the bucket does not contain it. */
  get(sum: string): Promise<Uint8Array>
  has(sum: string): Promise<boolean>
  keep(sum: string, content: Uint8Array, path: string): Promise<void>
  /** The output of `diff -u` for two files in the bucket. */
  diff(from: string, to: string): Promise<Uint8Array>
}

/** Opens a bucket in a local directory. */
export function openFolderBucket(bucketdir: string, settings: Settings): Bucket {
  const { files, commands } = localSystem
  const services = { files, commands, settings: { ...settings, bucketdir } }
  const bucket = createIndirection(fileBucketFile, services, { terminus: 'file' })
  const { digest_algorithm: algorithm } = settings
  const findContent = async (key: string, diffWith?: string) => {
    const found = await bucket.find({ key: `${algorithm}/${key}`, diffWith })
    return found && buffer(found.content)
  }
  return {
    get: async (sum) => (await findContent(sum)) ?? throwIssue(filebucketIssues.BUCKET_NOTHING, {}),
    has: async (sum) => (await findContent(sum)) !== undefined,
    async keep(sum, content, path) {
      await files.makeDirectory(bucketdir, 0o750)
      await bucket.save({ size: content.length, content: streamBytes(content) }, { key: `${algorithm}/${sum}/${path}` })
    },
    diff: async (from, to) => (await findContent(from, to)) ?? throwIssue(filebucketIssues.BUCKET_NOTHING, {}),
  }
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Opens the bucket of the server. */
export function openServerBucket({ bucket }: Session, settings: Settings): Bucket {
  const { digest_algorithm: algorithm, environment } = settings
  const getBucketKey = (sum: string) => `${algorithm}/${sum}`
  return {
    get: async (sum) =>
      (await bucket.find(getBucketKey(sum), { environment })) ?? throwIssue(filebucketIssues.BUCKET_NOTHING, {}),
    has: (sum) => bucket.has(getBucketKey(sum), { environment }),
    // The leading slash is removed: the server stores the paths of agents in this form.
    keep: (sum, content, path) =>
      bucket.save(`${getBucketKey(sum)}/${path.replace(/^\/+/, '')}`, content, { environment }),
    diff: async (from, to) =>
      (await bucket.find(getBucketKey(from), { environment, diffWith: to })) ??
      throwIssue(filebucketIssues.BUCKET_NOTHING, {}),
  }
}
