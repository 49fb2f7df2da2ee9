import type { Check } from '../check.ts'
import { legacyFactNames } from './structured-facts.ts'

const facts = ['trusted', 'facts', ...legacyFactNames]

/** `top_scope_facts` */
export const topScopeFacts: Check = {
  name: 'top_scope_facts',
  doc: 'A fact is read from $facts instead of a variable of the top scope.',
  check(manifest, report) {
    const { topScopeVariables = [] } = manifest.options
    const isAllowed = (name: string) =>
      facts.some((each) => name.startsWith(each)) || topScopeVariables.some((each) => name.startsWith(each))
    for (const token of manifest.select('VARIABLE', 'UNENC_VARIABLE')) {
      if (!token.value.startsWith('::')) continue
      const name = token.value.slice(2)
      // As in puppet-lint, the beginning of a name is enough.
      if (isAllowed(name) || /^[a-z0-9_][a-zA-Z0-9_]+::/.test(name)) continue
      const fix = () => {
        // The correction of legacy_facts may have replaced the variable.
        if (!token.value.startsWith('::')) return true
        // The correction of variables_not_enclosed may have shortened the name.
        const [, fact = '', indexes = ''] = /^::([^[]*)(.*)$/s.exec(token.value) ?? []
        // The lexer reads a subtraction as a part of the name.
        if (fact.includes('-')) return false
        token.value = `facts['${fact}']${indexes}`
        return true
      }
      report({ severity: 'warning', message: 'top scope fact instead of facts hash', at: token, fix })
    }
  },
}
