import { formatErrorReason } from '../../../../language/ruby-semantics/errno.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import type { FileWork } from './file-state.ts'

/** The content with a checksum, from the filebucket of the file's backups. */
export async function readFromBucket({ resource, buckets }: FileWork, checksum: string): Promise<Uint8Array> {
  const bucket = resource.get('backup')
  try {
    if (!bucket || bucket.startsWith('.') || !buckets.find)
      return failWithFormError('Could not get filebucket from file')
    const [, algorithm, sum = ''] = /^\{(\w{3,10})\}(\S+)/.exec(checksum) ?? []
    return await buckets.find(bucket, { algorithm, sum })
  } catch (error) {
    return failWithMessage(`Could not retrieve content for ${checksum} from filebucket: ${formatErrorReason(error)}`)
  }
}
