/** What a query or a form says: each name with its values, in their order. */
export type Parameters = ReadonlyMap<string, readonly string[]>

/** A client may not say who it is or where files lie. Puppet: network/http/api/indirected_routes.rb. */
const dropped = new Set(['node', 'ip', 'bucket_path'])

/** The parameters of a query string or of a form body. */
export function parseParameters(text: string): Parameters {
  const parameters = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (dropped.has(name)) continue
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

/** One value; the first, when there are several. */
export function parameter(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.[0]
}

/** All values of a name, which Ruby clients may write as `name[]`. */
export function parameterList(parameters: Parameters, name: string): readonly string[] {
  return parameters.get(name) ?? parameters.get(`${name}[]`) ?? []
}

/** Both; what the form says wins. */
export function overridden(query: Parameters, form: Parameters): Parameters {
  return new Map([...query, ...form])
}
