import { trimTrailing } from '../../base/text/trailing-characters.ts'

/** The characters that `String#strip` of Ruby removes from both ends. */
const blanks = ' \t\n\v\f\r\0'

/** Removes blanks from both ends, as `String#strip` of Ruby. */
export function strip(text: string): string {
  let start = 0
  while (start < text.length && blanks.includes(text[start]!)) start++
  return trimTrailing(text.slice(start), blanks)
}

/** Splits a text at line ends, without the empty lines at its end, as `String#split` of Ruby. */
export function splitLines(text: string, end: RegExp = /\r?\n/): string[] {
  const lines = text.split(end)
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return lines
}

/** Splits a stripped text at the first blanks into a word and the rest. Both are undefined if they are missing. */
export function splitFirstWord(text: string): readonly [word: string | undefined, rest: string | undefined] {
  const stripped = strip(text)
  if (stripped === '') return [undefined, undefined]
  const at = stripped.search(/[ \t\n\v\f\r]/)
  if (at === -1) return [stripped, undefined]
  let end = at
  while (/[ \t\n\v\f\r]/.test(stripped[end] ?? '')) end++
  return [stripped.slice(0, at), stripped.slice(end)]
}

/** Number of blanks at the start of a line. */
export function countIndent(line: string): number {
  let count = 0
  while (count < line.length && ' \t\n\v\f\r'.includes(line[count]!)) count++
  return count
}

/** True for an empty line, or a line of blanks. */
export function isBlankLine(line: string): boolean {
  return countIndent(line) === line.length
}

/**
 * Removes the indentation that a documentation text has because of the code around it, and `%Q{}` around the text.
 * Puppet: util/docs.rb; puppet-strings: yard/util.rb.
 */
export function scrubText(text: string): string {
  const quoted = findQuotedText(text)
  return scrubIndent(quoted ?? text)
}

/** The content of `%q{…}` or `%Q{…}`: from the first line that starts with it to the last line that ends with it. */
function findQuotedText(text: string): string | undefined {
  const start = /^%[Qq]\{/m.exec(text)
  if (start === null) return undefined
  const from = start.index + start[0].length
  for (let end = text.lastIndexOf('}'); end >= from; end = text.lastIndexOf('}', end - 1)) {
    if (end + 1 === text.length || text[end + 1] === '\n') return text.slice(from, end)
    if (end === 0) break
  }
  return undefined
}

function scrubIndent(text: string): string {
  const stripped = strip(text)
  if (!stripped.includes('\n')) return stripped
  const [first = '', ...rest] = text.split('\n')
  const [indent = ''] = rest
    .filter((line) => !isBlankLine(line))
    .map((line) => /^[ \t]*/.exec(line)![0])
    .sort()
  const dedented = [first, ...rest].map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  return trimTrailing(dedented.map((line) => trimTrailing(line, blanks)).join('\n'), blanks)
}

/** A literal as text, as `to_s` of Ruby. */
export function formatRubyText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatRubyLiteral).join(', ')}]`
  if (value instanceof Map)
    return `{${[...value].map(([key, each]) => `${formatRubyLiteral(key)}=>${formatRubyLiteral(each)}`).join(', ')}}`
  return value === undefined ? '' : String(value)
}

function formatRubyLiteral(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value === undefined ? 'nil' : formatRubyText(value)
}
