import { rubyEscapes } from '../../../base/text/byte-text.ts'

/**
 * Ruby's `String#inspect`: escapes `#` before an interpolation; bytes that are not UTF-8 print as
 * `\\xNN`.
 */
export function inspectText(text: string): string {
  const body = text
    .replace(/["\\\n\t\r\f\v\x08\x07\x1b]/g, (found) => rubyEscapes[found]!)
    .replace(/#(?=[{$@])/g, '\\#')
    .replace(/[\0-\x1f\x7f-\x9f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
    .replace(/[\udc80-\udcff]/gu, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16).toUpperCase()}`)
  return `"${body}"`
}
