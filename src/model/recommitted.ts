import { type CatalogHead, catalogHead, identify, noUuid } from './catalog-text.ts'

/** The values in a catalog that a commit alone decides. */
export interface CommitOfCatalog extends Pick<CatalogHead, 'version' | 'codeId'> {
  /** The time of the commit as metadata of folders has it. */
  readonly time: string
}

/** A catalog's text without the values that a commit alone decides. */
export interface UncommittedCatalog extends Pick<CatalogHead, 'tags' | 'name'> {
  /** The bytes after the head. */
  readonly rest: Uint8Array
  /** Places of the commit's time in `rest`. */
  readonly times: readonly number[]
}

/** A catalog's text as it would be for any commit. `metadataAt` is where metadata begin in the bytes. */
export function uncommitted(
  bytes: Uint8Array<ArrayBuffer>,
  head: CatalogHead,
  { metadataAt, time }: { readonly metadataAt: number; readonly time: string },
): UncommittedCatalog {
  const start = Buffer.byteLength(catalogHead(head))
  const rest = Buffer.from(bytes.buffer, start)
  const times: number[] = []
  for (const type of ['ctime', 'mtime']) {
    // A quote within a text is escaped: so these are members.
    const before = `"value":"{${type}}`
    const value = `${before}${time}"`
    for (let at = rest.indexOf(value, metadataAt - start); at !== -1; at = rest.indexOf(value, at + 1))
      times.push(at + before.length)
  }
  return { tags: head.tags, name: head.name, rest, times }
}

/** A catalog for a commit. */
export interface RecommittedCatalog {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Size of the part that differs from commit to commit, but for the times in the rest. */
  readonly headSize: number
  readonly catalogUuid: string
}

/** The bytes of a catalog for a commit, and their UUID. */
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
