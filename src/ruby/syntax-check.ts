import type { Json } from '../base/json/json-checks.ts'
import type { RubyMachine } from './ruby-machine.ts'

/** A syntax error of Ruby. Lines and columns count from 1. */
export interface RubySyntaxError {
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * Returns the first syntax error of Ruby code, or of a template; undefined if there is none. The
 * code is parsed, not run.
 */
export function findSyntaxError(
  machine: Pick<RubyMachine, 'callAlone'>,
  text: string,
  { isTemplate = false }: { readonly isTemplate?: boolean } = {},
): RubySyntaxError | undefined {
  const answer = machine.callAlone('check_syntax', [text, isTemplate])
  if (answer === null) return undefined
  // The first element is the tag of a list: see `toRuby`.
  const [, line, column, message] = answer as readonly Json[]
  return { line: Number(line), column: Number(column), message: String(message) }
}
