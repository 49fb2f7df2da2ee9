import { createHash } from 'node:crypto'
import { toBufferView } from '../../base/bytes/buffer-view.ts'

/** A catalog payload in two parts: a digest of its contents, and its metadata. */
export interface SplitCatalog {
  /** SHA-1 of the resources and the edges as they are written in the payload. */
  readonly digest: string
  /** The payload with empty lists of resources and edges. */
  readonly about: Buffer
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Splits the JSON of a catalog without parsing all of it, because for an unchanged catalog only the
 * metadata must be parsed. `undefined` if the payload does not look like a catalog of versions 6 to
 * 9; the content of resources and edges is not checked.
 */
export function splitCatalog(payload: Uint8Array, version: number): SplitCatalog | undefined {
  if (version < 6 || version > 9) return undefined
  const bytes = toBufferView(payload)
  const lists = scanMembers(bytes)?.filter(({ key }) => key === 'resources' || key === 'edges')
  const [first, second] = lists ?? []
  if (lists?.length !== 2 || !first || !second || first.key === second.key) return undefined
  const hash = createHash('sha1').update(`${version} ${first.key} ${first.end - first.start} `)
  for (const { start, end } of [first, second]) hash.update(bytes.subarray(start, end))
  const empty = Buffer.from('[]')
  const rest = [bytes.subarray(0, first.start), bytes.subarray(first.end, second.start), bytes.subarray(second.end)]
  return { digest: hash.digest('hex'), about: Buffer.concat([rest[0]!, empty, rest[1]!, empty, rest[2]!]) }
}

/** A member of the outermost object: a key without escapes, and the offsets of its value. */
interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

function scanMembers(bytes: Buffer): Member[] | undefined {
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== openBrace) return undefined
  const members: Member[] = []
  do {
    at = skipSpace(bytes, at + 1)
    const keyEnd = bytes[at] === quote ? findStringEnd(bytes, at) : undefined
    if (keyEnd === undefined) return undefined
    const key = bytes.toString('latin1', at + 1, keyEnd - 1)
    at = skipSpace(bytes, keyEnd)
    if (bytes[at] !== colon || key.includes('\\')) return undefined
    const start = skipSpace(bytes, at + 1)
    const end = findValueEnd(bytes, start)
    if (end === undefined) return undefined
    members.push({ key, start, end })
    at = skipSpace(bytes, end)
  } while (bytes[at] === comma)
  return bytes[at] === closeBrace ? members : undefined
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at++
  return at
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || (code !== undefined && code >= 0x09 && code <= 0x0d)
}

function findStringEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === quote) return at + 1
    if (bytes[at] === backslash) at++
  }
  return undefined
}

function findValueEnd(bytes: Buffer, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote: {
        const end = findStringEnd(bytes, at)
        if (end === undefined || depth === 0) return end
        at = end - 1
        break
      }
      case openBrace:
      case openBracket:
        depth++
        break
      case closeBrace:
      case closeBracket:
        if (depth === 0) return at
        depth--
        if (depth === 0) return at + 1
        break
      case comma:
        if (depth === 0) return at
    }
  }
  return undefined
}
