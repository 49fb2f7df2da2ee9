import type { ExactJson } from '../../../base/json/exact-json.ts'
import type { PqlScanner } from './scanner.ts'
import { tokenMatchers } from './tokens.ts'
import { readString } from './values.ts'

const { field, quotedSegment, standardSegment, matchSegment } = tokenMatchers
const dottedField = /^(?:facts|trusted|parameters)\./
const functionNames = ['count', 'avg', 'sum', 'min', 'max', 'to_string']
/** Matches the text that follows a field in a condition. */
const operator = /[ \t\n\v\f\r]*(?:>=|<=|!=|!~|[<>=~]|in|is )/y
/** Matches the text that follows a field in a list. */
const separator = /[ \t\n\v\f\r]*[,)\]}]|[ \t\n\v\f\r]/y

/** Reads the field of a condition, up to an operator. */
export function readField(scanner: PqlScanner): string | undefined {
  return readFieldBefore(scanner, operator)
}

/**
 * Reads a field: a name, or a path with dots. A segment `match(…)` may end at its parenthesis, or
 * be the start of a longer name; the first end that is followed by `next` is used. If no end is,
 * the longest one is used, so that the parser reports the text after it.
 */
function readFieldBefore(scanner: PqlScanner, next: RegExp): string | undefined {
  const start = scanner.at
  if (!dottedField.test(scanner.text.slice(start, start + 11))) return scanner.read(field, 'a field')
  const end = findPathEnd(scanner, next)
  scanner.at = end ?? start
  return end === undefined ? undefined : scanner.text.slice(start, end)
}

function findPathEnd(scanner: PqlScanner, next: RegExp): number | undefined {
  let longest: number | undefined
  const open = [scanner.text.indexOf('.', scanner.at)]
  const seen = new Set(open)
  for (let from = open.shift(); from !== undefined; from = open.shift()) {
    for (const end of listSegmentEnds(scanner, from)) {
      longest = Math.max(longest ?? 0, end)
      next.lastIndex = end
      if (scanner.text[end] !== '.') {
        if (next.test(scanner.text)) return end
      } else if (!seen.has(end)) {
        seen.add(end)
        open.push(end)
      }
    }
  }
  return longest
}

/** Returns the positions at which the path segment after the dot at `from` may end. */
function listSegmentEnds(scanner: PqlScanner, from: number): number[] {
  scanner.at = from + 1
  const ends = [quotedSegment, matchSegment, standardSegment].map((segment) => segment(scanner.text, from + 1))
  const found = ends.filter((end) => end !== undefined)
  if (found.length === 0) scanner.misses('a path segment')
  return found
}

/** Reads a field of a list, up to a comma, a closing bracket or white space. */
export function readListedField(scanner: PqlScanner): string | undefined {
  return readFieldBefore(scanner, separator)
}

/** Reads fields and functions, separated by commas. */
export function readFields(scanner: PqlScanner): ExactJson[] | undefined {
  const first = readFieldOrFunction(scanner)
  if (first === undefined) return undefined
  return [first, ...readListRest(scanner, () => readFieldOrFunction(scanner))]
}

/** Reads the items of a list after the first item, each preceded by a comma. */
export function readListRest<T>(scanner: PqlScanner, read: () => T | undefined): T[] {
  const items: T[] = []
  for (;;) {
    const item = scanner.attempt(() => {
      scanner.space()
      if (!scanner.takes(',')) return undefined
      scanner.space()
      return read()
    })
    if (item === undefined) return items
    items.push(item)
  }
}

function readFieldOrFunction(scanner: PqlScanner): ExactJson | undefined {
  return scanner.attempt(() => readFunction(scanner)) ?? readListedField(scanner)
}

/** Reads `name(field, 'text', …)`. */
function readFunction(scanner: PqlScanner): ExactJson | undefined {
  const name = scanner.takesOne(functionNames)
  if (name === undefined) return undefined
  scanner.space()
  if (!scanner.takes('(')) return undefined
  scanner.space()
  const first = readString(scanner) ?? readListedField(scanner)
  const rest = first === undefined ? [] : readListRest(scanner, () => readString(scanner))
  scanner.space()
  if (!scanner.takes(')')) return undefined
  return ['function', name, ...(first === undefined ? [] : [first]), ...rest]
}
