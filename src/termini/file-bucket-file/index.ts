import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { budgets } from '../../base/budgets.ts'
import { fail } from '../../base/issue.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import type { Files } from '../../system/system.ts'
import { bucketIssues } from './issues.ts'
import { Uploads } from './uploads.ts'

/** What the terminus of the bucket needs. */
export interface BucketServices {
  readonly files: Files
  readonly settings: {
    readonly bucketdir: string
    readonly digest_algorithm: string
    readonly bucket_max_file_size: number
    readonly bucket_min_free_space: number
  }
}

/** A file as it comes or goes: never whole in memory. */
export interface BucketFile {
  /** In bytes; of one that comes, what its sender says. */
  readonly size: number
  /** To be read once; nothing is opened before. */
  readonly content: AsyncIterable<Uint8Array>
}

const hexLengths: Readonly<Record<string, number>> = { md5: 32, sha224: 56, sha256: 64, sha384: 96, sha512: 128 }

/** Old versions of files, by `ALGORITHM/CHECKSUM[/ORIGINAL/PATH]`, laid out as Puppet's bucket is. */
export const fileBucketFile: IndirectionDefinition<BucketFile, BucketServices> = {
  name: 'file_bucket_file',
  doc: 'Old versions of files that agents changed.',
  selector: 'file',
  termini: {
    file: {
      doc: 'A folder for each checksum: `contents`, and `paths` where it was found.',
      create({ files, settings }) {
        const uploads = new Uploads(files, settings)
        const changes = new Map<string, Promise<void>>()
        const place = (sum: string) => join(settings.bucketdir, ...sum.slice(0, 8), sum)
        const pathsOf = async (sum: string) =>
          ((await files.readText(join(place(sum), 'paths'))) ?? '').split('\n').filter(Boolean)
        const note = async (sum: string, path: string) => {
          const paths = await pathsOf(sum)
          if (!paths.includes(path)) await files.write(join(place(sum), 'paths'), listOf([...paths, path]), 0o640)
        }
        return {
          async find({ key }) {
            const { sum, path } = parseKey(key, settings.digest_algorithm)
            if (path !== undefined && !(await pathsOf(sum)).includes(path)) return undefined
            const contents = join(place(sum), 'contents')
            const stat = await files.stat(contents)
            return stat?.kind === 'file' ? { size: stat.size, content: contentOf(contents) } : undefined
          },
          /** By the checksum that the bytes have, not the one that the URL says. Puppet: file_bucket_file/file.rb. */
          async save(file, { key }) {
            const { path } = parseKey(key, settings.digest_algorithm)
            await uploads.receive(file, ({ sum, temporary, size }) =>
              oneByOne(changes, sum, async () => {
                await keep(files, { place: place(sum), temporary, size })
                if (path !== undefined) await note(sum, path)
              }),
            )
          },
        }
      },
    },
  },
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
}

/** One that is there already, and whole, stays. */
async function keep(
  files: Files,
  upload: { readonly place: string; readonly temporary: string; readonly size: number },
) {
  const { place, temporary, size } = upload
  await files.makeDirectory(place, 0o750)
  const contents = join(place, 'contents')
  if ((await files.stat(contents))?.size === size) return
  await files.rename(temporary, contents)
  await files.sync(place)
}

/** Changes of one and the same file, one after the other: each finds what the one before it wrote. */
async function oneByOne(changes: Map<string, Promise<void>>, name: string, work: () => Promise<void>): Promise<void> {
  const mine = (changes.get(name) ?? Promise.resolve()).then(work)
  const settled = mine.catch(() => {})
  changes.set(name, settled)
  await settled
  if (changes.get(name) === settled) changes.delete(name)
  return mine
}

/** The newest of the paths, a line each, as many as there is room for. */
function listOf(paths: readonly string[]): string {
  let room: number = budgets.request.bucketPaths.bound
  const first = paths.findLastIndex((path) => {
    room -= Buffer.byteLength(path) + 1
    return room < 0
  })
  return paths
    .slice(first + 1)
    .map((path) => `${path}\n`)
    .join('')
}

function parseKey(key: string, algorithm: string): { readonly sum: string; readonly path: string | undefined } {
  const [type = '', sum = '', ...rest] = key.split('/')
  if (type !== algorithm) fail(bucketIssues.BUCKET_CHECKSUM_TYPE, { type })
  if (!/^[0-9a-f]+$/.test(sum) || sum.length !== hexLengths[type]) fail(bucketIssues.BUCKET_CHECKSUM, { sum })
  const path = rest.join('/')
  return { sum, path: path === '' ? undefined : path }
}
