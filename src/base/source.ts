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
  const line = findLastUpTo(starts, offset)
  return { line: line + 1, column: offset - starts[line]! + 1 }
}

/** Returns the index of the last of the ascending numbers that is at most `most`; -1 if all are greater. */
export function findLastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low - 1
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
