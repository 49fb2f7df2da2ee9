/** What a query or a form says: each name with its values, in their order. */
export type Parameters = ReadonlyMap<string, readonly string[]>

/** A client may not say who it is or where files lie. Puppet: network/http/api/indirected_routes.rb. */
const dropped = new Set(['node', 'ip', 'bucket_path'])

/** The parameters of a query string or of a form body. */
export function parseParameters(text: string): Parameters {
  const parameters = new Map<string, string[]>()
  for (const field of text.split('&')) {
    if (field === '') continue
    const equals = field.indexOf('=')
    const name = decoded(equals === -1 ? field : field.slice(0, equals))
    if (dropped.has(name)) continue
    const value = equals === -1 ? '' : decoded(field.slice(equals + 1))
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

/** As URLSearchParams decodes, which takes six times as long for the facts of a node. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return new URLSearchParams(`x=${text}`).get('x') ?? ''
  }
}
