import { reasonText } from '../../../../language/ruby-semantics/errno.ts'
import { complain, complainAboutForm } from '../../issues.ts'
import type { FileWork } from './file-work.ts'

/** The content with a checksum, from the filebucket of the file's backups. */
export async function fromBucket({ resource, buckets }: FileWork, checksum: string): Promise<Uint8Array> {
  const bucket = resource.get('backup')
  try {
    if (!bucket || bucket.startsWith('.') || !buckets.find)
      return complainAboutForm('Could not get filebucket from file')
    const [, algorithm, sum = ''] = /^\{(\w{3,10})\}(\S+)/.exec(checksum) ?? []
    return await buckets.find(bucket, { algorithm, sum })
  } catch (error) {
    return complain(`Could not retrieve content for ${checksum} from filebucket: ${reasonText(error)}`)
  }
}
