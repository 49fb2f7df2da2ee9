import type { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import { type Check, styleGuide } from '../check.ts'

/** `only_variable_string` */
export const onlyVariableString: Check = {
  name: 'only_variable_string',
  doc: 'A string does not consist of one variable.',
  helpUri: styleGuide('quoting'),
  check(manifest, report) {
    const { tokens } = manifest
    const message = 'string containing only a variable'
    for (const start of manifest.select('DQPRE')) {
      const variable = start.next
      if (start.value !== '' || !variable) continue
      if (variable.type !== 'VARIABLE' && variable.type !== 'UNENC_VARIABLE') continue
      let at = start.index + 2
      // Indexes have three tokens: brackets around a text.
      while (tokens[at]?.type === 'LBRACK') at += 3
      const end = tokens[at]
      if (end?.type !== 'DQPOST' || end.value !== '' || end.nextCode?.type === 'FARROW') continue
      report({ severity: 'warning', message, at: variable, fix: (list) => removeQuotes(start, variable, end, list) })
    }
  },
}

function removeQuotes(start: Token, variable: Token, end: Token, list: TokenList): boolean {
  list.remove(start)
  list.remove(end)
  variable.type = 'VARIABLE'
  return true
}
