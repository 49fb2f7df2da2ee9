/** Bytes of a file that were asked for: both ends are part of it. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The part of a file that a `Range` asks for: `undefined` for all of it, which every other form stands for (RFC 9110, 14.2);
 * `none` where the file has no such byte. With an `If-Range` that is not the file's validator, all of it, too.
 */
export function byteRange(
  { range, 'if-range': ifRange }: { readonly range?: string | undefined; readonly 'if-range'?: unknown },
  { size, validator }: { readonly size: number; readonly validator: string },
): ByteRange | 'none' | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== validator)) return undefined
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (from === '' && to === '') return undefined
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'none' : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
  if (first >= size) return 'none'
  return to !== '' && Number(to) < first ? undefined : { first, last }
}

/** The bytes of a range, of a stream of all; what comes before is read and dropped, what comes after is not asked for. */
export async function* within(all: AsyncIterable<Uint8Array>, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  let start = 0
  for await (const chunk of all) {
    const end = start + chunk.length
    if (end > first) yield chunk.subarray(Math.max(0, first - start), last + 1 - start)
    if (end > last) return
    start = end
  }
}
