import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { KeyedSlots } from '../../../base/threads/keyed-slots.ts'
import type { Commands, Files } from '../../../machine/system/system.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { Comparisons, type ContentFile } from './comparisons.ts'
import { bucketIssues } from './issues.ts'
import { rest } from './rest.ts'
import { Uploads } from './uploads.ts'

/** Dependencies of the bucket termini. */
export interface BucketServices extends RemoteServices {
  readonly files: Files
  /** Runs the program `diff`. */
  readonly commands: Pick<Commands, 'run'>
  readonly settings: {
    readonly bucketdir: string
    readonly digest_algorithm: string
    readonly bucket_max_file_size: number
    readonly bucket_min_free_space: number
  }
}

/** Request for a bucket file. */
export interface BucketRequest extends Request {
  /** Checksum of another bucket file to compare with. */
  readonly diffWith?: string | undefined
  /** True if the request needs only the existence and size of the file. */
  readonly head?: boolean
}

/** A file as a stream, never entirely in memory. */
export interface BucketFile {
  /** Size in bytes; for an upload, the size claimed by the sender; `undefined` if unknown. */
  readonly size: number | undefined
  /** The bytes of the file as a stream that can be read once. The file is opened at the first read. */
  readonly content: AsyncIterable<Uint8Array>
}

const hexLengths: Readonly<Record<string, number>> = { md5: 32, sha224: 56, sha256: 64, sha384: 96, sha512: 128 }

/**
 * Old versions of files, by `ALGORITHM/CHECKSUM[/ORIGINAL/PATH]`, in the layout of Puppet's bucket.
 */
export const fileBucketFile: IndirectionDefinition<BucketFile, BucketServices, BucketRequest> = {
  name: 'file_bucket_file',
  doc: 'Earlier versions of files that agents changed.',
  selector: 'file',
  termini: {
    file: {
      doc: 'Stores each file in a directory named by its checksum: `contents`, and `paths` with its original paths.',
      create({ files, commands, settings }) {
        const uploads = new Uploads(files, settings)
        const comparisons = new Comparisons(commands)
        // The changes of one file run one after another, so that each sees the result of the previous change.
        const changes = new KeyedSlots({ atOnce: Number.POSITIVE_INFINITY, ofOne: { atOnce: 1 } })
        const getBucketPath = (sum: string) => join(settings.bucketdir, ...sum.slice(0, 8), sum)
        const readPaths = async (sum: string) =>
          ((await files.readText(join(getBucketPath(sum), 'paths'))) ?? '').split('\n').filter(Boolean)
        const recordPath = async (sum: string, path: string) => {
          const paths = await readPaths(sum)
          if (!paths.includes(path))
            await files.write(join(getBucketPath(sum), 'paths'), formatPaths([...paths, path]), 0o640)
        }
        const findContents = async (sum: string): Promise<ContentFile | undefined> => {
          const path = join(getBucketPath(sum), 'contents')
          const stat = await files.stat(path)
          if (stat?.kind !== 'file') return undefined
          if (!(await isIntact(path, sum, settings.digest_algorithm))) throwIssue(bucketIssues.BUCKET_DAMAGED, { sum })
          return { path, size: stat.size }
        }
        return {
          async find({ key, diffWith }) {
            const { sum, path } = parseKey(key, settings.digest_algorithm)
            if (path !== undefined && !(await readPaths(sum)).includes(path)) return undefined
            const found = await findContents(sum)
            if (!found) return undefined
            if (diffWith === undefined) return { size: found.size, content: streamContent(found.path) }
            const other = isChecksum(diffWith, settings.digest_algorithm) ? await findContents(diffWith) : undefined
            if (!other) throwIssue(bucketIssues.BUCKET_DIFF_MISSING, { sum: diffWith })
            const difference = await comparisons.compare(found, other)
            return { size: difference.length, content: yieldBytes(difference) }
          },
          /**
           * The file is stored under its computed checksum, not under the checksum in the URL. Puppet:
           * file_bucket_file/file.rb.
           */
          async save(file, { key }) {
            const { path } = parseKey(key, settings.digest_algorithm)
            await uploads.receive(file, ({ sum, temporary }) =>
              changes.run(sum, async () => {
                await storeUpload(files, {
                  place: getBucketPath(sum),
                  temporary,
                  sum,
                  algorithm: settings.digest_algorithm,
                })
                if (path !== undefined) await recordPath(sum, path)
              }),
            )
          },
        }
      },
    },
    rest,
  },
}

async function* yieldBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* streamContent(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
}

/** Reads the file and compares its checksum, to detect corruption on disk. */
async function isIntact(path: string, sum: string, algorithm: string): Promise<boolean> {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex') === sum
}

interface StoredUpload {
  readonly place: string
  readonly temporary: string
  readonly sum: string
  readonly algorithm: string
}

/** Moves an upload into the bucket, unless an intact copy exists. */
async function storeUpload(files: Files, { place, temporary, sum, algorithm }: StoredUpload) {
  await files.makeDirectory(place, 0o750)
  const contents = join(place, 'contents')
  if ((await files.stat(contents))?.kind === 'file' && (await isIntact(contents, sum, algorithm))) return
  await files.rename(temporary, contents)
  await files.sync(place)
}

/** The newest paths, one per line, within the size limit. */
function formatPaths(paths: readonly string[]): string {
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

function isChecksum(sum: string, algorithm: string): boolean {
  return /^[0-9a-f]+$/.test(sum) && sum.length === hexLengths[algorithm]
}

function parseKey(key: string, algorithm: string): { readonly sum: string; readonly path: string | undefined } {
  const [type = '', sum = '', ...rest] = key.split('/')
  if (type !== algorithm) throwIssue(bucketIssues.BUCKET_CHECKSUM_TYPE, { type })
  if (!isChecksum(sum, type)) throwIssue(bucketIssues.BUCKET_CHECKSUM, { sum })
  const path = rest.join('/')
  return { sum, path: path === '' ? undefined : path }
}
