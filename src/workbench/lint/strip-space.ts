import { isSpace } from './tokens/characters.ts'

const isStripped = (code: number): boolean => isSpace(code) || code === 0

/** The text without the white space that Ruby's `strip` removes at both ends. */
export function stripSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isStripped(text.charCodeAt(start))) start++
  while (end > start && isStripped(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
