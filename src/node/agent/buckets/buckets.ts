import { join } from 'node:path'
import { Readable } from 'node:stream'
import { digestBytes, digestParts, getDigestRecipe } from '../../../base/bytes/digest.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { BackupContent, Buckets } from '../../resources/provider.ts'
import type { AppliedCatalog } from '../applied-catalog.ts'
import type { Log } from '../log.ts'
import type { BucketPlace, ServerBuckets } from './server-bucket.ts'

const issues = defineIssues({
  NO_SUCH_BUCKET: {
    text: (a: { bucket: string }) => `Could not find filebucket ${a.bucket} specified in backup`,
  },
  INVALID_BUCKET_SUM: { text: (a: { sum: string }) => `Invalid checksum ${JSON.stringify(a.sum)}` },
  NO_SERVER_BUCKET: { text: (_: object) => 'No server with a filebucket is available' },
  NOT_BACKED_UP: { text: (a: { path: string; why: string }) => `Could not back up ${a.path}: ${a.why}` },
  NOT_IN_BUCKET: { text: (_: object) => 'File not found' },
  // Puppet does not verify the checksum and returns the damaged bytes.
  DAMAGED_BACKUP: { text: (a: { sum: string }) => `The backup does not match its expected sum, ${a.sum}` },
})

/** Options for the filebuckets of a run: catalog, folders and servers. */
export interface BucketOptions {
  readonly files: Files
  readonly catalog: AppliedCatalog
  /** Folder of a bucket whose resource sets no path. */
  readonly standard: string
  /** The setting `digest_algorithm`. */
  readonly algorithm: string
  readonly environment: string
  /** Buckets on servers; if undefined, no server is contacted. */
  readonly servers: ServerBuckets | undefined
  readonly log: Log
}

type Place = { readonly folder: string } | BucketPlace

/** Filebuckets of a catalog, on this machine or on a server. */
export function createBuckets(options: BucketOptions): Buckets {
  const { files, algorithm, log } = options
  return {
    async backup(bucket, path, content) {
      const place = findBucketPlace(bucket, options)
      if (!place) return undefined
      const sum = await digestParts(await openChunks(content), getDigestRecipe(algorithm))
      if ('folder' in place) {
        const kept = await createContentFolder(files, place.folder, sum)
        await storeContent({ files, place: kept, sum, algorithm, content, log })
        await recordPath(files, kept, path)
      } else await uploadToServer(place, { sum, path, content }, options)
      return { name: bucket, sum }
    },
    async find(bucket, { algorithm: given = algorithm, sum }) {
      const place = findBucketPlace(bucket, options) ?? throwIssue(issues.NO_SUCH_BUCKET, { bucket })
      // All checksums in a folder use `digest_algorithm`, regardless of the prefix of the given
      // checksum. A server uses the algorithm of the prefix.
      const named = 'folder' in place ? algorithm : given
      if (sum.length !== hexLengths[named] || !/^[0-9a-f]{1,128}$/.test(sum))
        throwIssue(issues.INVALID_BUCKET_SUM, { sum })
      const found =
        'folder' in place
          ? await files.read(join(place.folder, ...splitChecksum(sum), 'contents'))
          : await fetchFromServer(place, `${named}/${sum}`, options)
      const content = found ?? throwIssue(issues.NOT_IN_BUCKET, {})
      if (digestBytes(content, getDigestRecipe(named)) !== sum) throwIssue(issues.DAMAGED_BACKUP, { sum })
      log.info(`FileBucket read ${sum}`)
      return content
    },
  }
}

/** Number of hex digits in a checksum, by algorithm. */
const hexLengths: Readonly<Record<string, number>> = { md5: 32, sha224: 56, sha256: 64, sha384: 96, sha512: 128 }

function findBucketPlace(bucket: string, { catalog, standard }: BucketOptions): Place | undefined {
  const resource = catalog.find('filebucket', bucket)
  if (!resource) return undefined
  const path = resource.value('path')
  if (typeof path === 'string') return { folder: path }
  if (path !== false) return { folder: standard }
  const [server, port] = [resource.value('server'), resource.value('port')]
  return {
    server: server === undefined ? undefined : String(server),
    port: port === undefined ? undefined : Number(port),
  }
}

async function fetchFromServer(place: BucketPlace, key: string, { servers, environment }: BucketOptions) {
  const ask = servers ?? throwIssue(issues.NO_SERVER_BUCKET, {})
  return ask(place, (bucket) => bucket.find(key, { environment }))
}

interface Upload {
  readonly sum: string
  readonly path: string
  readonly content: BackupContent
}

/** Uploads the bytes, unless the server already has them. Throws NOT_BACKED_UP. */
async function uploadToServer(
  place: BucketPlace,
  { sum, path, content }: Upload,
  options: BucketOptions,
): Promise<void> {
  const { servers, algorithm, environment } = options
  const ask = servers ?? throwIssue(issues.NO_SERVER_BUCKET, {})
  try {
    await ask(place, async (bucket) => {
      // As in Puppet, the path in the address has no leading slash.
      const key = `${algorithm}/${sum}/${path.replace(/^\/+/, '')}`
      if (!(await bucket.has(key, { environment })))
        await bucket.save(key, await toRequestBody(content), { environment })
    })
  } catch (error) {
    throwIssue(issues.NOT_BACKED_UP, { path, why: formatErrorReason(error) })
  }
}

async function openChunks(content: BackupContent): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  return content instanceof Uint8Array ? [content] : content.parts()
}

async function toRequestBody(content: BackupContent): Promise<Uint8Array | Readable> {
  return content instanceof Uint8Array ? content : Readable.from(await content.parts(), { objectMode: false })
}

const splitChecksum = (sum: string): readonly string[] => [...sum.slice(0, 8), sum]

/** Creates the folder for a checksum and its parent folders. Only the owner and the group can access them. */
async function createContentFolder(files: Files, folder: string, sum: string): Promise<string> {
  let place = folder
  for (const part of ['', ...splitChecksum(sum)]) {
    place = join(place, part)
    await files.makeDirectory(place, 0o770)
  }
  return place
}

interface Backup {
  readonly files: Files
  readonly place: string
  readonly sum: string
  readonly algorithm: string
  readonly content: BackupContent
  readonly log: Log
}

/** Writes the bytes. Existing intact content is not rewritten (Puppet: PUP-1334). */
async function storeContent({ files, place, sum, algorithm, content, log }: Backup): Promise<void> {
  const contents = join(place, 'contents')
  const known = await files.readParts(contents)
  if (known && (await digestParts(known, getDigestRecipe(algorithm))) === sum) return
  if (known)
    log.warning(`Existing backup does not match its expected sum, {${algorithm}}${sum}. Overwriting corrupted backup.`)
  await files.write(contents, content instanceof Uint8Array ? content : await toRequestBody(content), 0o440)
}

async function recordPath(files: Files, place: string, path: string): Promise<void> {
  const paths = join(place, 'paths')
  const known = ((await files.readText(paths)) ?? '').split('\n').filter(Boolean)
  if (known.includes(path)) return
  const mode = (await files.stat(paths))?.mode ?? 0o640
  await files.write(paths, `${[...known, path].join('\n')}\n`, mode)
}
