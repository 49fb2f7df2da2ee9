import { throwInvalidQuery } from './issues.ts'

/**
 * A part of a field after the first name: a key, a key with an index (`partitions[3]`), or a
 * pattern (`match("eth.*")`).
 */
export type FieldPart =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly name: string; readonly index: number }
  | { readonly kind: 'match'; readonly pattern: string }

/** A field as written in a query: `facts.os.family`. */
export interface FieldPath {
  readonly top: string
  readonly path: readonly FieldPart[]
}

/** Parses a field. Throws INVALID_QUERY. puppetlabs.puppetdb.query-eng.parse. */
export function parseField(text: string, { patterns = true } = {}): FieldPath {
  if (text === '') return throwInvalidQuery('Empty AST field')
  const top = /^[a-zA-Z][_0-9a-zA-Z]*\??(?=\.|$)/.exec(text)?.[0]
  if (top === undefined) return throwInvalidQuery(`First component of AST field is invalid: ${JSON.stringify(text)}`)
  const path: FieldPart[] = []
  let at = top.length
  while (at < text.length) {
    const { part, end } = parsePart(text, at + 1, patterns)
    path.push(part)
    at = end
  }
  return { top, path }
}

function parsePart(text: string, from: number, patterns: boolean): { part: FieldPart; end: number } {
  if (text.startsWith('""', from))
    return throwInvalidQuery(`Empty AST field component at character ${from}: ${JSON.stringify(text)}`)
  if (patterns && text.startsWith('match("', from)) {
    const end = findClosingMark(text, from + 'match("'.length, '")', 'last')
    if (end !== undefined)
      return { part: { kind: 'match', pattern: text.slice(from + 'match("'.length, end) }, end: end + 2 }
  }
  if (text.startsWith('"', from)) {
    const end = findClosingMark(text, from + 1, '"', 'first')
    if (end !== undefined) return { part: parseNamedPart(text.slice(from + 1, end)), end: end + 1 }
  }
  const dot = text.indexOf('.', from)
  const end = dot === -1 ? text.length : dot
  if (end === from)
    return throwInvalidQuery(`Don't recognize AST field component at character ${from}: ${JSON.stringify(text)}`)
  return { part: parseNamedPart(text.slice(from, end)), end }
}

/** Returns the position of a closing mark that is not escaped and is followed by a dot or the end of the text. */
function findClosingMark(text: string, from: number, mark: string, which: 'first' | 'last'): number | undefined {
  let found: number | undefined
  for (let at = text.indexOf(mark, from + 1); at !== -1; at = text.indexOf(mark, at + 1)) {
    const after = at + mark.length
    if (text[at - 1] === '\\' || (after < text.length && text[after] !== '.')) continue
    found = at
    if (which === 'first') break
  }
  return found
}

function parseNamedPart(name: string): FieldPart {
  const index = /^(.+)\[(\d{1,9})\]$/s.exec(name)
  return index ? { kind: 'index', name: index[1]!, index: Number(index[2]) } : { kind: 'name', name }
}
