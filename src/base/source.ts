/** A source text and its name in messages. */
export interface Source {
  /** Path in messages; `undefined` for inline code. */
  readonly file: string | undefined
  readonly text: string
}

/** A range of a source: UTF-16 offsets, `end` exclusive. */
export interface SourceSpan {
  readonly source: Source
  readonly start: number
  readonly end: number
}

/** Line and column, counted from 1. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

const lineStarts = new WeakMap<Source, number[]>()

/** Line and column of an offset; columns count UTF-16 units. */
export function getLineAndColumn(source: Source, offset: number): SourcePosition {
  const starts = listLineStarts(source)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low]! + 1 }
}

/** Line at which a span starts. */
export function getStartLine(span: SourceSpan): number {
  return getLineAndColumn(span.source, span.start).line
}

/** Text of a line (from 1), without its line end. */
export function getLineText(source: Source, line: number): string {
  const starts = listLineStarts(source)
  const start = starts[line - 1]
  if (start === undefined) return ''
  return source.text.slice(start, starts[line] ?? source.text.length).replace(/\r?\n$/, '')
}

/** The span from the start of `first` to the end of `last`. */
export function joinSpans(first: SourceSpan, last: SourceSpan): SourceSpan {
  return { source: first.source, start: first.start, end: last.end }
}

function listLineStarts(source: Source): number[] {
  const known = lineStarts.get(source)
  if (known) return known
  const starts = [0]
  for (let at = source.text.indexOf('\n'); at !== -1; at = source.text.indexOf('\n', at + 1)) starts.push(at + 1)
  lineStarts.set(source, starts)
  return starts
}

/** Span of a line, counted from 1; the last line if the number is too large. */
export function getLineSpan(source: Source, line: number): SourceSpan {
  const starts = listLineStarts(source)
  const start = starts[Math.min(line, starts.length) - 1] ?? 0
  return { source, start, end: start + getLineText(source, Math.min(line, starts.length)).length }
}
