import type { ExactJson } from '../../../base/json/exact-json.ts'
import { endings } from './patterns.ts'
import type { Scanner } from './scanner.ts'
import { readString } from './values.ts'

const { field, quotedSegment, standardSegment, matchSegment } = endings
const dottedField = /(?:facts|trusted|parameters)(?=\.)/y
const functionName = /count|avg|sum|min|max|to_string/y
/** The text after a field in a condition. */
const operator = /[ \t\n\v\f\r]*(?:>=|<=|!=|!~|[<>=~]|in|is )/y
/** The text after a field in a list. */
const separator = /[ \t\n\v\f\r]*[,)\]}]|[ \t\n\v\f\r]/y

/** Reads the field of a condition: what comes after it is an operator. */
export function readField(scanner: Scanner): string | undefined {
  return readFieldBefore(scanner, operator)
}

/**
 * Reads a field: a name, or a path with dots. `match(…)` in a path may end at its parenthesis, or be the start of a name
 * with more characters: the first counts after which the text goes on rightly.
 */
function readFieldBefore(scanner: Scanner, next: RegExp): string | undefined {
  const start = scanner.at
  if (scanner.match(dottedField) === undefined) return scanner.read(field)
  const open = [scanner.at]
  const seen = new Set(open)
  for (let from = open.shift(); from !== undefined; from = open.shift()) {
    for (const end of segmentEnds(scanner, from)) {
      if (scanner.text[end] === '.' && !seen.has(end)) {
        seen.add(end)
        open.push(end)
      }
      next.lastIndex = end
      if (scanner.text[end] !== '.' && next.test(scanner.text)) {
        scanner.at = end
        return scanner.text.slice(start, end)
      }
    }
  }
  scanner.at = start
  return undefined
}

/** The places where a segment of a path may end that starts with the dot at `from`. */
function segmentEnds(scanner: Scanner, from: number): number[] {
  return [quotedSegment, matchSegment, standardSegment].flatMap((segment) => {
    scanner.at = from + 1
    return scanner.read(segment) === undefined ? [] : [scanner.at]
  })
}

/** Reads a field of a list: what comes after it is a comma, an end or space. */
export function readListedField(scanner: Scanner): string | undefined {
  return readFieldBefore(scanner, separator)
}

/** Reads fields and functions with commas between them. */
export function readFields(scanner: Scanner): ExactJson[] | undefined {
  const first = readFieldOrFunction(scanner)
  if (first === undefined) return undefined
  return [first, ...readRest(scanner, () => readFieldOrFunction(scanner))]
}

/** Reads what comes after the first item of a list, each after a comma. */
export function readRest<T>(scanner: Scanner, read: () => T | undefined): T[] {
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

function readFieldOrFunction(scanner: Scanner): ExactJson | undefined {
  return scanner.attempt(() => readFunction(scanner)) ?? readListedField(scanner)
}

/** Reads `name(field, 'text', …)`. */
function readFunction(scanner: Scanner): ExactJson | undefined {
  const name = scanner.match(functionName)
  if (name === undefined) return undefined
  scanner.space()
  if (!scanner.takes('(')) return undefined
  scanner.space()
  const first = readString(scanner) ?? readListedField(scanner)
  const rest = first === undefined ? [] : readRest(scanner, () => readString(scanner))
  scanner.space()
  if (!scanner.takes(')')) return undefined
  return ['function', name, ...(first === undefined ? [] : [first]), ...rest]
}
