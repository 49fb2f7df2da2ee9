import { gzipBefore, type PackedEnd, packEnd } from '../../base/gzip-end.ts'
import type { RecommittedCatalog, UncommittedCatalog } from '../../model/recommitted.ts'

/** The rests of catalogs that are held in memory, compressed, as they are with the time of a commit. */
const packed = new WeakMap<UncommittedCatalog, { readonly time: string; readonly end: PackedEnd }>()

/** As answers are compressed that are made for one request. */
const level = 3

/** A recalled catalog, compressed: most of it only once. */
export function gzippedCatalog(
  text: UncommittedCatalog,
  { bytes, headSize }: RecommittedCatalog,
  commitTime: string,
): Uint8Array<ArrayBuffer> {
  const time = text.times.length === 0 ? '' : commitTime
  const known = packed.get(text)
  const end = known?.time === time ? known.end : packEnd(bytes.subarray(headSize), level)
  packed.set(text, { time, end })
  return gzipBefore(bytes.subarray(0, headSize), end)
}
