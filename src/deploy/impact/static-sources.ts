import type { Catalog, Resource } from '../../model/catalog.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'

/** Paths of a file in the old and in the new code. */
export interface FilePair {
  readonly from: string
  readonly to: string
}

/**
 * Returns the paths of files that a File resource references in both static catalogs, under the
 * names used by `model/catalog-diff.ts` for their digests.
 */
export function listFilePairs({ type, title }: Resource, from: Catalog, to: Catalog): ReadonlyMap<string, FilePair> {
  if (type !== 'File') return new Map()
  const [before, after] = [listFilePaths(title, from), listFilePaths(title, to)]
  return new Map(
    [...after].flatMap(([name, path]) => {
      const old = before.get(name)
      return old === undefined ? [] : [[name, { from: old, to: path }] as const]
    }),
  )
}

function listFilePaths(title: string, { metadata, recursiveMetadata }: Catalog): ReadonlyMap<string, string> {
  const own = metadata.get(title)
  const below = [...(recursiveMetadata.get(title)?.values() ?? [])].flat()
  const all = [...(own ? [['content of source', own] as const] : []), ...below.map(nameContent)]
  return new Map(
    all.flatMap(([name, file]) => {
      const path = file.type === 'file' ? getTreePath(file) : undefined
      return path === undefined ? [] : [[name, path] as const]
    }),
  )
}

function nameContent(file: FileMetadata): readonly [string, FileMetadata] {
  return [`content of ${file.relativePath}`, file]
}

/**
 * Returns the path of a file in the code, from a URI such as
 * `puppet://server/modules/demo/files/a.txt`.
 */
function getTreePath({ contentUri = '' }: FileMetadata): string | undefined {
  return /^puppet:\/\/[^/]*\/(.+)$/s.exec(contentUri)?.[1]
}
