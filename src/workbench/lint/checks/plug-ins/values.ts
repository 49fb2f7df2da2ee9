import { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import type { Check } from '../check.ts'
import { quoteToken } from '../quote.ts'
import { removeIndexes } from '../variables/indexes.ts'

/** `leading_zero` */
export const leadingZero: Check = {
  name: 'leading_zero',
  doc: 'A number with a leading zero is quoted.',
  isOptional: true,
  check(manifest, report) {
    for (const token of manifest.select('NUMBER')) {
      if (!/^0\d/.test(token.value)) continue
      const message = 'unquoted number with leading zero'
      report({ severity: 'warning', message, at: token, fix: quoteToken(token) })
    }
  },
}

/** `variable_contains_upcase` */
export const variableContainsUpcase: Check = {
  name: 'variable_contains_upcase',
  doc: 'The name of a variable contains no capital letter; --fix changes the name.',
  isOptional: true,
  check(manifest, report) {
    for (const token of manifest.select('VARIABLE', 'UNENC_VARIABLE')) {
      if (!/[A-Z]/.test(removeIndexes(token.value))) continue
      const fix = () => {
        token.value = token.value.toLowerCase()
        return true
      }
      report({ severity: 'warning', message: 'variable contains a capital letter', at: token, fix })
    }
  },
}

/** `version_comparison` */
export const versionComparison: Check = {
  name: 'version_comparison',
  doc: 'Versions are compared with versioncmp.',
  isOptional: true,
  check(manifest, report) {
    for (const token of manifest.select('VARIABLE')) {
      if (!/(?:version|release)$/.test(token.value) || !isComparison(token.nextCode)) continue
      const fix = (list: TokenList) => callVersioncmp(token, list)
      report({ severity: 'warning', message: 'version compared as number', at: token, fix })
    }
  },
}

function isComparison(operator: Token | undefined): boolean {
  switch (operator?.type) {
    case 'GREATEREQUAL':
    case 'GREATERTHAN':
    case 'LESSEQUAL':
    case 'LESSTHAN':
      return true
    case 'ISEQUAL':
    case 'NOTEQUAL':
      return operator.nextCode?.type === 'NUMBER'
    default:
      return false
  }
}

/** Replaces `$version >= 4` by `versioncmp($version, '4') >= 0`. False for a value of several tokens. */
function callVersioncmp(variable: Token, list: TokenList): boolean {
  const value = variable.nextCode?.nextCode
  if (!value || !['NUMBER', 'STRING', 'SSTRING', 'VARIABLE'].includes(value.type)) return false
  if (['DOT', 'LBRACK', 'LPAREN'].includes(value.nextCode?.type ?? '')) return false
  const compared = new Token(value.type === 'VARIABLE' ? 'VARIABLE' : 'SSTRING', value.value)
  for (const token of [new Token('NAME', 'versioncmp'), new Token('LPAREN', '(')]) list.placeBefore(token, variable)
  const place = variable.after
  const added = [new Token('COMMA', ','), new Token('WHITESPACE', ' '), compared, new Token('RPAREN', ')')]
  for (const token of added) list.placeBefore(token, place)
  value.type = 'NUMBER'
  value.value = '0'
  return true
}
