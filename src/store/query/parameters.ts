import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, entriesOf, isExactObject, memberOf } from '../../base/json/exact-json.ts'
import { clojureText, javaText } from '../clojure-text.ts'
import { splitPql, withoutAsOf } from './as-of/clause.ts'
import { type Ast, isNode, isNumber } from './ast.ts'
import { refuse } from './issues.ts'
import { parsePql } from './pql/parser.ts'
import type { Paging } from './select.ts'
import { parsedTime } from './times.ts'

/** Parameters as received in the URL of a GET request or in the body of a POST request. */
export type Given = Readonly<Record<string, ExactJson | undefined>>

/** Parsed parameters of a query. */
export interface Parameters extends Paging {
  readonly query: Ast | undefined
  readonly includeTotal: boolean
  readonly pretty: boolean
  readonly astOnly: boolean
  readonly explain: boolean
  readonly includeFactsExpiration: boolean
  readonly includePackageInventory: boolean
  readonly distinct: { readonly start: number; readonly end: number } | undefined
  readonly summarizeBy: string | undefined
  readonly countBy: string | undefined
  readonly countsFilter: Ast | undefined
  /** The past moment that is requested: a time or a code_id. */
  readonly asOf: Ast | undefined
}

/** The parameters of an endpoint. */
export interface ParameterNames {
  readonly required?: readonly string[]
  readonly optional: readonly string[]
  /** True if the query may be PQL. */
  readonly pql?: boolean
}

const { queryText, queryValues, queryDepth } = budgets.query
const jsonBounds = { characters: queryText.bound, items: queryValues.bound, depth: queryDepth.bound }

const always = [
  'optimize_drop_unused_joins',
  'include_facts_expiration',
  'include_package_inventory',
  'explain',
  'origin',
  'as_of',
]
const distinctNames = ['distinct_resources', 'distinct_start_time', 'distinct_end_time']

/** Parameters that most endpoints accept. */
export const typical: ParameterNames = {
  optional: [...always, 'query', 'limit', 'offset', 'order_by', 'include_total', 'pretty'],
}

/** Parameters of an endpoint that returns a single object. */
export const single: ParameterNames = { optional: [...always, 'pretty'] }

/** Parameters of the events endpoint. */
export const eventNames: ParameterNames = { optional: [...typical.optional, ...distinctNames] }

/** Parameters of the event-counts endpoint. */
export const countNames: ParameterNames = {
  required: ['summarize_by'],
  optional: [...eventNames.optional, 'counts_filter', 'count_by'],
}

/** Parameters of the aggregate-event-counts endpoint. */
export const aggregateNames: ParameterNames = {
  required: ['summarize_by'],
  optional: [...always, 'query', 'counts_filter', 'count_by', ...distinctNames],
}

/** Parameters of the root endpoint. */
export const rootNames: ParameterNames = { required: ['query'], optional: [...typical.optional, 'ast_only'], pql: true }

/** Reads the parameters in the body of a POST request. Throws INVALID_QUERY. */
export function givenByPost(body: string): Given {
  const parsed = body === '' ? null : jsonOf(body)
  if (parsed !== null && !isExactObject(parsed)) return refuse('PuppetDB queries must be made via GET/POST')
  // Set a missing query to null, so that the root endpoint does not report the query as missing.
  return { query: null, ...(parsed && Object.fromEntries(entriesOf(parsed))) }
}

/** Reads the parameters in a URL; `order_by` is JSON. Throws INVALID_QUERY. */
export function givenByGet(search: string): Given {
  const given: Record<string, ExactJson> = Object.fromEntries(new URLSearchParams(search))
  const order = given['order_by']
  return typeof order === 'string' ? { ...given, order_by: order.trim() === '' ? null : orderJson(order) } : given
}

/** Parses parameters. Throws INVALID_QUERY. */
export function parametersOf(given: Given, names: ParameterNames): Parameters {
  const { query, asOf } = withoutAsOf(queryOf(given['query'], names))
  checkNames(given, names)
  return {
    query,
    asOf: asOf ?? (given['as_of'] || undefined),
    orderBy: orderOf(given['order_by']),
    limit: limitOf(given['limit']),
    offset: offsetOf(given['offset']),
    includeTotal: truth(given['include_total']),
    pretty: truth(given['pretty']),
    astOnly: truth(given['ast_only']),
    explain: explainOf(given['explain']),
    includeFactsExpiration: truth(given['include_facts_expiration']),
    includePackageInventory: truth(given['include_package_inventory']),
    distinct: distinctOf(given),
    summarizeBy: wordOf(given['summarize_by']),
    countBy: wordOf(given['count_by']),
    countsFilter: typeof given['counts_filter'] === 'string' ? jsonOf(given['counts_filter']) : given['counts_filter'],
  }
}

