import type { asn1 } from 'node-forge'
import forge from 'node-forge/lib/asn1.js'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

/** Errors in DER data. */
export const derIssues = defineIssues({
  DER_MALFORMED: { text: (a: { why: string }) => `Malformed DER: ${a.why}` },
})

/** A parsed element of DER (X.690), in the form of node-forge. */
export type Der = asn1.Asn1

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

const constructed = 0x20

/**
 * Returns the context-specific tag `[n]`. A constructed tag is for a container (EXPLICIT), a primitive tag is for a
 * leaf (IMPLICIT).
 */
export function getContextTag(n: number, form: 'constructed' | 'primitive' = 'constructed'): number {
  return (form === 'constructed' ? 0xa0 : 0x80) | n
}

/**
 * Parses a single element. Throws DER_MALFORMED, also for BER: DER has one encoding for each value, so input that
 * node-forge would encode differently is rejected. Therefore the original bytes of each part can be restored from the
 * parsed form.
 */
export function parseDer(bytes: Uint8Array): Der {
  const text = toBinaryString(bytes)
  const der = callForge(() => forge.fromDer(text, { decodeBitStrings: false }))
  if (forge.toDer(der).getBytes() !== text)
    throwIssue(derIssues.DER_MALFORMED, { why: 'the length is not in its shortest form' })
  return der
}

/** Returns the original bytes of an element. */
export function toDerBytes(der: Der): Buffer {
  return toBuffer(forge.toDer(der).getBytes())
}

/** Returns the bytes of each element in a container of valid DER, without parsing the elements. */
export function splitDer(container: Buffer): Buffer[] {
  return [...splitDerLazily(container)]
}

/** Yields the elements that `splitDer` returns. */
export function* splitDerLazily(container: Buffer): Generator<Buffer, void> {
  const content = getDerContent(container)
  for (let at = 0; at < content.length; ) {
    const { header, length } = readHeaderSizes(content.subarray(at))
    yield content.subarray(at, at + header + length)
    at += header + length
  }
}

/** Returns the content bytes of an element of valid DER. */
export function getDerContent(bytes: Buffer): Buffer {
  return bytes.subarray(readHeaderSizes(bytes).header)
}

/**
 * Returns the sizes of an element's header and content in bytes. Does not use node-forge, because a revocation list has
 * tens of thousands of elements.
 */
function readHeaderSizes(bytes: Buffer): { header: number; length: number } {
  const first = bytes[1] ?? throwIssue(derIssues.DER_MALFORMED, { why: 'the length is missing or invalid' })
  const size = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || size > 4 || bytes.length < 2 + size)
    throwIssue(derIssues.DER_MALFORMED, { why: 'the length is missing or invalid' })
  const length = size === 0 ? first : bytes.readUIntBE(2, size)
  if (size > 0 && (length < 0x80 || bytes[2] === 0))
    throwIssue(derIssues.DER_MALFORMED, { why: 'the length is not in its shortest form' })
  if (2 + size + length > bytes.length) throwIssue(derIssues.DER_MALFORMED, { why: 'it is truncated' })
  return { header: 2 + size, length }
}

/** Returns the identifier octet of an element: its class, number, and constructed bit. */
export function getTag({ tagClass, type, constructed: isContainer }: Der): number {
  return tagClass | type | (isContainer ? constructed : 0)
}

/** Returns the elements of a container. Throws DER_MALFORMED for a leaf. */
export function getDerChildren({ value }: Der): Der[] {
  return typeof value === 'string'
    ? throwIssue(derIssues.DER_MALFORMED, { why: 'expected a constructed value, found a primitive value' })
    : value
}

/** Returns the bytes of a leaf. Throws DER_MALFORMED for a container. */
export function getLeafContent({ value }: Der): Buffer {
  return typeof value === 'string'
    ? toBuffer(value)
    : throwIssue(derIssues.DER_MALFORMED, { why: 'expected a primitive value, found a constructed value' })
}

/** Returns the element if it has this tag; otherwise throws DER_MALFORMED with the description `what`. */
export function expectTag(der: Der | undefined, tag: number, what: string): Der {
  return der && getTag(der) === tag ? der : throwIssue(derIssues.DER_MALFORMED, { why: `no ${what}` })
}

/** Returns the children of a SEQUENCE. Throws DER_MALFORMED with the description `what`. */
export function readSequence(der: Der | undefined, what: string): Der[] {
  return getDerChildren(expectTag(der, tags.sequence, what))
}

/** Encodes an element with any tag. The content of a container must already be DER. */
export function encodeElement(tag: number, ...content: readonly Uint8Array[]): Buffer {
  // Passed to node-forge as a leaf, with the constructed bit as part of the type.
  return toDerBytes(forge.create(tag & 0xc0, tag & 0x3f, false, toBinaryString(Buffer.concat(content))))
}

/** Encodes a SEQUENCE of elements. */
export function encodeSequence(...content: readonly Uint8Array[]): Buffer {
  return encodeElement(tags.sequence, ...content)
}

/** Encodes a SET of elements in the given order. */
export function encodeSet(...content: readonly Uint8Array[]): Buffer {
  return encodeElement(tags.set, ...content)
}

