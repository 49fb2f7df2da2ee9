import type { Manifest } from '../../manifest/manifest.ts'
import type { Meter } from '../../manifest/meter.ts'
import type { Token, TokenType } from '../../tokens/token.ts'
import type { Check } from '../check.ts'
import { quoteToken } from '../quote.ts'

/** `unquoted_string_in_case` */
export const unquotedStringInCase: Check = createCheck('unquoted_string_in_case', 'CASE', 'COLON', 'case')

/** `unquoted_string_in_selector` */
export const unquotedStringInSelector: Check = createCheck('unquoted_string_in_selector', 'QMARK', 'FARROW', 'selector')

function createCheck(name: string, start: TokenType, separator: TokenType, statement: string): Check {
  return {
    name,
    doc: `The options of a ${statement} are quoted.`,
    isOptional: true,
    check(manifest, report) {
      const message = `unquoted string in ${statement}`
      for (const token of manifest.select(start)) {
        for (const option of findOptions(token, separator, manifest))
          report({ severity: 'warning', message, at: option, fix: quoteToken(option) })
      }
    },
  }
}

/** The words before the separators of a statement, outside the blocks of its options. */
function* findOptions(start: Token, separator: TokenType, { tokens, meter }: Manifest): Generator<Token> {
  const end = findEnd(start, tokens, meter)
  let depth = 0
  for (let at = start.index; at <= end; at++) {
    const token = tokens[at]!
    if (token.type === 'LBRACE') depth++
    else if (token.type === 'RBRACE') depth--
    else if (depth <= 1 && token.type === separator) yield* listWordsBefore(token)
  }
}

/** The index of the closing brace; if there is none, of the last block. */
function findEnd(start: Token, tokens: readonly Token[], meter: Meter): number {
  let depth = 0
  let lastBlock = start.index
  for (let at = start.index + 1; at < tokens.length; at++) {
    const { type } = tokens[at]!
    if (type === 'LBRACE') {
      depth++
      if (depth === 2) lastBlock = at
    } else if (type === 'RBRACE') {
      depth--
      if (depth === 0) {
        meter.spend(at - start.index)
        return at
      }
    }
  }
  meter.spend(tokens.length - start.index)
  return lastBlock
}

function* listWordsBefore(separator: Token): Generator<Token> {
  for (let token = separator.previous; token; token = token.previous) {
    if (token.type === 'NEWLINE' || token.type === 'LBRACE') return
    if (token.type === 'NAME' || (token.type === 'CLASSREF' && !token.value.includes('::'))) yield token
  }
}
