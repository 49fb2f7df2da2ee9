import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, isIssue, throwIssue } from '../../base/issue.ts'

/** Parameters of a query or a form: each name with its values in order. */
export type RequestParameters = ReadonlyMap<string, readonly string[]>

/**
 * Parameters that are ignored, since a client must not choose its own identity or file locations. Puppet:
 * network/http/api/indirected_routes.rb.
 */
const dropped = new Set(['node', 'ip', 'bucket_path'])

const most = budgets.request.parameters.bound

const issues = defineIssues({
  PARAMETERS: { text: (_: object) => `More than ${most} parameters` },
})

/** True for the error of too many parameters in a query or form. */
export function isParameterLimitError(error: unknown): boolean {
  return isIssue(error, issues.PARAMETERS)
}

/** The parameters of a query string or of a form body. */
export function parseParameters(text: string): RequestParameters {
  const parameters = new Map<string, string[]>()
  let count = 0
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end === start) continue
    if (++count > most) throwIssue(issues.PARAMETERS, {})
    const field = text.slice(start, end)
    const equals = field.indexOf('=')
    const name = decodeParameter(equals === -1 ? field : field.slice(0, equals))
    if (dropped.has(name)) continue
    const value = equals === -1 ? '' : decodeParameter(field.slice(equals + 1))
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

/** The first value of a parameter. */
export function getParameter(parameters: RequestParameters, name: string): string | undefined {
  return parameters.get(name)?.[0]
}

/** All values of a parameter; Ruby clients may write the name as `name[]`. */
export function listParameterValues(parameters: RequestParameters, name: string): readonly string[] {
  return parameters.get(name) ?? parameters.get(`${name}[]`) ?? []
}

/** Merges the parameters of a query and a form; the form's parameters override the query's. */
export function mergeParameters(query: RequestParameters, form: RequestParameters): RequestParameters {
  return new Map([...query, ...form])
}

/**
 * Decodes like URLSearchParams. URLSearchParams takes six times as long for the facts of a node, so it is used only
 * for malformed text.
 */
function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return new URLSearchParams(`x=${text}`).get('x') ?? ''
  }
}
