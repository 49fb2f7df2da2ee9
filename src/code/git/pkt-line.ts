import { defineIssues, throwIssue } from '../../base/issue.ts'

/** A line of git's protocols, or a special packet that separates lines. Documentation/gitprotocol-common.txt. */
export type PktLine =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'flush' | 'delimiter' | 'end' }

/** A line, and the offset of the next line. */
export interface TakenPktLine {
  readonly line: PktLine
  readonly next: number
}

/** Errors in the pkt-line format. */
export const pktLineIssues = defineIssues({
  PKT_LINE: { text: (a: { why: string }) => `The request violates the Git protocol: ${a.why}` },
})

/** Length in bytes of a line's length field. */
const lengthBytes = 4
/** Largest length of a line in bytes, including its length field. */
const maxLineBytes = 65_520

const special = ['flush', 'delimiter', 'end'] as const

/**
 * Returns the length in bytes of the line at an offset, including the length field; `undefined` if
 * the length field is incomplete. Throws PKT_LINE.
 */
export function readPktLineLength(bytes: Buffer, at = 0): number | undefined {
  if (bytes.length - at < lengthBytes) return undefined
  const digits = bytes.toString('latin1', at, at + lengthBytes)
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return throwIssue(pktLineIssues.PKT_LINE, { why: 'a line has no length' })
  const length = Number.parseInt(digits, 16)
  if (length === 3) throwIssue(pktLineIssues.PKT_LINE, { why: 'a line has length 3' })
  if (length > maxLineBytes) throwIssue(pktLineIssues.PKT_LINE, { why: 'a line is too long' })
  return Math.max(length, lengthBytes)
}

/** Returns the line at an offset; `undefined` if the line is incomplete. Throws PKT_LINE. */
export function readPktLine(bytes: Buffer, at = 0): TakenPktLine | undefined {
  const length = readPktLineLength(bytes, at)
  if (length === undefined || bytes.length - at < length) return undefined
  const next = at + length
  const value = Number.parseInt(bytes.toString('latin1', at, at + lengthBytes), 16)
  const kind = special[value]
  return { line: kind ? { kind } : { kind: 'data', bytes: bytes.subarray(at + lengthBytes, next) }, next }
}

/** Parses bytes that consist of complete lines. Throws PKT_LINE. */
export function parsePktLines(bytes: Buffer): readonly PktLine[] {
  const lines: PktLine[] = []
  for (let at = 0; at < bytes.length; ) {
    const taken = readPktLine(bytes, at) ?? throwIssue(pktLineIssues.PKT_LINE, { why: 'a line is truncated' })
    lines.push(taken.line)
    at = taken.next
  }
  return lines
}

/** Encodes a line with its length field. Throws PKT_LINE for a line that is too long. */
export function encodePktLine(content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const length = bytes.length + lengthBytes
  if (length > maxLineBytes) throwIssue(pktLineIssues.PKT_LINE, { why: 'a line is too long' })
  return Buffer.concat([Buffer.from(length.toString(16).padStart(lengthBytes, '0')), bytes])
}

/** The packet that ends a list. */
export const flushPkt: Buffer = Buffer.from('0000')

/** Returns the text of a line without the trailing newline. */
export function decodePktText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** Reads lines from chunks of bytes. Keeps the bytes that were read as lines, so that they can be forwarded. */
export class PktLineReader {
  readonly #pieces: AsyncIterator<Buffer>
  readonly #maxBytes: number
  readonly #read: Buffer[] = []
  #readBytes = 0
  #pending: Buffer = Buffer.alloc(0)

  /** `maxBytes` limits all lines together. */
  constructor(pieces: AsyncIterable<Buffer>, maxBytes: number) {
    this.#pieces = pieces[Symbol.asyncIterator]()
    this.#maxBytes = maxBytes
  }

  /** Returns the next line; `undefined` at the end of the bytes. Throws PKT_LINE. */
  async next(): Promise<PktLine | undefined> {
    if (!(await this.#fill(lengthBytes)))
      return this.#pending.length === 0 ? undefined : throwIssue(pktLineIssues.PKT_LINE, { why: 'a line is truncated' })
    const length = readPktLineLength(this.#pending)!
    this.#readBytes += length
    if (this.#readBytes > this.#maxBytes) throwIssue(pktLineIssues.PKT_LINE, { why: 'there are too many lines' })
    if (!(await this.#fill(length))) throwIssue(pktLineIssues.PKT_LINE, { why: 'a line is truncated' })
    const { line } = readPktLine(this.#pending)!
    this.#read.push(this.#pending.subarray(0, length))
    this.#pending = this.#pending.subarray(length)
    return line
  }

  /** Yields all bytes: those already read as lines, then the rest as it arrives. */
  async *bytes(): AsyncGenerator<Buffer> {
    try {
      yield Buffer.concat([...this.#read, this.#pending])
      for (;;) {
        const { done, value } = await this.#pieces.next()
        if (done) return
        yield value
      }
    } finally {
      await this.close()
    }
  }

  /** Closes the source without reading the rest. */
  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  /** Waits until this number of bytes has arrived; returns false if the source ends first. */
  async #fill(bytes: number): Promise<boolean> {
    const pieces = [this.#pending]
    let size = this.#pending.length
    let ended = false
    while (size < bytes && !ended) {
      const { done, value } = await this.#pieces.next()
      if (done) ended = true
      else {
        pieces.push(value)
        size += value.length
      }
    }
    if (pieces.length > 1) this.#pending = Buffer.concat(pieces)
    return !ended
  }
}
