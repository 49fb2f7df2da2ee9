import { throwArgumentError } from '../argument-error.ts'

/**
 * Parses a set in the notation of Ruby's `squeeze` and `count` (`abc`, `a-z`, `^a`). Returns a function that is true
 * for characters in the set.
 */
export function parseCharacterSet(set: string): (character: string) => boolean {
  const negative = set.length > 1 && set.startsWith('^')
  const body = [...(negative ? set.slice(1) : set)]
  const ranges: [string, string][] = []
  for (let at = 0; at < body.length; at++) {
    if (body[at] === '\\' && at + 1 < body.length) at++
    const from = body[at]!
    const isRange = body[at + 1] === '-' && at + 2 < body.length
    const to = isRange ? body[at + 2]! : from
    if (from > to) throwArgumentError(`invalid range "${from}-${to}" in string transliteration`)
    ranges.push([from, to])
    if (isRange) at += 2
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== negative
}
