import type { Issue } from '../../../base/issue.ts'
import { findLastUpTo } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import { blank, isBlankCode, quoteExcerpt } from './characters.ts'

/** A parsed heredoc head: `@("TAG":syntax/flags)`. */
export interface HeredocHead {
  readonly tag: string
  readonly syntax: string
  /** Characters that form an escape sequence after a backslash; empty for a heredoc without flags. */
  readonly escapes: ReadonlySet<string>
  readonly interpolates: boolean
  readonly end: number
}

/** Text of a heredoc without its margin. */
export interface HeredocBody {
  readonly text: string
  /** Offset after the line that contains the end tag. */
  readonly end: number
  /** Converts an offset in `text` to an offset in the source. */
  toSourceOffset(offset: number): number
}

/** Throws a syntax error at an offset of the source. */
export type ReportSyntaxError = <A>(issue: Issue<A>, a: A, at: number) => never

const headPattern = new RegExp(
  `@\\(([^:/\\r\\n)]+)(?::${blank}*([a-z][a-zA-Z0-9_+]+)${blank}*)?(?:/([\\w$]*)${blank}*)?\\)`,
  'y',
)

/** Parses the `@(…)` at `at`. */
export function readHeredocHead(source: string, at: number, complain: ReportSyntaxError): HeredocHead {
  const close = source.indexOf(')', at)
  if (close === -1) complain(syntaxIssues.HEREDOC_UNCLOSED_PARENTHESIS, { followedBy: quoteExcerpt(source, at) }, at)
  const end = close + 1
  headPattern.lastIndex = at
  const match = headPattern.exec(source)
  if (!match) complain(syntaxIssues.HEREDOC_INVALID_SYNTAX, {}, end)
  const [, written = '', syntax = '', flags] = match
  const quoted = /^"(.*)"$/.exec(written.trim())
  const tag = quoted ? quoted[1]!.trim() : written.trim()
  if (tag === '') complain(syntaxIssues.HEREDOC_EMPTY_ENDTAG, {}, end)
  return { tag, syntax, escapes: parseEscapes(flags, end, complain), interpolates: quoted !== null, end }
}

function parseEscapes(flags: string | undefined, at: number, complain: ReportSyntaxError): ReadonlySet<string> {
  if (flags === undefined) return new Set()
  const escapes = [...(flags === '' ? 'trnsuL$' : flags)]
  if (new Set(escapes).size < escapes.length) complain(syntaxIssues.HEREDOC_MULTIPLE_AT_ESCAPES, { escapes }, at)
  const unknown = escapes.find((each) => !'trnsuL$'.includes(each))
  if (unknown !== undefined) complain(syntaxIssues.HEREDOC_INVALID_ESCAPE, { actual: unknown }, at)
  return new Set(['\\', ...escapes.flatMap((each) => (each === 'L' ? ['\n', '\r\n'] : [each]))])
}

/**
 * Reads lines from `at` up to the line that ends with the tag; any text may precede the tag on that line. If a line
 * contains text inside the margin, keeps that text, as in Puppet (heredoc_support.rb).
 */
export function readHeredocBody(source: string, at: number, tag: string, complain: ReportSyntaxError): HeredocBody {
  const lines: string[] = []
  for (let position = at; position < source.length; ) {
    const newline = source.indexOf('\n', position)
    const end = newline === -1 ? source.length : newline + 1
    const line = source.slice(position, end)
    const last = parseLastLine(line, tag)
    if (last) return makeBody(lines, at, end, last.margin, last.chomp)
    lines.push(line)
    position = end
  }
  complain(syntaxIssues.HEREDOC_WITHOUT_END_TAGGED_LINE, {}, at)
}

/** Parses an end line such as `  |- TAG`; `undefined` for other lines. */
function parseLastLine(line: string, tag: string): { readonly margin: string; readonly chomp: boolean } | undefined {
  const start = line.lastIndexOf(tag)
  if (start < 0 || !endOfLine.test(line.slice(start + tag.length))) return undefined
  let at = skipBlanksBackward(line, start)
  const chomp = line[at - 1] === '-'
  if (chomp) at = skipBlanksBackward(line, at - 1)
  if (line[at - 1] !== '|') return { margin: '', chomp }
  return { margin: line.slice(skipBlanksBackward(line, at - 1), at - 1), chomp }
}

const endOfLine = new RegExp(`^${blank}*\\r?\\n?$`)

function skipBlanksBackward(line: string, end: number): number {
  let at = end
  while (at > 0 && line[at - 1] !== '\r' && isBlankCode(line.charCodeAt(at - 1))) at--
  return at
}

function makeBody(lines: readonly string[], at: number, end: number, margin: string, chomp: boolean): HeredocBody {
  const starts: number[] = []
  const places: number[] = []
  let text = ''
  let place = at
  for (const line of lines) {
    const removed = margin !== '' && line.startsWith(margin) ? margin.length : 0
    starts.push(text.length)
    places.push(place + removed)
    text += line.slice(removed)
    place += line.length
  }
  if (chomp) text = text.replace(/\r?\n$/, '')
  return {
    text,
    end,
    toSourceOffset(offset) {
      if (offset === 0) return at
      const line = Math.max(0, findLastUpTo(starts, offset))
      return offset - (starts[line] ?? 0) + (places[line] ?? at)
    },
  }
}
