import { trimTrailing } from '../../base/text/trailing-characters.ts'
import { compareTexts } from '../ruby-semantics/text/compare.ts'

/**
 * Compares versions as Puppet does (puppet/util/package.rb): separators sort first, numbers are compared as numbers,
 * text without case.
 */
export function compareVersions(a: string, b: string, ignoreTrailingZeroes = false): number {
  const left = ignoreTrailingZeroes ? stripZeroes(a) : a
  const right = ignoreTrailingZeroes ? stripZeroes(b) : b
  const lefts = left.match(token) ?? []
  const rights = right.match(token) ?? []
  for (let at = 0; at < Math.min(lefts.length, rights.length); at++) {
    const [mine, other] = [lefts[at]!, rights[at]!]
    if (mine !== other) return compareTokens(mine, other)
  }
  return compareTexts(left, right)
}

const token = /[-.]|\d+|[^-.\d]+/g

function compareTokens(a: string, b: string): number {
  for (const separator of ['-', '.']) {
    if (a === separator) return -1
    if (b === separator) return 1
  }
  const numbers = /^\d+$/.test(a) && /^\d+$/.test(b)
  if (!numbers || a.startsWith('0') || b.startsWith('0')) return compareTexts(a.toUpperCase(), b.toUpperCase())
  const [left, right] = [BigInt(a), BigInt(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function stripZeroes(version: string): string {
  const [first = '', ...rest] = version.split('-')
  return [trimTrailing(first, '.0'), ...rest].join('-')
}
