/** A byte range, inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Parses a `Range` header. Returns `undefined` if the whole file must be sent: without a range, for unsupported forms
 * (RFC 9110, 14.2), and for an outdated `If-Range`. Returns `none` if the range is outside the file.
 */
export function parseByteRange(
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

/** Streams the bytes of a range. Bytes before the range are discarded; bytes after it are not read. */
export async function* streamRange(
  all: AsyncIterable<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let start = 0
  for await (const chunk of all) {
    const end = start + chunk.length
    if (end > first) yield chunk.subarray(Math.max(0, first - start), last + 1 - start)
    if (end > last) return
    start = end
  }
}
