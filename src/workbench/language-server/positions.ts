import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Location, Position, Range } from 'vscode-languageserver'
import { getLineAndColumn, type Source, type SourceSpan } from '../../base/source.ts'
import type { LocatedOccurrence } from '../code-index/code-workspace.ts'
import { isDataFile } from '../code-index/data-keys.ts'
import type { Occurrence } from '../code-index/occurrence.ts'

/** Position of an offset; lines and UTF-16 columns count from 0. */
export function toPosition(source: Source, offset: number): Position {
  const { line, column } = getLineAndColumn(source, offset)
  return { line: line - 1, character: column - 1 }
}

/** Range of a span. */
export function toRange({ source, start, end }: SourceSpan): Range {
  return { start: toPosition(source, start), end: toPosition(source, end) }
}

/** Location of an occurrence. */
export function toLocation({ path, span }: LocatedOccurrence): Location {
  return { uri: toUri(path), range: toRange(span) }
}

/** Address of a file. */
export function toUri(path: string): string {
  return pathToFileURL(path).href
}

/** Path of a file; undefined for a document that is not a file. */
export function toPath(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined
  } catch {
    return undefined
  }
}

/** Offset of a position; beyond the end of its line, the end of the line. */
export function toOffset(text: string, { line, character }: Position): number {
  let start = 0
  for (let at = 0; at < line; at++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + character, end === -1 ? text.length : end)
}

/** The innermost occurrence at an offset; of several with the same span, the last one. */
export function findOccurrenceAt(occurrences: readonly Occurrence[], offset: number): Occurrence | undefined {
  return occurrences
    .filter(({ span }) => span.start <= offset && offset <= span.end)
    .sort((a, b) => b.span.end - b.span.start - (a.span.end - a.span.start))
    .at(-1)
}

/** True for a manifest or an EPP template; templates in ERB and data are no code of Puppet. */
export function isCodeFile(path: string): boolean {
  return !isDataFile(path) && !/\.(?:json|erb|rb)$/.test(path) && !isPuppetfile(path)
}

/** True for a Puppetfile. */
export function isPuppetfile(path: string): boolean {
  return basename(path) === 'Puppetfile'
}
