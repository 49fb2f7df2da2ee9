import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Hash } from '../../values/hash.ts'
import { ObjectValue } from '../../values/object.ts'
import type { Value } from '../../values/value.ts'
import { elementFormats, type FormatMap, type StringFormat } from './string-format.ts'

/** Nesting level of a value, whether it is a first element, and whether elements start on new lines. */
export interface Indentation {
  readonly level: number
  readonly first: boolean
  readonly breaking: boolean
}

/** Indentation of the outermost level, on one line. */
export const flat: Indentation = { level: 0, first: true, breaking: false }

type Write = (value: Value, formats: FormatMap, indentation: Indentation) => string

const isCollection = (value: Value): boolean => Array.isArray(value) || value instanceof Hash
const isNestable = (value: Value): boolean => isCollection(value) || value instanceof ObjectValue
const formatPadding = ({ level }: Indentation): string => '  '.repeat(level)
const formatOpening = (at: Indentation): string =>
  at.breaking && at.level > 0 && !at.first ? `\n${formatPadding(at)}` : ''

/**
 * Formats `[a, b]`. With `#`, nested collections start on new lines, and long lines are broken at
 * the format's width.
 */
export function formatArray(
  values: readonly Value[],
  format: StringFormat,
  formats: FormatMap,
  given: Indentation,
  write: Write,
): string {
  if (!/[asp]/.test(format.letter)) return failBadFormat('Array', format, 'asp')
  const { alternate, separator = ', ', elements = elementFormats } = format
  const [open, close] = format.delimiters ?? ['[', ']']
  const here = { ...given, breaking: alternate || given.breaking }
  const indentElement = (index: number): Indentation => ({
    level: here.level + 1,
    first: index === 0,
    breaking: alternate,
  })
  const written = values.map((value, index) =>
    write(value, isNestable(value) ? formats : elements, { ...indentElement(index), first: false }),
  )
  const breaks = alternate && format.width !== undefined && measureWidest(values, written) > format.width

  let text = formatOpening(here) + open
  for (const [index, value] of values.entries()) {
    const single = !isCollection(value)
    if (index === 0) text += breaks && single ? ' ' : ''
    else {
      text += separator
      const afterCollection = alternate && isCollection(values[index - 1])
      if (single && (breaks || afterCollection)) text = `${trimBlanks(text)}\n${formatPadding(indentElement(index))}`
    }
    if (written[index]!.startsWith('\n')) text = trimBlanks(text)
    text += written[index]!
  }
  return text + close
}

/** Formats `{a => b}`; with `#`, one entry per line. */
export function formatHash(
  hash: Hash,
  format: StringFormat,
  formats: FormatMap,
  given: Indentation,
  write: Write,
): string {
  if (!/[hsp]/.test(format.letter)) return failBadFormat('Hash', format, 'hasp')
  const { alternate, separator = ', ', separator2 = ' => ', elements = elementFormats } = format
  const [open, close] = format.delimiters ?? ['{', '}']
  const here = { ...given, breaking: alternate || given.breaking }
  const inner: Indentation = { level: here.level + 1, first: true, breaking: false }
  const formatPiece = (value: Value) => write(value, isNestable(value) ? formats : elements, inner)
  const margin = alternate ? formatPadding(inner) : ''
  const entries = Array.from(hash, ([key, value]) => `${margin}${formatPiece(key)}${separator2}${formatPiece(value)}`)
  const between = alternate ? `${separator.endsWith('\n') ? separator : separator.trimEnd()}\n` : separator
  const line = alternate ? '\n' : ''
  return `${formatOpening(here)}${open}${line}${entries.join(between)}${alternate ? `\n${formatPadding(here)}` : ''}${close}`
}

function failBadFormat(type: string, { letter }: StringFormat, expected: string): never {
  throwArgumentError(
    `Illegal format '${letter}' specified for value of ${type} type - expected one of the characters '${expected}'`,
  )
}

function trimBlanks(text: string): string {
  return text.endsWith('\n') ? text : text.trimEnd()
}

/** Length of the longest run of elements that are not collections. */
function measureWidest(values: readonly Value[], written: readonly string[]): number {
  let longest = 0
  let run = 0
  for (const [index, value] of values.entries()) {
    run = isCollection(value) ? 0 : run + written[index]!.length
    longest = Math.max(longest, run)
  }
  return longest
}
