import { Token } from '../../../tokens/token.ts'
import type { TokenList } from '../../../tokens/token-list.ts'
import type { Check } from '../../check.ts'

/** `manifest_whitespace_two_empty_lines` */
export const twoEmptyLines: Check = {
  name: 'manifest_whitespace_two_empty_lines',
  doc: 'At most one empty line separates code.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be no two consecutive empty lines'
    for (const token of manifest.select('NEWLINE')) {
      const before = findLineBreakBefore(token)
      if (before && findLineBreakBefore(before)) report({ severity: 'error', message, at: token, fix: remove(token) })
    }
  },
}

/** The line break that only space separates from this one. */
function findLineBreakBefore({ previous }: Token): Token | undefined {
  let token = previous
  while (token?.type === 'WHITESPACE' || token?.type === 'INDENT') token = token.previous
  return token?.type === 'NEWLINE' ? token : undefined
}

const remove = (token: Token) => (list: TokenList) => {
  list.remove(token)
  return true
}

/** `manifest_whitespace_newline_beginning_of_file` */
export const newlineBeginningOfFile: Check = {
  name: 'manifest_whitespace_newline_beginning_of_file',
  doc: 'A manifest does not begin with an empty line.',
  isOptional: true,
  check({ tokens }, report) {
    const message = 'there should not be a newline at the beginning of a manifest'
    for (const token of tokens) {
      if (token.type !== 'NEWLINE') return
      report({ severity: 'error', message, at: token, fix: remove(token) })
    }
  },
}

const endMessage = 'there should be a single newline at the end of a manifest'

/** `manifest_whitespace_missing_newline_end_of_file` */
export const missingNewlineEndOfFile: Check = {
  name: 'manifest_whitespace_missing_newline_end_of_file',
  doc: 'A manifest ends with a line break.',
  isOptional: true,
  check({ tokens }, report) {
    const last = tokens.at(-1)
    if (!last || last.type === 'NEWLINE') return
    const fix = (list: TokenList) => {
      list.placeBefore(new Token('NEWLINE', list.lineBreak), last.after)
      return true
    }
    report({ severity: 'error', message: endMessage, at: last, fix })
  },
}

/** `manifest_whitespace_double_newline_end_of_file` */
export const doubleNewlineEndOfFile: Check = {
  name: 'manifest_whitespace_double_newline_end_of_file',
  doc: 'A manifest does not end with an empty line.',
  isOptional: true,
  check({ tokens }, report) {
    for (
      let last = tokens.at(-1);
      last?.type === 'NEWLINE' && last.previous?.type === 'NEWLINE';
      last = last.previous
    ) {
      const token = last
      const fix = (list: TokenList) => {
        list.unplace(token)
        return true
      }
      report({ severity: 'error', message: endMessage, at: token, fix })
    }
  },
}
