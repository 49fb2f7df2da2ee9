import { createHash } from 'node:crypto'
import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  isExactObject,
} from '../base/json/exact-json.ts'
import { compareCodeUnits } from '../base/text/code-unit-order.ts'
import type { Catalog } from './catalog.ts'
import type { FileMetadata } from './file-metadata.ts'

/** Parameter name that a comparison displays for changed source content of a File resource. */
export const sourceContent = 'content of source'

/** A File resource whose source content differs in the newer catalog. */
export interface ChangedFile {
  readonly title: string
  /** Checksums in the format of file metadata: `{sha256}5866…`. */
  readonly from: string
  readonly to: string
}

/** Checksum types that depend on the time of the commit, and not on the content. */
const timeTypes = ['mtime', 'ctime']

/**
 * Returns the checksums of the files that File resources in a static catalog copy, by title of the resource. A
 * recursive source has one checksum: the SHA-256 of the relative paths and checksums of its files. Undefined for a
 * catalog without metadata.
 */
export function listSourcedFiles({
  metadata,
  recursiveMetadata,
}: Pick<Catalog, 'metadata' | 'recursiveMetadata'>): ExactObject | undefined {
  const files = [...metadata]
    .filter(([, { type, checksum }]) => type !== 'directory' && !timeTypes.includes(checksum.type))
    .map(([title, file]) => [title, getContentId(file)] as const)
  const trees = Array.from(
    recursiveMetadata,
    ([title, sources]) => [title, computeTreeChecksum([...sources.values()])] as const,
  )
  return files.length + trees.length === 0 ? undefined : createExactObject([...files, ...trees])
}

/**
 * Compares the checksums in two catalogs. Omits a title if one catalog has no checksum for it, or if the types of the
 * checksums differ.
 */
export function findChangedFiles(before: ExactJson | undefined, after: ExactJson | undefined): readonly ChangedFile[] {
  if (!isExactObject(before) || !isExactObject(after)) return []
  const old = new Map(getEntries(before))
  return Array.from(getEntries(after)).flatMap(([title, to]) => {
    const from = old.get(title)
    if (typeof from !== 'string' || typeof to !== 'string' || from === to) return []
    return areComparable(getChecksumType(from), getChecksumType(to)) ? [{ title, from, to }] : []
  })
}

/** Returns the checksum of a file, or the target of a link. */
function getContentId({ destination, checksum }: FileMetadata): string {
  return destination ?? checksum.value
}

/** @param sources The files of each source, in the order of the parameter. */
function computeTreeChecksum(sources: readonly (readonly FileMetadata[])[]): string {
  const types = new Set<string>()
  const listings = sources.map((files) =>
    files
      .filter(({ type }) => type !== 'directory')
      .map((file) => {
        const isTime = timeTypes.includes(file.checksum.type)
        if (!isTime && file.checksum.type !== 'none') types.add(file.checksum.type)
        return [file.relativePath ?? '', isTime ? '' : getContentId(file)] as const
      })
      .sort(([a], [b]) => compareCodeUnits(a, b)),
  )
  const digest = createHash('sha256').update(JSON.stringify(listings)).digest('hex')
  return types.size === 0 ? digest : `{tree of ${[...types].sort().join(',')}}${digest}`
}

/**
 * Returns the type of a checksum, such as `{sha256}` for `{sha256}5866…`; empty for the target of a link, and for a
 * file without checksum.
 */
function getChecksumType(checksum: string): string {
  return checksum.startsWith('{') && checksum !== '{none}' ? checksum.slice(0, checksum.indexOf('}') + 1) : ''
}

/** Returns false for checksums with different algorithms, which differ even for equal files. */
function areComparable(from: string, to: string): boolean {
  return from === to || from === '' || to === ''
}
