/** True for a character code in `[A-Za-z0-9_]`; Ruby's `\w` matches only ASCII. */
export function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

/** True for the code of a white space character within a line: one of Ruby's `[[:blank:]]`, or the carriage return. */
export function isBlankCode(code: number): boolean {
  if (code === 32 || code === 9 || code === 13) return true
  if (code < 160) return false
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** Source text of Ruby's `[[:blank:]]` for use in a RegExp. */
export const blank = '[ \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]'

/** Offset after the run of word characters that starts at `at`. */
export function findWordEnd(text: string, at: number): number {
  while (at < text.length && isWordCode(text.charCodeAt(at))) at++
  return at
}

/** True if `at` is the start of the text or follows white space. */
export function isSpaceBefore(text: string, at: number): boolean {
  if (at === 0) return true
  const code = text.charCodeAt(at - 1)
  return code === 10 || isBlankCode(code)
}

/** True if `text` contains only white space from `start` to `end`. */
export function isBlankBetween(text: string, start: number, end: number): boolean {
  // Scans backwards because the last character usually decides.
  for (let at = end - 1; at >= start; at--) if (!isBlankCode(text.charCodeAt(at))) return false
  return true
}

/** Quotes the next five characters from `at`, or `<eof>` at the end, for error messages. */
export function quoteExcerpt(text: string, at: number): string {
  if (at >= text.length) return '<eof>'
  const five = [...text.slice(at, at + 10)].slice(0, 5).join('')
  return `${five.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}...`
}
