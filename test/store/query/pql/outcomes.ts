import type { ExactJson } from '../../../../src/base/json/exact-json.ts'
import { parseJson, printJson } from '../../../../src/base/json/json-text.ts'
import { parsePql } from '../../../../src/store/query/pql/parser.ts'

/** The tree, or the message, as text. */
export function outcome(text: string): string {
  try {
    return printJson(parsePql(text))
  } catch (error) {
    return (error as Error).message
  }
}

/** An answer of PuppetDB in the same form. */
export function canonical(line: string): string {
  const { ast, error, failure } = parseJson(line) as { readonly ast?: ExactJson; error?: string; failure?: string }
  return ast === undefined ? String(error ?? failure) : printJson(ast)
}
