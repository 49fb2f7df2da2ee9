import { findReplacementPath } from '../../node/facts/legacy.ts'

/**
 * Hint for an unknown variable: the fact that replaced a legacy fact, a variable with a similar name, or the settings
 * to change.
 */
export function formatUnknownVariableHint(variable: string, similar: string | undefined): string {
  const name = variable.replace(/^::/, '')
  const path = findReplacementPath(name)
  if (path !== undefined) {
    const fact = path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `['${key}']`)).join('')
    return `'${name}' is a legacy fact, which agents send only with include_legacy_facts = true. Use $facts${fact} instead.`
  }
  if (similar !== undefined) return similar
  return 'Unknown variables are errors with strict_variables = true or strict = error, the defaults of Puppet 8.'
}
