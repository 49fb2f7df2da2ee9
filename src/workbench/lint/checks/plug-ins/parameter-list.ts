import type { Definition } from '../../manifest/definitions.ts'
import type { Token, TokenType } from '../../tokens/token.ts'

/** The variables of a definition's parameters. A comma outside the given brackets ends a parameter. */
export function listParameters(
  { parameters }: Pick<Definition, 'parameters'>,
  openers: readonly TokenType[],
  closers: readonly TokenType[],
): Token[] {
  const found: Token[] = []
  let depth: number | undefined
  for (const token of parameters ?? []) {
    if (depth === undefined) {
      if (token.type !== 'VARIABLE') continue
      found.push(token)
      depth = 0
    } else if (openers.includes(token.type)) depth++
    else if (closers.includes(token.type)) depth--
    else if (token.type === 'COMMA' && depth <= 0) depth = undefined
  }
  return found
}
