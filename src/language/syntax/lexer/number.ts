import type { Issue } from '../../../base/issue.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import { findWordEnd } from './characters.ts'

const numberPattern = /(?:0[xX][0-9A-Fa-f]+|0?\d+(?:\.\d+)?(?:[eE]-?\d+)?)\b/y

/** A number literal, or an error and its offset. */
export type ScannedNumber =
  | { readonly value: string }
  | { readonly issue: Issue<{ value: string }>; readonly value: string; readonly at: number }

/** Reads the number whose first digit is at `at`. */
export function scanNumber(text: string, at: number): ScannedNumber {
  numberPattern.lastIndex = at
  const value = numberPattern.exec(text)?.[0]
  if (value !== undefined) {
    const issue = findNumberIssue(value)
    return issue ? { issue, value, at } : { value }
  }
  const end = findWordEnd(text, at)
  const start = findDecimalStart(text, at)
  const written = text.slice(start, end)
  const issue = findNumberIssue(written)
  return { issue: issue ?? syntaxIssues.ILLEGAL_NUMBER, value: written, at: issue ? start : start + 1 }
}

/** Start of the number whose fraction is at `at`; `at` itself if the number has no fraction. */
function findDecimalStart(text: string, at: number): number {
  if (text[at - 1] !== '.') return at
  let start = at - 1
  while (start > 0 && /\d/.test(text[start - 1]!)) start--
  return start === at - 1 ? at : start
}

function findNumberIssue(value: string): Issue<{ value: string }> | undefined {
  if (/^0[xX]/.test(value)) return /^0[xX][0-9A-Fa-f]+$/.test(value) ? undefined : syntaxIssues.INVALID_HEX_NUMBER
  if (/^0[^.]/.test(value)) return /^0[0-7]+$/.test(value) ? undefined : syntaxIssues.INVALID_OCTAL_NUMBER
  if (/^\d+[eE.]/.test(value))
    return /^\d+(?:\.\d+)?(?:[eE]-?\d+)?$/.test(value) ? undefined : syntaxIssues.INVALID_DECIMAL_NUMBER
  return /^\d+$/.test(value) ? undefined : syntaxIssues.ILLEGAL_NUMBER
}
