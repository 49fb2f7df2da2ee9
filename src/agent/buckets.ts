import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'
import type { Buckets } from '../resources/provider.ts'
import type { Files } from '../system/system.ts'
import type { AppliedCatalog } from './applied-catalog.ts'
import type { Log } from './log.ts'

const issues = defineIssues({
  NO_SUCH_BUCKET: {
    text: (a: { bucket: string }) => `Could not find filebucket ${a.bucket} specified in backup`,
  },
  INVALID_BUCKET_SUM: { text: (a: { sum: string }) => `Invalid checksum ${JSON.stringify(a.sum)}` },
  NOT_IN_BUCKET: { text: (_: object) => 'File not found' },
  // Puppet hands the wrong bytes out.
  DAMAGED_BACKUP: { text: (a: { sum: string }) => `The backup does not match its expected sum, ${a.sum}` },
})

/** Buckets on this machine, in Puppet's layout: eight folders of one digit, the sum, and in it contents and paths. */
export function localBuckets(files: Files, catalog: AppliedCatalog, standard: string, log: Log): Buckets {
  const folderOf = (bucket: string): string | undefined => {
    const resource = catalog.find('filebucket', bucket)
    if (!resource) return undefined
    const folder = resource.value('path')
    return typeof folder === 'string' ? folder : standard
  }
  return {
    async backup(bucket, path, content) {
      const sum = sumOf(content)
      const folder = folderOf(bucket)
      if (folder === undefined) return undefined
      const place = await makePlace(files, folder, sum)
      await keepContent({ files, place, sum, content, log })
      await notePath(files, place, path)
      return { name: bucket, sum }
    },
    async find(bucket, sum) {
      if (!/^[0-9a-f]{64}$/.test(sum)) fail(issues.INVALID_BUCKET_SUM, { sum })
      const folder = folderOf(bucket) ?? fail(issues.NO_SUCH_BUCKET, { bucket })
      const content = (await files.read(join(folder, ...partsOf(sum), 'contents'))) ?? fail(issues.NOT_IN_BUCKET, {})
      if (sumOf(content) !== sum) fail(issues.DAMAGED_BACKUP, { sum })
      log.info(`FileBucket read ${sum}`)
      return content
    },
  }
}

const sumOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const partsOf = (sum: string): readonly string[] => [...sum.slice(0, 8), sum]

/** Makes the folder of a sum, and those above it, for their owner and group alone. */
async function makePlace(files: Files, folder: string, sum: string): Promise<string> {
  let place = folder
  for (const part of ['', ...partsOf(sum)]) {
    place = join(place, part)
    await files.makeDirectory(place, 0o770)
  }
  return place
}

interface Backup {
  readonly files: Files
  readonly place: string
  readonly sum: string
  readonly content: Uint8Array
  readonly log: Log
}

/** Keeps the bytes; of those that are there already none that are whole are touched (Puppet: PUP-1334). */
async function keepContent({ files, place, sum, content, log }: Backup): Promise<void> {
  const contents = join(place, 'contents')
  const known = await files.read(contents)
  if (known && sumOf(known) === sum) return
  if (known)
    log.warning(`Existing backup does not match its expected sum, {sha256}${sum}. Overwriting corrupted backup.`)
  await files.write(contents, content, 0o440)
}

async function notePath(files: Files, place: string, path: string): Promise<void> {
  const paths = join(place, 'paths')
  const known = ((await files.readText(paths)) ?? '').split('\n').filter(Boolean)
  if (known.includes(path)) return
  const mode = (await files.stat(paths))?.mode ?? 0o640
  await files.write(paths, `${[...known, path].join('\n')}\n`, mode)
}
