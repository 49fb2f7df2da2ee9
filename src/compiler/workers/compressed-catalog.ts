import { createHash } from 'node:crypto'
import { type CompressedTail, combineGzipParts, compressTail } from '../../base/bytes/gzip-parts.ts'
import { buildCommittedCatalog, type CatalogCommit, type UncommittedCatalog } from '../../model/commit-values.ts'

/** A recalled catalog for one commit, compressed once and used for all requests. */
export interface CompressedCatalog {
  /** The text compressed with gzip, in shared memory. */
  readonly gzipped: Uint8Array
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string
  readonly catalogUuid: string
}

interface Made {
  readonly commit: CatalogCommit
  /** The compressed end of the text, for reuse with other commits: it depends at most on the time of the commit. */
  readonly end: CompressedTail
  readonly compressed: CompressedCatalog
}

/** The last compressed form of each catalog in memory. */
const made = new WeakMap<UncommittedCatalog, Made>()

/** Compression level; the same level is used for replies that are compressed for a single request. */
const level = 3

/**
 * Returns the compressed text of a recalled catalog for a commit. Reuses most of the compressed text for another
 * commit.
 */
export function compressCatalog(text: UncommittedCatalog, commit: CatalogCommit): CompressedCatalog {
  const known = made.get(text)
  if (known && isSameCommit(known.commit, commit)) return known.compressed
  const { bytes, headSize, catalogUuid } = buildCommittedCatalog(text, commit)
  const hasEnd = known && (text.times.length === 0 || known.commit.time === commit.time)
  const end = hasEnd ? known.end : compressTail(bytes.subarray(headSize), level)
  const compressed = {
    gzipped: copyToSharedMemory(combineGzipParts(bytes.subarray(0, headSize), end)),
    digest: createHash('sha256').update(bytes).digest('hex'),
    catalogUuid,
  }
  made.set(text, { commit, end, compressed })
  return compressed
}

function isSameCommit(one: CatalogCommit, other: CatalogCommit): boolean {
  return one.version === other.version && one.codeId === other.codeId && one.time === other.time
}

/** Returns a copy in shared memory, so that other threads need no copy of their own. */
function copyToSharedMemory(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
