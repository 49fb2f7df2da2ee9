import { type CatalogHead, computeCatalogUuid, formatCatalogHead, noUuid } from './catalog-text.ts'

/** The values in a catalog that depend only on the commit. */
export interface CatalogCommit extends Pick<CatalogHead, 'version' | 'codeId'> {
  /** The commit's time, in the format of directory metadata. */
  readonly time: string
}

/** The text of a catalog, without the values that depend only on the commit. */
export interface UncommittedCatalog extends Pick<CatalogHead, 'tags' | 'name'> {
  /** The bytes that follow the head. */
  readonly rest: Uint8Array
  /** Offsets in `rest` at which the time of the commit is written. */
  readonly times: readonly number[]
}

/**
 * Removes the values that depend on the commit from a catalog's text. `metadataAt` is the offset in `bytes` at which
 * the file metadata starts.
 */
export function removeCommitValues(
  bytes: Uint8Array<ArrayBuffer>,
  head: CatalogHead,
  { metadataAt, time }: { readonly metadataAt: number; readonly time: string },
): UncommittedCatalog {
  const start = Buffer.byteLength(formatCatalogHead(head))
  const rest = Buffer.from(bytes.buffer, start)
  const times: number[] = []
  for (const type of ['ctime', 'mtime']) {
    // Quotation marks in strings are escaped, so a match of this text is always a member of an object.
    const before = `"value":"{${type}}`
    const value = `${before}${time}"`
    for (let at = rest.indexOf(value, metadataAt - start); at !== -1; at = rest.indexOf(value, at + 1))
      times.push(at + before.length)
  }
  return { tags: head.tags, name: head.name, rest, times }
}

/** The text of a catalog for one commit. */
export interface CommittedCatalog {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Length of the head in bytes. The head differs between commits; in the bytes after it, only the times differ. */
  readonly headSize: number
  readonly catalogUuid: string
}

/** Builds the text of a catalog for a commit, with its UUID. */
export function buildCommittedCatalog(
  { tags, name, rest, times }: UncommittedCatalog,
  { version, codeId, time }: CatalogCommit,
): CommittedCatalog {
  const head = formatCatalogHead({ tags, name, version, codeId, catalogUuid: noUuid })
  const headSize = Buffer.byteLength(head)
  const buffer = Buffer.from(new ArrayBuffer(headSize + rest.length))
  buffer.write(head)
  buffer.set(rest, headSize)
  for (const at of times) buffer.write(time, headSize + at)
  const bytes = new Uint8Array(buffer.buffer)
  return { bytes, headSize, catalogUuid: computeCatalogUuid(bytes, { tags, name, version, codeId }) }
}
