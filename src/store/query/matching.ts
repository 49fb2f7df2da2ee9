import { sql } from 'kysely'
import { linearPattern } from '../../base/text/linear-pattern.ts'
import type { Database } from '../database/database.ts'
import type { Sql } from './entity.ts'
import { fromPostgres } from './postgres-pattern.ts'

/** Compiles a regular expression to a test function with linear running time. Throws EXPRESSION_NOT_LINEAR. */
export function tester(pattern: string): (text: string) => boolean {
  return literal(pattern) ?? general(pattern)
}

/** Compiles a pattern that is plain text, with or without anchors, without RE2. Most patterns have this form. */
function literal(pattern: string): ((text: string) => boolean) | undefined {
  const parts = /^(\^|\.\*)?((?:[^\\^$.|?*+()[\]{}]|\\[.\-/])*)(\$|\.\*)?$/.exec(pattern)
  if (!parts) return undefined
  const [, before, escaped = '', after] = parts
  const word = escaped.replace(/\\(.)/g, '$1')
  if (before === '^' && after === '$') return (text) => text === word
  if (before === '^') return (text) => text.startsWith(word)
  if (after === '$') return (text) => text.endsWith(word)
  return (text) => text.includes(word)
}

function general(pattern: string): (text: string) => boolean {
  const ahead = aheadOf(pattern)
  if (ahead) {
    const [fits, rest] = [tester(`^(?:${ahead.inside})`), tester(`^${ahead.rest}`)]
    return (text) => fits(text) === ahead.wanted && rest(text)
  }
  const compiled = linearPattern(fromPostgres(pattern))
  return (text) => compiled.find(text) !== undefined
}

/**
 * Splits a pattern that begins with a lookahead and contains no other lookahead, such as
 * `^(?!web)`. RE2 does not support lookahead, so the two parts are tested separately.
 */
function aheadOf(pattern: string): { wanted: boolean; inside: string; rest: string } | undefined {
  const [start] = /^\^\(\?[=!]/.exec(pattern) ?? []
  if (start === undefined) return undefined
  const end = closingParenthesis(pattern, start.length)
  const rest = end === undefined ? undefined : pattern.slice(end + 1)
  if (rest === undefined || rest.includes('|') || /^[*+?{]/.test(rest)) return undefined
  return { wanted: start.endsWith('='), inside: pattern.slice(start.length, end), rest }
}

function closingParenthesis(pattern: string, from: number): number | undefined {
  let depth = 1
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '[') return undefined
    else if (pattern[at] === '(') depth++
    else if (pattern[at] === ')') {
      depth--
      if (depth === 0) return at
    }
  }
  return undefined
}

/**
 * A condition that selects the rows whose text matches a pattern. The pattern is tested once for
 * each distinct text, outside of the database.
 */
export async function matchingTexts(
  database: Database,
  { column, from, pattern }: { column: Sql; from: Sql; pattern: string },
): Promise<Sql> {
  const matches = tester(pattern)
  const found: string[] = []
  const distinct = sql`select distinct ${column} as value from ${from}`
  for await (const rows of database.stream<{ value: string | null }>(distinct, 1000))
    for (const { value } of rows) if (value !== null && matches(String(value))) found.push(String(value))
  return sql`(${column} in (select value from ${database.dialect.texts(found)}) and ${column} is not null)`
}
