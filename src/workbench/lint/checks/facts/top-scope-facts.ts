import type { Check } from '../check.ts'
import { legacyFactNames } from './structured-facts.ts'

/** `top_scope_facts` */
export const topScopeFacts: Check = {
  name: 'top_scope_facts',
  doc: 'A fact is read from $facts instead of a variable of the top scope.',
  check(manifest, report) {
    const allowed = ['trusted', 'facts', ...legacyFactNames, ...(manifest.options.topScopeVariables ?? [])]
    for (const token of manifest.select('VARIABLE', 'UNENC_VARIABLE')) {
      if (!token.value.startsWith('::')) continue
      const name = token.value.slice(2)
      // As in puppet-lint, the beginning of a name is enough.
      if (allowed.some((each) => name.startsWith(each)) || /^[a-z0-9_][a-zA-Z0-9_]+::/.test(name)) continue
      const fix = () => {
        // The correction of legacy_facts may have replaced the variable.
        if (!token.value.startsWith('::')) return true
        const bracket = name.indexOf('[')
        token.value = bracket === -1 ? `facts['${name}']` : `facts['${name.slice(0, bracket)}']${name.slice(bracket)}`
        return true
      }
      report({ severity: 'warning', message: 'top scope fact instead of facts hash', at: token, fix })
    }
  },
}
