/** Predicates of UTF-16 code units, with the character classes of Ruby's regular expressions. */

const zero = 0x30
const nine = 0x39

/** True for `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

/** True for `A` to `Z`. */
export function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

/** True for `[A-Za-z0-9_]`. */
export function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || isUpper(code) || isDigit(code) || code === 0x5f
}

/** True for `[_a-z0-9]`, the first character of a name. */
export function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || isDigit(code) || code === 0x5f
}

/** True for white space within a line: tab, vertical tab, form feed and the space separators of Unicode. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** True for `\s`. */
export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

const unicodeWord = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u

/** True if `\b` matches after a word character: no character of a word, in any script, follows. */
export function isWordEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (Number.isNaN(code)) return true
  return code < 0x80 ? !isWord(code) : !unicodeWord.test(text.slice(at, at + 2))
}

const surrogate = /[\ud800-\udbff][\udc00-\udfff]/

/** The number of characters of a text; a pair of surrogates is one character. */
export function countCharacters(text: string): number {
  if (!surrogate.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}
