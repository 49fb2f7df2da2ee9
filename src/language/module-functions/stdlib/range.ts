import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { requireBoundedCount } from '../../ruby-semantics/size-limits.ts'
import { compareTexts } from '../../ruby-semantics/text/compare.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import type { Value } from '../../values/value.ts'
import { failNoMethod, toInteger } from './ruby.ts'

/** Maximum number of elements of a range, as in stdlib. */
const most = 1_000_000

/**
 * `range`: also accepts one string such as `a..c`, `1-3` or `1...3`. The third argument is the step; its sign is
 * ignored.
 */
export const range = defineLegacyFunction('range', 'Returns all numbers or strings in a range.', -1, (args) => {
  if (args.length === 0) return throwArgumentError('range(): Wrong number of arguments given (0 for 1)')
  const [first] = args
  if (args.length === 1) {
    const { start, stop, isOpen } = parseRange(first)
    return listElements(start, stop, 1, isOpen)
  }
  const step = args[2] === undefined ? 1 : Math.abs(Number(toInteger(args[2])))
  if (step === 0) return throwArgumentError('range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)')
  return listElements(first, args[1], step, false)
})

function parseRange(value: Value): { start: string; stop: string; isOpen: boolean } {
  if (typeof value !== 'string') return failNoMethod('match', value)
  const found = /^(\w+)(\.\.\.?|-)(\w+)$/m.exec(value)
  if (found) return { start: found[1]!, stop: found[3]!, isOpen: found[2] === '...' }
  return throwArgumentError(
    /^.+$/m.test(value)
      ? `range(): Unable to compute range from the value: ${value}`
      : `range(): Unknown range format: ${value}`,
  )
}

function listElements(start: Value, stop: Value, step: number, isOpen: boolean): Value[] {
  if (/^\d+$/m.test(formatAsString(start)))
    return listNumbers(Number(toInteger(start)), Number(toInteger(stop)), step, isOpen)
  return listTexts(formatAsString(start), formatAsString(stop), step, isOpen)
}

function listNumbers(start: number, stop: number, step: number, isOpen: boolean): number[] {
  const last = isOpen ? stop - 1 : stop
  const length = requireBoundedCount(Math.max(0, Math.floor((last - start) / step) + 1))
  return Array.from({ length }, (_, index) => start + index * step)
}

/** Lists the texts from `start` to `stop` with a step, like Ruby's `String#upto`. */
function listTexts(start: string, stop: string, step: number, isOpen: boolean): string[] {
  const all: string[] = []
  for (const [index, text] of [...generateTexts(start, stop, isOpen)].entries()) if (index % step === 0) all.push(text)
  return all
}

function* generateTexts(start: string, stop: string, isOpen: boolean): Generator<string> {
  if (start.length === 1 && stop.length === 1 && start <= '\x7f' && stop <= '\x7f') {
    const last = stop.charCodeAt(0) - (isOpen ? 1 : 0)
    for (let code = start.charCodeAt(0); code <= last; code++) yield String.fromCharCode(code)
    return
  }
  if (compareTexts(start, stop) > 0) return
  const after = computeSuccessor(stop)
  let given = 0
  for (let text = start; text !== after && given < most; given++) {
    if (isOpen && text === stop) return
    yield text
    if (text === stop) return
    text = computeSuccessor(text)
    if (text.length > stop.length || text === '') return
  }
}

/** Returns the next text, like Ruby's `String#succ`, for letters, digits and underscores. */
function computeSuccessor(text: string): string {
  const characters = [...text]
  const isAlnum = (character: string): boolean => /[A-Za-z0-9]/.test(character)
  if (!characters.some(isAlnum)) return incrementLast(characters)
  let at = characters.findLastIndex(isAlnum)
  while (true) {
    const character = characters[at]!
    const wrapped = { z: 'a', Z: 'A', '9': '0' }[character]
    if (wrapped === undefined) {
      characters[at] = String.fromCharCode(character.charCodeAt(0) + 1)
      return characters.join('')
    }
    characters[at] = wrapped
    const before = findPreviousAlnum(characters, at, isAlnum)
    if (before === -1) {
      characters.splice(at, 0, character === '9' ? '1' : wrapped)
      return characters.join('')
    }
    at = before
  }
}

function findPreviousAlnum(characters: readonly string[], at: number, isAlnum: (character: string) => boolean): number {
  return characters.slice(0, at).findLastIndex(isAlnum)
}

function incrementLast(characters: string[]): string {
  const last = characters.pop()
  return last === undefined ? '' : characters.join('') + String.fromCharCode(last.charCodeAt(0) + 1)
}
