import { isUtf8 } from 'node:buffer'
import { toBufferView } from '../bytes/buffer-view.ts'

/** Added to a byte from 0x80 to 0xFF to get its lone surrogate, U+DC80 to U+DCFF. */
const byteSurrogates = 0xdc00

/** A run of escaped bytes in a string; with the flag `u`, surrogate pairs do not match. */
const byteRun = /[\udc80-\udcff]+/gu

/**
 * Decodes UTF-8 without loss: each byte that is not valid UTF-8 becomes a lone surrogate, U+DC80 to
 * U+DCFF, as in Python's `surrogateescape`. `encodeLosslessUtf8` restores the bytes. A byte order mark
 * is kept.
 */
export function decodeLosslessUtf8(bytes: Uint8Array): string {
  const buffer = toBufferView(bytes)
  return isUtf8(buffer) ? buffer.toString('utf8') : decodeWithEscapes(buffer)
}

/** Encodes a string as UTF-8; restores the bytes that `decodeLosslessUtf8` escaped. */
export function encodeLosslessUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  const bytes = Buffer.allocUnsafe(text.length * 3)
  let size = 0
  let from = 0
  for (const { 0: run, index } of text.matchAll(byteRun)) {
    size += bytes.write(text.slice(from, index), size)
    for (let at = 0; at < run.length; at++) bytes[size++] = run.charCodeAt(at) - byteSurrogates
    from = index + run.length
  }
  return bytes.subarray(0, size + bytes.write(text.slice(from), size))
}

/**
 * The string without escaped bytes; undefined if its bytes are not UTF-8. When strings are joined,
 * their escaped bytes may form valid UTF-8.
 */
export function toUnicodeText(text: string): string | undefined {
  if (text.isWellFormed()) return text
  const bytes = encodeLosslessUtf8(text)
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** True for a file name in which Node may have replaced invalid UTF-8 by U+FFFD. */
export function hasReplacementCharacter(name: string): boolean {
  return name.includes('\ufffd')
}

/** Ruby's error for a file name that is not UTF-8, with the name. */
export function formatInvalidUtf8Name(path: string): string {
  return `invalid byte sequence in UTF-8: the file name ${dumpBytes(path)}`
}

/**
 * A message for a log. Invalid UTF-8 is shown with `\xFF`, as by Ruby's `dump`. Puppet:
 * util/log.rb.
 */
export function toLoggableText(text: string): string {
  const unicode = toUnicodeText(text)
  return unicode ?? `Received a Log attribute with invalid encoding:${dumpBytes(text)}`
}

function dumpBytes(text: string): string {
  const shown = text.replace(
    /["\\\n\r\t\v\f\b\0-\x1f\x7f-\u{10ffff}]/gu,
    (character) => rubyEscapes[character] ?? dumpCharacter(character),
  )
  return `"${shown.replace(/#(?=[{$@])/g, '\\#')}"`
}

/** Ruby's escapes of single characters in a quoted text. */
export const rubyEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\f': '\\f',
  '\b': '\\b',
  '\x07': '\\a',
  '\x1b': '\\e',
}

function dumpCharacter(character: string): string {
  const code = character.codePointAt(0)!
  const toHex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')
  if (code < 0x80) return `\\x${toHex(code, 2)}`
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${toHex(code - byteSurrogates, 2)}`
  return code > 0xffff ? `\\u{${toHex(code, 0)}}` : `\\u${toHex(code, 4)}`
}

/**
 * Decodes UTF-8 with escapes for invalid bytes. A character of four bytes becomes two code units, a
 * shorter character or an invalid byte becomes one, so there are never more units than bytes.
 */
function decodeWithEscapes(buffer: Buffer): string {
  const units = new Uint16Array(buffer.length)
  let count = 0
  for (let at = 0; at < buffer.length; ) {
    const length = getSequenceLength(buffer, at)
    if (length === 0) units[count++] = byteSurrogates + buffer[at++]!
    else {
      const code = decodeCodePoint(buffer, at, length)
      if (code > 0xffff) units[count++] = 0xd7c0 + (code >> 10)
      units[count++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code
      at += length
    }
  }
  return Buffer.from(units.buffer, 0, count * 2).toString('utf16le')
}

/** Length of the valid UTF-8 sequence at an offset, in bytes; 0 if there is none. */
function getSequenceLength(buffer: Buffer, at: number): number {
  const first = buffer[at]!
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  return length > 0 && at + length <= buffer.length && isUtf8(buffer.subarray(at, at + length)) ? length : 0
}

function decodeCodePoint(buffer: Buffer, at: number, length: number): number {
  const first = buffer[at]!
  let code = length === 1 ? first : first & (0xff >> (length + 1))
  for (let next = 1; next < length; next++) code = (code << 6) | (buffer[at + next]! & 0x3f)
  return code
}
