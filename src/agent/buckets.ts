import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Buckets } from '../resources/provider.ts'
import type { Files } from '../system/system.ts'
import type { AppliedCatalog } from './applied-catalog.ts'

/** Buckets on this machine, in Puppet's layout: eight folders of one digit, the sum, and in it contents and paths. */
export function localBuckets(files: Files, catalog: AppliedCatalog, standard: string): Buckets {
  return {
    async backup(bucket, path, content) {
      const resource = catalog.find('filebucket', bucket)
      if (!resource) return undefined
      const folder = resource.value('path')
      const sum = createHash('sha256').update(content).digest('hex')
      const place = join(typeof folder === 'string' ? folder : standard, ...sum.slice(0, 8), sum)
      await keep(files, place, path, content)
      return { name: bucket, sum }
    },
  }
}

async function keep(files: Files, place: string, path: string, content: Uint8Array): Promise<void> {
  await files.makeDirectory(place, 0o770)
  const contents = join(place, 'contents')
  if (!(await files.stat(contents))) await files.write(contents, content, 0o440)
  const paths = join(place, 'paths')
  const known = ((await files.readText(paths)) ?? '').split('\n').filter(Boolean)
  if (!known.includes(path)) await files.write(paths, `${[...known, path].join('\n')}\n`, 0o640)
}
