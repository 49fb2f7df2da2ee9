import { defineIssues, fail } from '../base/issue.ts'

const issues = defineIssues({
  DER_MALFORMED: { text: (a: { why: string }) => `Malformed DER: ${a.why}` },
})

/** One element of DER (X.690): its tag, its content, and the bytes of both. */
export interface Der {
  readonly tag: number
  readonly content: Buffer
  readonly bytes: Buffer
}

/** The tags that X.509 uses. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** The tag `[n]`: constructed (a container, EXPLICIT) or primitive (an IMPLICIT leaf). */
export function contextTag(n: number, form: 'constructed' | 'primitive' = 'constructed'): number {
  return (form === 'constructed' ? 0xa0 : 0x80) | n
}

/** The only element of these bytes. Throws DER_MALFORMED. */
export function readDer(bytes: Buffer): Der {
  const der = readAt(bytes, 0)
  if (der.bytes.length !== bytes.length) fail(issues.DER_MALFORMED, { why: 'bytes after the end' })
  return der
}

/** What a container holds. Throws DER_MALFORMED. */
export function childrenOf(container: Der): Der[] {
  const children: Der[] = []
  for (let at = 0; at < container.content.length; ) {
    const child = readAt(container.content, at)
    children.push(child)
    at += child.bytes.length
  }
  return children
}

/** The element, when it has this tag. Throws DER_MALFORMED, naming `what`. */
export function expectTag(der: Der | undefined, tag: number, what: string): Der {
  if (der?.tag !== tag) fail(issues.DER_MALFORMED, { why: `no ${what}` })
  return der
}

/** The children of a SEQUENCE. Throws DER_MALFORMED, naming `what`. */
export function sequenceOf(der: Der | undefined, what: string): Der[] {
  return childrenOf(expectTag(der, tags.sequence, what))
}

function readAt(bytes: Buffer, start: number): Der {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) fail(issues.DER_MALFORMED, { why: 'too short' })
  if ((tag & 0x1f) === 0x1f) fail(issues.DER_MALFORMED, { why: 'a tag of many bytes' })
  let length = first
  let content = start + 2
  if (first >= 0x80) {
    const size = first & 0x7f
    if (size === 0 || size > 4 || content + size > bytes.length) fail(issues.DER_MALFORMED, { why: 'bad length' })
    length = bytes.readUIntBE(content, size)
    content += size
  }
  const end = content + length
  if (end > bytes.length) fail(issues.DER_MALFORMED, { why: 'too short' })
  return { tag, content: bytes.subarray(content, end), bytes: bytes.subarray(start, end) }
}

/** An element of any tag. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([header(tag, length), ...content])
}

function header(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tag, length])
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4
  const bytes = Buffer.alloc(2 + size)
  bytes[0] = tag
  bytes[1] = 0x80 | size
  bytes.writeUIntBE(length, 2, size)
  return bytes
}

export function sequence(...content: readonly Uint8Array[]): Buffer {
  return element(tags.sequence, ...content)
}

export function set(...content: readonly Uint8Array[]): Buffer {
  return element(tags.set, ...content)
}

export function boolean(value: boolean): Buffer {
  return element(tags.boolean, Buffer.from([value ? 0xff : 0]))
}

/** An INTEGER that is not negative. */
export function integer(value: bigint | number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')
  return element(tags.integer, ...(bytes[0]! >= 0x80 ? [Buffer.from([0])] : []), bytes)
}

/** The value of an INTEGER, read as not negative: serials of foreign authorities may have the top bit set. */
export function integerOf(der: Der): bigint {
  return der.content.length === 0 ? 0n : BigInt(`0x${der.content.toString('hex')}`)
}

export function octetString(content: Uint8Array): Buffer {
  return element(tags.octetString, content)
}

/** A BIT STRING of whole bytes, or with `unused` bits at its end. */
export function bitString(content: Uint8Array, unused = 0): Buffer {
  return element(tags.bitString, Buffer.from([unused]), content)
}

/** The bytes of a BIT STRING. */
export function bitsOf(der: Der): Buffer {
  return der.content.subarray(1)
}

export function utf8String(value: string): Buffer {
  return element(tags.utf8String, Buffer.from(value))
}

export const nullValue: Buffer = element(tags.null)

/** An OBJECT IDENTIFIER from its dotted numbers. */
export function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  if (first === undefined || second === undefined || [first, second, ...rest].some((arc) => !Number.isSafeInteger(arc)))
    fail(issues.DER_MALFORMED, { why: `'${dotted}' is no object identifier` })
  return element(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(arc: number): number[] {
  const bytes = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80)
  return bytes
}

/** The dotted numbers of an OBJECT IDENTIFIER. */
export function oidOf(der: Der | undefined): string {
  const { content } = expectTag(der, tags.oid, 'object identifier')
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    arcs.push(arc)
    arc = 0
  }
  const [head = 0, ...rest] = arcs
  const first = Math.min(2, Math.floor(head / 40))
  return [first, head - first * 40, ...rest].join('.')
}

/** UTCTime until 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+Z$|[-:T]/g, '')
  return date.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : element(tags.generalizedTime, Buffer.from(`${digits}Z`))
}

/** The date of a UTCTime or a GeneralizedTime. Throws DER_MALFORMED. */
export function dateOf(der: Der): Date {
  const text = der.content.toString('latin1')
  const match = /^(\d{2,4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (!match) fail(issues.DER_MALFORMED, { why: `'${text}' is no time` })
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [number, ...number[]]
  const century = der.tag === tags.generalizedTime ? 0 : year < 50 ? 2000 : 1900
  return new Date(Date.UTC(century + year, month! - 1, day, hour, minute, second))
}

/** The text of any of the string types; `undefined` for something else. */
export function textOf(der: Der): string | undefined {
  switch (der.tag) {
    case tags.utf8String:
      return der.content.toString('utf8')
    case tags.printableString:
    case tags.ia5String:
    case tags.teletexString:
      return der.content.toString('latin1')
    case tags.bmpString:
      return Buffer.from(der.content.subarray(0, der.content.length & ~1))
        .swap16()
        .toString('utf16le')
    default:
      return undefined
  }
}
