import type { Token, TokenType } from '../../tokens/token.ts'
import { type Check, styleGuide } from '../check.ts'
import { quoteToken } from '../quote.ts'

const escapes = /\\[$"'tsn\\]|['\r\t\n]/

/** `double_quoted_strings` */
export const doubleQuotedStrings: Check = {
  name: 'double_quoted_strings',
  doc: 'A string without variables and escapes is single-quoted.',
  helpUri: styleGuide('quoting'),
  check(manifest, report) {
    const message = 'double quoted string containing no variables'
    for (const token of manifest.select('STRING')) {
      if (escapes.test(token.value.replaceAll(' '.repeat(token.column), '\n'))) continue
      report({ severity: 'warning', message, at: token, fix: quoteToken(token) })
    }
  },
}

/** `quoted_booleans` */
export const quotedBooleans: Check = {
  name: 'quoted_booleans',
  doc: 'A boolean is not quoted.',
  isOptional: true,
  check(manifest, report) {
    for (const token of manifest.select('STRING', 'SSTRING')) {
      if (token.value !== 'true' && token.value !== 'false') continue
      const fix = () => {
        token.type = token.value.toUpperCase() as TokenType
        return true
      }
      report({ severity: 'warning', message: 'quoted boolean value found', at: token, fix })
    }
  },
}

/** `single_quote_string_with_variables` */
export const singleQuoteStringWithVariables: Check = {
  name: 'single_quote_string_with_variables',
  doc: 'A single-quoted string contains no variables.',
  helpUri: styleGuide('quoting'),
  check(manifest, report) {
    const message = 'single quoted string containing a variable found'
    for (const token of manifest.select('SSTRING')) {
      if (!token.value.includes('${') || isInlineTemplate(token)) continue
      report({ severity: 'error', message, at: token })
    }
  },
}

function isInlineTemplate({ previous }: Token): boolean {
  const call = previous?.previous?.value ?? ''
  return call.includes('inline_epp') || call.includes('inline_template')
}
