import type { Token } from '../../tokens/token.ts'
import { type Check, styleGuide } from '../check.ts'

/** `parameter_order` */
export const parameterOrder: Check = {
  name: 'parameter_order',
  doc: 'Parameters without a default value come before those with one.',
  helpUri: styleGuide('params-display-order'),
  check({ definitions }, report) {
    const message = 'optional parameter listed before required parameter'
    for (const { parameters } of definitions) {
      let parentheses = 0
      let collections = 0
      let hasDefault = false
      for (const token of parameters ?? []) {
        switch (token.type) {
          case 'LPAREN':
            parentheses++
            break
          case 'RPAREN':
            parentheses = Math.max(0, parentheses - 1)
            break
          case 'LBRACE':
          case 'LBRACK':
            collections++
            break
          case 'RBRACE':
          case 'RBRACK':
            collections = Math.max(0, collections - 1)
            break
          case 'EQUALS':
            hasDefault = true
            break
        }
        if (hasDefault && collections === 0 && parentheses === 0 && isParameter(token) && isRequired(token))
          report({ severity: 'warning', message, at: token })
      }
    }
  },
}

function isParameter({ type, previousCode }: Token): boolean {
  if (type !== 'VARIABLE') return false
  switch (previousCode?.type) {
    case 'LPAREN':
    case 'COMMA':
    case 'TYPE':
    case 'RBRACK':
    case 'CLASSREF':
      return true
    default:
      return false
  }
}

function isRequired({ nextCode, previousCode }: Token): boolean {
  if (nextCode && nextCode.type !== 'COMMA' && nextCode.type !== 'RPAREN') return false
  return previousCode?.type !== 'EQUALS'
}
