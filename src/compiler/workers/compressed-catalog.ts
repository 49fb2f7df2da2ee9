import { createHash } from 'node:crypto'
import { gzipBefore, type PackedEnd, packEnd } from '../../base/bytes/gzip-end.ts'
import { type CommitOfCatalog, recommitted, type UncommittedCatalog } from '../../model/recommitted.ts'

/** A recalled catalog for one commit, compressed: it is made once, and sent as often as it is asked for. */
export interface CompressedCatalog {
  /** The text in gzip's form, in memory that threads share. */
  readonly gzipped: Uint8Array
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string
  readonly catalogUuid: string
}

interface Made {
  readonly commit: CommitOfCatalog
  /** The part that no commit changes but for its time. */
  readonly end: PackedEnd
  readonly compressed: CompressedCatalog
}

/** The last compressed form of each catalog that is held in memory. */
const made = new WeakMap<UncommittedCatalog, Made>()

/** As answers are compressed that are made for one request. */
const level = 3

/** A recalled catalog for a commit, compressed; of one for another commit most is taken over. */
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

/** A copy that costs nothing to hand to another thread. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
