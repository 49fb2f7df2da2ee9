import { isDigit, isWord, isWordEnd } from './characters.ts'

/** The offset after the number at an offset; undefined if a name begins there, such as `10gen`. */
export function readNumber(text: string, start: number): number | undefined {
  if (text[start] === '0' && (text[start + 1] === 'x' || text[start + 1] === 'X')) {
    const end = endOfHexDigits(text, start + 2)
    if (end > start + 2 && isWordEnd(text, end)) return end
  }
  const whole = endOfDigits(text, start)
  const candidates = [whole]
  if (text[whole] === '.' && isDigit(text.charCodeAt(whole + 1))) candidates.unshift(endOfDigits(text, whole + 1))
  for (const end of candidates) {
    const withExponent = endOfExponent(text, end)
    if (withExponent !== undefined && isWordEnd(text, withExponent)) return withExponent
    if (isWordEnd(text, end)) return end
  }
  return undefined
}

function endOfExponent(text: string, start: number): number | undefined {
  if (text[start] !== 'e' && text[start] !== 'E') return undefined
  const digits = text[start + 1] === '-' ? start + 2 : start + 1
  return isDigit(text.charCodeAt(digits)) ? endOfDigits(text, digits) : undefined
}

function endOfDigits(text: string, start: number): number {
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  return end
}

function endOfHexDigits(text: string, start: number): number {
  let end = start
  while (isWord(text.charCodeAt(end)) && /[0-9A-Fa-f]/.test(text[end]!)) end++
  return end
}