function queryOf(given: ExactJson | undefined, { pql = false }: ParameterNames): Ast | undefined {
  if (given === undefined || given === null || isNode(given) || (given === '' && !pql)) return given || undefined
  const text = javaText(given)
  return pql && !/^\s*\[/.test(text) ? pqlOf(text) : jsonOf(text)
}

/** Parses a PQL query to an AST; the suffix `as of` becomes a clause. */
function pqlOf(given: string): Ast {
  const { text, asOf } = splitPql(given)
  const query = parsePql(text)
  return asOf === undefined ? query : [...query, ['as_of', asOf]]
}

function checkNames(given: Given, { required = [], optional }: ParameterNames): void {
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) refuse(`Missing required query parameter '${missing}'`)
  const wrong = Object.keys(given).find((name) => !required.includes(name) && !optional.includes(name))
  if (wrong !== undefined) refuse(`Unsupported query parameter '${wrong}'`)
}

function truth(given: ExactJson | undefined): boolean {
  return given === true || String(given).toLowerCase() === 'true'
}

function wordOf(given: ExactJson | undefined): string | undefined {
  return given === undefined || given === null ? undefined : String(given)
}

function jsonOf(text: string): Ast {
  try {
    return parseBoundedJson(text, jsonBounds)
  } catch (error) {
    return refuse(`Json parse error: ${(error as Error).message}`)
  }
}

function limitOf(given: ExactJson | undefined): number | undefined {
  if (given === undefined || given === null) return undefined
  const limit = wholeNumber(given)
  if (limit === undefined || limit <= 0)
    refuse(`Illegal value '${javaText(given)}' for :limit; expected a positive non-zero integer.`)
  return limit
}

function offsetOf(given: ExactJson | undefined): number | undefined {
  if (given === undefined || given === null) return undefined
  const offset = wholeNumber(given)
  if (offset === undefined || offset < 0)
    refuse(`Illegal value '${javaText(given)}' for :offset; expected a non-negative integer.`)
  return offset
}

function wholeNumber(given: ExactJson): number | undefined {
  if (isNumber(given)) return Number.isSafeInteger(Number(given)) ? Number(given) : undefined
  return typeof given === 'string' && /^[-+]?\d{1,15}$/.test(given) ? Number(given) : undefined
}

function explainOf(given: ExactJson | undefined): boolean {
  if (given === undefined || given === null) return false
  if (given !== 'analyze') refuse(`Illegal value '${javaText(given)}' for :explain; expected \`analyze\`.`)
  return true
}

function orderOf(given: ExactJson | undefined): Paging['orderBy'] {
  if (given === undefined || given === null || given === '') return undefined
  const list = isNode(given) ? given : isExactObject(given) ? [] : undefined
  if (!list?.every(isExactObject) || (isExactObject(given) && Object.keys(given).length > 0))
    return refuse(`Illegal value '${javaText(given)}' for :order_by; expected an array of maps.`)
  return (list as readonly ExactObject[]).map(orderTerm)
}

function orderJson(text: string): Ast {
  try {
    return parseBoundedJson(text, jsonBounds)
  } catch {
    return refuse(`Illegal value '${text}' for :order_by; expected a JSON array of maps.`)
  }
}

function orderTerm(term: ExactObject): readonly [string, 'ascending' | 'descending'] {
  const shown = clojureText(term)
  const unknown = Object.keys(term).find((key) => key !== 'field' && key !== 'order')
  if (unknown !== undefined) refuse(`Illegal value '${shown}' in :order_by; unknown key '${unknown}'.`)
  const [field, order] = [memberOf(term, 'field'), memberOf(term, 'order')]
  if (field === undefined) refuse(`Illegal value '${shown}' in :order_by; missing required key field.`)
  const way = order === undefined || order === null ? 'asc' : String(order).toLowerCase()
  if (way !== 'asc' && way !== 'desc')
    refuse(`Illegal value '${shown}' in :order_by; 'order' must be either 'asc' or 'desc'`)
  return [String(field), way === 'asc' ? 'ascending' : 'descending']
}

function distinctOf(given: Given): Parameters['distinct'] {
  const present = distinctNames.filter((name) => given[name] !== undefined)
  if (present.length === 0) return undefined
  if (present.length < distinctNames.length) {
    const times = present.length === 2 && !present.includes('distinct_resources')
    return refuse(
      times
        ? "'distinct_resources' query parameter must accompany parameters 'distinct_start_time' and 'distinct_end_time'"
        : "'distinct_resources' query parameter requires accompanying parameters 'distinct_start_time' and 'distinct_end_time'",
    )
  }
  const [from, to] = [given['distinct_start_time'], given['distinct_end_time']]
  const [start, end] = [parsedTime(from!), parsedTime(to!)]
  if (start === undefined || end === undefined)
    return refuse(
      `query parameters 'distinct_start_time' and 'distinct_end_time' must be valid datetime strings: ${javaText(from)} ${javaText(to)}`,
    )
  return truth(given['distinct_resources']) ? { start, end } : undefined
}
