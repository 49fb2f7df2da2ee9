import { sql } from 'kysely'
import { compileLinearPattern } from '../../base/text/linear-pattern.ts'
import type { Database } from '../database/database.ts'
import type { Sql } from './entity.ts'
import { toRe2Pattern } from './postgres-pattern.ts'

/** Compiles a regular expression to a test function with linear running time. Throws EXPRESSION_NOT_LINEAR. */
export function compileTester(pattern: string): (text: string) => boolean {
  return compileLiteral(pattern) ?? compileGeneralPattern(pattern)
}

/** Compiles a pattern that is plain text, with or without anchors, without RE2. Most patterns have this form. */
function compileLiteral(pattern: string): ((text: string) => boolean) | undefined {
  const parts = /^(\^|\.\*)?((?:[^\\^$.|?*+()[\]{}]|\\[.\-/])*)(\$|\.\*)?$/.exec(pattern)
  if (!parts) return undefined
  const [, before, escaped = '', after] = parts
  const word = escaped.replace(/\\(.)/g, '$1')
  if (before === '^' && after === '$') return (text) => text === word
  if (before === '^') return (text) => text.startsWith(word)
  if (after === '$') return (text) => text.endsWith(word)
  return (text) => text.includes(word)
}

function compileGeneralPattern(pattern: string): (text: string) => boolean {
  const ahead = splitLookahead(pattern)
  if (ahead) {
    const [fits, rest] = [compileTester(`^(?:${ahead.inside})`), compileTester(`^${ahead.rest}`)]
    return (text) => fits(text) === ahead.wanted && rest(text)
  }
  const compiled = compileLinearPattern(toRe2Pattern(pattern))
  return (text) => compiled.find(text) !== undefined
}

/**
 * Splits a pattern that begins with a lookahead and contains no other lookahead, such as
 * `^(?!web)`. RE2 does not support lookahead, so the two parts are tested separately.
 */
function splitLookahead(pattern: string): { wanted: boolean; inside: string; rest: string } | undefined {
  const [start] = /^\^\(\?[=!]/.exec(pattern) ?? []
  if (start === undefined) return undefined
  const end = findClosingParenthesis(pattern, start.length)
  const rest = end === undefined ? undefined : pattern.slice(end + 1)
  if (rest === undefined || rest.includes('|') || /^[*+?{]/.test(rest)) return undefined
  return { wanted: start.endsWith('='), inside: pattern.slice(start.length, end), rest }
}

function findClosingParenthesis(pattern: string, from: number): number | undefined {
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
export async function selectMatchingTexts(
  database: Database,
  { column, from, pattern }: { column: Sql; from: Sql; pattern: string },
): Promise<Sql> {
  const matches = compileTester(pattern)
  const found: string[] = []
  const distinct = sql`select distinct ${column} as value from ${from}`
  for await (const rows of database.stream<{ value: string | null }>(distinct, 1000))
    for (const { value } of rows) if (value !== null && matches(String(value))) found.push(String(value))
  return sql`(${column} in (select value from ${database.dialect.texts(found)}) and ${column} is not null)`
}
