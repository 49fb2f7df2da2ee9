/** Query parameters by name, as rules of auth.conf read them. */
export type RuleParameters = ReadonlyMap<string, readonly string[]>

/**
 * Parses a query like Puppet Server's authorization: no parameter is dropped, and a query without
 * any `=` has no parameters. `undefined` if a parameter is not percent-encoded UTF-8.
 */
export function parseRuleParameters(query: string): RuleParameters | undefined {
  const parameters = new Map<string, string[]>()
  if (!query.includes('=')) return parameters
  for (const field of query.split('&')) {
    const equals = field.indexOf('=')
    const name = decodeParameter(equals === -1 ? field : field.slice(0, equals))
    const value = decodeParameter(equals === -1 ? '' : field.slice(equals + 1))
    if (name === undefined || value === undefined) return undefined
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

function decodeParameter(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
