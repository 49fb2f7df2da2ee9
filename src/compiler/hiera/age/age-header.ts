import { throwIssue } from '../../../base/issue.ts'
import { decodeRawBase64 } from './base64.ts'
import { ageIssues } from './issues.ts'

/** The file key, encrypted for one recipient: `-> X25519 …` and the encrypted bytes. */
export interface AgeStanza {
  readonly type: string
  readonly words: readonly string[]
  readonly body: Buffer
}

/** The header of an age file. */
export interface AgeHeader {
  readonly stanzas: readonly AgeStanza[]
  readonly mac: Buffer
  /** The bytes that the MAC protects. */
  readonly protected: Buffer
  /** The bytes after the header. */
  readonly payload: Buffer
}

const version = 'age-encryption.org/v1'
const columns = 64

/** Parses the header of an age file, version 1 (age-encryption.org/v1). Throws AGE_HEADER. */
export function parseAgeHeader(bytes: Buffer): AgeHeader {
  const lines = new HeaderLines(bytes)
  if (lines.next() !== version) failHeader('it is not an age file of version 1')
  const stanzas: AgeStanza[] = []
  for (;;) {
    const start = lines.at
    const line = lines.next()
    if (line.startsWith('---')) {
      const mac = line.startsWith('--- ') ? decodeRawBase64(line.slice(4)) : undefined
      if (mac?.length !== 32) return failHeader('its MAC is wrong')
      if (stanzas.length === 0) return failHeader('it has no recipient')
      return { stanzas, mac, protected: bytes.subarray(0, start + 3), payload: bytes.subarray(lines.at) }
    }
    stanzas.push(parseStanza(line, lines))
  }
}

function parseStanza(line: string, lines: HeaderLines): AgeStanza {
  const [arrow, type = '', ...words] = line.split(' ')
  if (arrow !== '->' || ![type, ...words].every((word) => /^[!-~]+$/.test(word)))
    return failHeader('a recipient is malformed')
  const parts: Buffer[] = []
  for (;;) {
    const text = lines.next()
    const part = text.length <= columns ? decodeRawBase64(text) : undefined
    if (!part) return failHeader('the data of a recipient are malformed')
    parts.push(part)
    if (text.length < columns) return { type, words, body: Buffer.concat(parts) }
  }
}

/** Reads a header line by line. */
class HeaderLines {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Returns the next line without its line feed. Throws AGE_HEADER at the end of the bytes. */
  next(): string {
    const end = this.#bytes.indexOf(0x0a, this.at)
    if (end === -1) return failHeader('it has no end')
    const line = this.#bytes.toString('latin1', this.at, end)
    this.at = end + 1
    return line
  }
}

/** Rejects a header. */
export function failHeader(why: string): never {
  return throwIssue(ageIssues.AGE_HEADER, { why })
}