/** Encodes a BOOLEAN. */
export function encodeBoolean(value: boolean): Buffer {
  return encodeElement(tags.boolean, Buffer.from([value ? 0xff : 0]))
}

/** Encodes a non-negative INTEGER of any size; node-forge removes an unneeded leading zero byte. */
export function encodeInteger(value: bigint | number): Buffer {
  const hex = value.toString(16)
  return encodeElement(tags.integer, Buffer.from(hex.length % 2 === 1 ? `000${hex}` : `00${hex}`, 'hex'))
}

/** Decodes an INTEGER as a non-negative number, since serials of other CAs may have the top bit set. */
export function decodeInteger(der: Der): bigint {
  const content = getLeafContent(der)
  return content.length === 0 ? 0n : BigInt(`0x${content.toString('hex')}`)
}

/** Encodes an OCTET STRING. */
export function encodeOctetString(content: Uint8Array): Buffer {
  return encodeElement(tags.octetString, content)
}

/** Encodes a BIT STRING, whose last byte has `unused` unused bits. */
export function encodeBitString(content: Uint8Array, unused = 0): Buffer {
  return encodeElement(tags.bitString, Buffer.from([unused]), content)
}

/** Returns the bytes of a BIT STRING. */
export function decodeBitString(der: Der): Buffer {
  return getLeafContent(der).subarray(1)
}

/** Encodes a UTF8String. */
export function encodeUtf8String(value: string): Buffer {
  return encodeElement(tags.utf8String, Buffer.from(value))
}

/** The DER of NULL. */
export const nullValue: Buffer = encodeElement(tags.null)

/** Encodes an OBJECT IDENTIFIER given in dotted notation; each number has at most 32 bits. Throws DER_MALFORMED. */
export function encodeOid(dotted: string): Buffer {
  if (!/^[0-2](\.\d+)+$/.test(dotted))
    throwIssue(derIssues.DER_MALFORMED, { why: `'${dotted}' is not an object identifier` })
  return encodeElement(tags.oid, toBuffer(callForge(() => forge.oidToDer(dotted)).getBytes()))
}

/** Decodes an OBJECT IDENTIFIER to dotted notation. Throws DER_MALFORMED. */
export function decodeOid(der: Der | undefined): string {
  const content = toBinaryString(getLeafContent(expectTag(der, tags.oid, 'object identifier')))
  if (content === '') throwIssue(derIssues.DER_MALFORMED, { why: 'an object identifier is empty' })
  if (paddedNumber.test(content) || unfinishedNumber.test(content))
    throwIssue(derIssues.DER_MALFORMED, { why: 'an object identifier contains an invalid number' })
  return callForge(() => forge.derToOid(content))
}

/**
 * Matches an invalid number in an object identifier: a number with a leading zero byte. The last byte of a number is
 * below 0x80; the other bytes are not (X.690, 8.19.2).
 */
const paddedNumber = /(?:^|[\0-\x7f])\x80/
const unfinishedNumber = /[\x80-\xff]$/

/** Encodes a date as UTCTime until 2049, and as GeneralizedTime afterwards (RFC 5280, 4.1.2.5). */
export function encodeTime(date: Date): Buffer {
  return date.getUTCFullYear() < 2050
    ? encodeElement(tags.utcTime, toBuffer(forge.dateToUtcTime(date)))
    : encodeGeneralizedTime(date)
}

/** Encodes a date of any year as GeneralizedTime. */
export function encodeGeneralizedTime(date: Date): Buffer {
  return encodeElement(tags.generalizedTime, toBuffer(forge.dateToGeneralizedTime(date)))
}

/** Decodes a UTCTime or GeneralizedTime. Throws DER_MALFORMED for forms that DER does not allow. */
export function decodeTime(der: Der): Date {
  const text = getLeafContent(der).toString('latin1')
  const tag = getTag(der)
  if (tag === tags.utcTime && /^\d{12}Z$/.test(text)) return forge.utcTimeToDate(text)
  if (tag === tags.generalizedTime && /^\d{14}Z$/.test(text)) return forge.generalizedTimeToDate(text)
  return throwIssue(derIssues.DER_MALFORMED, { why: `'${text}' is not a valid time` })
}

/** Returns the text of an element of any string type; `undefined` for elements of other types. */
export function decodeText(der: Der): string | undefined {
  switch (getTag(der)) {
    case tags.utf8String:
      return getLeafContent(der).toString('utf8')
    case tags.printableString:
    case tags.ia5String:
    case tags.teletexString:
      return getLeafContent(der).toString('latin1')
    case tags.bmpString:
      return String(der.value) // node-forge decodes only this type while parsing
    default:
      return undefined
  }
}

/** Converts bytes to the form that node-forge uses: a string with one character for each byte. */
function toBinaryString(bytes: Uint8Array): string {
  return toBufferView(bytes).toString('latin1')
}

function toBuffer(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Runs `work`, which calls node-forge, and converts its errors to DER_MALFORMED. */
function callForge<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    return throwIssue(derIssues.DER_MALFORMED, { why: formatError(error) })
  }
}
