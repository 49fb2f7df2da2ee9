import type { ExactJson } from '../../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../../src/base/json/json-text.ts'
import { parsePql } from '../../../../src/store/query/pql/parser.ts'

/** The tree as JSON, the position of a syntax error, or the message about a value. */
export function outcome(text: string): string {
  try {
    return formatExactJson(parsePql(text))
  } catch (error) {
    return position((error as Error).message)
  }
}

/** The first line of a syntax error; another message is returned unchanged. */
export function position(message: string): string {
  return /^PQL parse error at line [\d,]+, column [\d,]+:/.exec(message)?.[0] ?? message
}

/** PuppetDB's outcome in the same form. */
export function canonical(line: string): string {
  const { ast, error, failure } = parseJson(line) as { readonly ast?: ExactJson; error?: string; failure?: string }
  return ast === undefined ? position(String(error ?? failure)) : formatExactJson(ast)
}
