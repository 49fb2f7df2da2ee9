import { type CatalogHead, catalogHead, identify, noUuid } from './catalog-text.ts'

/** The values in a catalog that depend only on the commit. */
export interface CommitOfCatalog extends Pick<CatalogHead, 'version' | 'codeId'> {
  /** The commit's time, in the format of directory metadata. */
  readonly time: string
}

/** A catalog's text without the values that depend only on the commit. */
export interface UncommittedCatalog extends Pick<CatalogHead, 'tags' | 'name'> {
  /** The bytes after the head. */
  readonly rest: Uint8Array
  /** Offsets of the commit's time in `rest`. */
  readonly times: readonly number[]
}

/**
 * Removes the commit's values from a catalog's text. `metadataAt` is the offset in `bytes` at which
 * the file metadata starts.
 */
export function uncommitted(
  bytes: Uint8Array<ArrayBuffer>,
  head: CatalogHead,
  { metadataAt, time }: { readonly metadataAt: number; readonly time: string },
): UncommittedCatalog {
  const start = Buffer.byteLength(catalogHead(head))
  const rest = Buffer.from(bytes.buffer, start)
  const times: number[] = []
  for (const type of ['ctime', 'mtime']) {
    // Quotes inside strings are escaped, so that this text can only be a member of an object.
    const before = `"value":"{${type}}`
    const value = `${before}${time}"`
    for (let at = rest.indexOf(value, metadataAt - start); at !== -1; at = rest.indexOf(value, at + 1))
      times.push(at + before.length)
  }
  return { tags: head.tags, name: head.name, rest, times }
}

/** A catalog's text for a commit. */
export interface RecommittedCatalog {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Bytes of the head, which differs between commits. After it, only the times differ. */
  readonly headSize: number
  readonly catalogUuid: string
}

/** Builds the text of a catalog for a commit, with its UUID. */
export function recommitted(
  { tags, name, rest, times }: UncommittedCatalog,
  { version, codeId, time }: CommitOfCatalog,
): RecommittedCatalog {
  const head = catalogHead({ tags, name, version, codeId, catalogUuid: noUuid })
  const headSize = Buffer.byteLength(head)
  const buffer = Buffer.from(new ArrayBuffer(headSize + rest.length))
  buffer.write(head)
  buffer.set(rest, headSize)
  for (const at of times) buffer.write(time, headSize + at)
  const bytes = new Uint8Array(buffer.buffer)
  return { bytes, headSize, catalogUuid: identify(bytes, { tags, name, version, codeId }) }
}
