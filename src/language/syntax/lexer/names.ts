import { findWordEnd, isWordCode } from './characters.ts'

/** Reads a lower-case word. `isName` is false if the word contains dashes or a segment that starts with `_`. */
export function scanBareWord(text: string, at: number): { readonly end: number; readonly isName: boolean } {
  let end = at
  let isName = true
  for (;;) {
    const first = text.charCodeAt(end) === 58 && text.charCodeAt(end + 1) === 58 ? end + 2 : end
    if (first === end && end > at) break
    const code = text.charCodeAt(first)
    if (!((code >= 97 && code <= 122) || code === 95)) break
    if (code === 95) isName = false
    end = findWordEnd(text, first)
    for (let dashed = findDashesEnd(text, end); dashed !== end; dashed = findDashesEnd(text, end)) {
      isName = false
      end = findWordEnd(text, dashed)
    }
  }
  return { end, isName }
}

/** Returns the offset after dashes that continue a word; `at` if there are none. */
function findDashesEnd(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 45) end++
  return isWordCode(text.charCodeAt(end)) ? end : at
}

/** Returns the offset after a reference such as `A::B`, in which each segment is capitalized. */
export function findReferenceEnd(text: string, at: number): number {
  let end = at
  for (;;) {
    const first = text.startsWith('::', end) ? end + 2 : end
    const code = text.charCodeAt(first)
    if (!(code >= 65 && code <= 90)) return end
    end = findWordEnd(text, first)
  }
}

/** Returns the offset after the variable name `(::)?(\w+::)*\w+` at `at`; -1 if there is none. */
export function findVariableEnd(text: string, at: number): number {
  const first = text.startsWith('::', at) ? at + 2 : at
  let end = findWordEnd(text, first)
  if (end === first) return -1
  while (text.startsWith('::', end) && isWordCode(text.charCodeAt(end + 2))) end = findWordEnd(text, end + 2)
  return end
}

/** Returns the offset after the closing `/` of the regular expression at `at`; -1 if there is none. */
export function findRegexpEnd(text: string, at: number): number {
  let escaped = false
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 47 && !escaped) return end + 1
    escaped = code === 92 && !escaped
  }
  return -1
}
