import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { defineIssues, fail } from '../../base/issue.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import type { Files } from '../../system/system.ts'

/** What the terminus of the bucket needs. */
export interface BucketServices {
  readonly files: Files
  readonly settings: { readonly bucketdir: string; readonly digest_algorithm: string }
}

const issues = defineIssues({
  BUCKET_CHECKSUM_TYPE: { text: (a: { type: string }) => `Unsupported checksum type ${JSON.stringify(a.type)}` },
  BUCKET_CHECKSUM: { text: (a: { sum: string }) => `Invalid checksum ${JSON.stringify(a.sum)}` },
})

const slice = 1024 * 1024

const hexLengths: Readonly<Record<string, number>> = { md5: 32, sha224: 56, sha256: 64, sha384: 96, sha512: 128 }

/** Old versions of files, by `ALGORITHM/CHECKSUM[/ORIGINAL/PATH]`, laid out as Puppet's bucket is. */
export const fileBucketFile: IndirectionDefinition<Uint8Array, BucketServices> = {
  name: 'file_bucket_file',
  doc: 'Old versions of files that agents changed.',
  termini: {
    file: {
      doc: 'A folder for each checksum: `contents`, and `paths` where it was found.',
      create({ files, settings }) {
        const place = (sum: string) => join(settings.bucketdir, ...sum.slice(0, 8), sum)
        const pathsOf = async (sum: string) => ((await files.readText(join(place(sum), 'paths'))) ?? '').split('\n')
        return {
          async find({ key }) {
            const { sum, path } = parseKey(key, settings.digest_algorithm)
            if (path !== undefined && !(await pathsOf(sum)).includes(path)) return undefined
            return files.read(join(place(sum), 'contents'))
          },
          /** By the checksum that the bytes have, not the one that the URL says. Puppet: file_bucket_file/file.rb. */
          async save(content, { key }) {
            const { path } = parseKey(key, settings.digest_algorithm)
            const sum = await digestOf(content, settings.digest_algorithm)
            await files.makeDirectory(place(sum), 0o750)
            const contents = join(place(sum), 'contents')
            if (!(await files.stat(contents))) await files.write(contents, content, 0o440)
            const paths = await pathsOf(sum)
            if (path === undefined || paths.includes(path)) return
            await files.write(join(place(sum), 'paths'), [...paths.filter(Boolean), path, ''].join('\n'), 0o640)
          },
        }
      },
    },
  },
}

/** In slices, so that others have their turn while a large file is summed. */
async function digestOf(content: Uint8Array, algorithm: string): Promise<string> {
  const hash = createHash(algorithm)
  for (let start = 0; start < content.length; start += slice) {
    if (start > 0) await setImmediate()
    hash.update(content.subarray(start, start + slice))
  }
  return hash.digest('hex')
}

function parseKey(key: string, algorithm: string): { readonly sum: string; readonly path: string | undefined } {
  const [type = '', sum = '', ...rest] = key.split('/')
  if (type !== algorithm) fail(issues.BUCKET_CHECKSUM_TYPE, { type })
  if (!/^[0-9a-f]+$/.test(sum) || sum.length !== hexLengths[type]) fail(issues.BUCKET_CHECKSUM, { sum })
  const path = rest.join('/')
  return { sum, path: path === '' ? undefined : path }
}
