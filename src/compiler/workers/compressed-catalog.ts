import { createHash } from 'node:crypto'
import { gzipBefore, type PackedEnd, packEnd } from '../../base/bytes/gzip-end.ts'
import { type CommitOfCatalog, recommitted, type UncommittedCatalog } from '../../model/recommitted.ts'

/** A recalled catalog for one commit, compressed once for all requests. */
export interface CompressedCatalog {
  /** The text compressed with gzip, in shared memory. */
  readonly gzipped: Uint8Array
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string
  readonly catalogUuid: string
}

interface Made {
  readonly commit: CommitOfCatalog
  /** The part that is equal for all commits, except for its time. */
  readonly end: PackedEnd
  readonly compressed: CompressedCatalog
}

/** The latest compressed form of each catalog in memory. */
const made = new WeakMap<UncommittedCatalog, Made>()

/** Compression level; the same as for replies compressed for a single request. */
const level = 3

/** Returns a recalled catalog for a commit, compressed; reuses most of the form for another commit. */
export function compressedCatalog(text: UncommittedCatalog, commit: CommitOfCatalog): CompressedCatalog {
  const known = made.get(text)
  if (known && isSame(known.commit, commit)) return known.compressed
  const { bytes, headSize, catalogUuid } = recommitted(text, commit)
  const hasEnd = known && (text.times.length === 0 || known.commit.time === commit.time)
  const end = hasEnd ? known.end : packEnd(bytes.subarray(headSize), level)
  const compressed = {
    gzipped: shared(gzipBefore(bytes.subarray(0, headSize), end)),
    digest: createHash('sha256').update(bytes).digest('hex'),
    catalogUuid,
  }
  made.set(text, { commit, end, compressed })
  return compressed
}

function isSame(one: CommitOfCatalog, other: CommitOfCatalog): boolean {
  return one.version === other.version && one.codeId === other.codeId && one.time === other.time
}

/** Returns a copy in shared memory, which is not copied again for other threads. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
