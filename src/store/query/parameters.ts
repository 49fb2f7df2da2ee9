import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { formatClojure, formatJava } from '../clojure-text.ts'
import { splitAsOf, splitPql } from './as-of/clause.ts'
import { type Ast, isQueryNode, isQueryNumber } from './ast.ts'
import { throwInvalidQuery } from './issues.ts'
import { parsePql } from './pql/parser.ts'
import type { Paging } from './select.ts'
import { tryParseTime } from './times.ts'

/** Parameters as received in the URL of a GET request or in the body of a POST request. */
export type RawParameters = Readonly<Record<string, ExactJson | undefined>>

/** Parsed parameters of a query. */
export interface QueryParameters extends Paging {
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
  /** Operand of `as_of`: a past time or a code_id. */
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
export const typicalNames: ParameterNames = {
  optional: [...always, 'query', 'limit', 'offset', 'order_by', 'include_total', 'pretty'],
}

/** Parameters of an endpoint that returns a single object. */
export const singleNames: ParameterNames = { optional: [...always, 'pretty'] }

/** Parameters of the events endpoint. */
export const eventNames: ParameterNames = { optional: [...typicalNames.optional, ...distinctNames] }

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
export const rootNames: ParameterNames = {
  required: ['query'],
  optional: [...typicalNames.optional, 'ast_only'],
  pql: true,
}

/** Reads the parameters in the body of a POST request. Throws INVALID_QUERY. */
export function parsePostParameters(body: string): RawParameters {
  const parsed = body === '' ? null : parseJsonQuery(body)
  if (parsed !== null && !isExactObject(parsed)) return throwInvalidQuery('PuppetDB queries must be made via GET/POST')
  // Set a missing query to null, so that the root endpoint does not report the query as missing.
  return { query: null, ...(parsed && Object.fromEntries(getEntries(parsed))) }
}

/** Reads the parameters in a URL; `order_by` is JSON. Throws INVALID_QUERY. */
export function parseGetParameters(search: string): RawParameters {
  const given: Record<string, ExactJson> = Object.fromEntries(new URLSearchParams(search))
  const order = given['order_by']
  return typeof order === 'string' ? { ...given, order_by: order.trim() === '' ? null : parseOrderJson(order) } : given
}

/** Parses parameters. Throws INVALID_QUERY. */
export function parseQueryParameters(given: RawParameters, names: ParameterNames): QueryParameters {
  const { query, asOf } = splitAsOf(parseQuery(given['query'], names))
  checkNames(given, names)
  return {
    query,
    asOf: asOf ?? (given['as_of'] || undefined),
    orderBy: parseOrder(given['order_by']),
    limit: parseLimit(given['limit']),
    offset: parseOffset(given['offset']),
    includeTotal: parseBoolean(given['include_total']),
    pretty: parseBoolean(given['pretty']),
    astOnly: parseBoolean(given['ast_only']),
    explain: parseExplain(given['explain']),
    includeFactsExpiration: parseBoolean(given['include_facts_expiration']),
    includePackageInventory: parseBoolean(given['include_package_inventory']),
    distinct: parseDistinct(given),
    summarizeBy: parseWord(given['summarize_by']),
    countBy: parseWord(given['count_by']),
    countsFilter:
      typeof given['counts_filter'] === 'string' ? parseJsonQuery(given['counts_filter']) : given['counts_filter'],
  }
}

function parseQuery(given: ExactJson | undefined, { pql = false }: ParameterNames): Ast | undefined {
  if (given === undefined || given === null || isQueryNode(given) || (given === '' && !pql)) return given || undefined
  const text = formatJava(given)
  return pql && !/^\s*\[/.test(text) ? parsePqlQuery(text) : parseJsonQuery(text)
}

/** Parses a PQL query to an AST; the suffix `as of` becomes a clause. */
function parsePqlQuery(given: string): Ast {
  const { text, asOf } = splitPql(given)
  const query = parsePql(text)
  return asOf === undefined ? query : [...query, ['as_of', asOf]]
}

function checkNames(given: RawParameters, { required = [], optional }: ParameterNames): void {
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) throwInvalidQuery(`Missing required query parameter '${missing}'`)
  const wrong = Object.keys(given).find((name) => !required.includes(name) && !optional.includes(name))
  if (wrong !== undefined) throwInvalidQuery(`Unsupported query parameter '${wrong}'`)
}

function parseBoolean(given: ExactJson | undefined): boolean {
  return given === true || String(given).toLowerCase() === 'true'
}

function parseWord(given: ExactJson | undefined): string | undefined {
  return given === undefined || given === null ? undefined : String(given)
}

function parseJsonQuery(text: string): Ast {
  try {
    return parseBoundedJson(text, jsonBounds)
  } catch (error) {
    return throwInvalidQuery(`Json parse error: ${(error as Error).message}`)
  }
}

function parseLimit(given: ExactJson | undefined): number | undefined {
  if (given === undefined || given === null) return undefined
  const limit = parseWholeNumber(given)
  if (limit === undefined || limit <= 0)
    throwInvalidQuery(`Illegal value '${formatJava(given)}' for :limit; expected a positive non-zero integer.`)
  return limit
}

function parseOffset(given: ExactJson | undefined): number | undefined {
  if (given === undefined || given === null) return undefined
  const offset = parseWholeNumber(given)
  if (offset === undefined || offset < 0)
    throwInvalidQuery(`Illegal value '${formatJava(given)}' for :offset; expected a non-negative integer.`)
  return offset
}

function parseWholeNumber(given: ExactJson): number | undefined {
  if (isQueryNumber(given)) return Number.isSafeInteger(Number(given)) ? Number(given) : undefined
  return typeof given === 'string' && /^[-+]?\d{1,15}$/.test(given) ? Number(given) : undefined
}

function parseExplain(given: ExactJson | undefined): boolean {
  if (given === undefined || given === null) return false
  if (given !== 'analyze') throwInvalidQuery(`Illegal value '${formatJava(given)}' for :explain; expected \`analyze\`.`)
  return true
}

function parseOrder(given: ExactJson | undefined): Paging['orderBy'] {
  if (given === undefined || given === null || given === '') return undefined
  const list = isQueryNode(given) ? given : isExactObject(given) ? [] : undefined
  if (!list?.every(isExactObject) || (isExactObject(given) && Object.keys(given).length > 0))
    return throwInvalidQuery(`Illegal value '${formatJava(given)}' for :order_by; expected an array of maps.`)
  return (list as readonly ExactObject[]).map(parseOrderTerm)
}

function parseOrderJson(text: string): Ast {
  try {
    return parseBoundedJson(text, jsonBounds)
  } catch {
    return throwInvalidQuery(`Illegal value '${text}' for :order_by; expected a JSON array of maps.`)
  }
}

function parseOrderTerm(term: ExactObject): readonly [string, 'ascending' | 'descending'] {
  const shown = formatClojure(term)
  const unknown = Object.keys(term).find((key) => key !== 'field' && key !== 'order')
  if (unknown !== undefined) throwInvalidQuery(`Illegal value '${shown}' in :order_by; unknown key '${unknown}'.`)
  const [field, order] = [getMember(term, 'field'), getMember(term, 'order')]
  if (field === undefined) throwInvalidQuery(`Illegal value '${shown}' in :order_by; missing required key field.`)
  const way = order === undefined || order === null ? 'asc' : String(order).toLowerCase()
  if (way !== 'asc' && way !== 'desc')
    throwInvalidQuery(`Illegal value '${shown}' in :order_by; 'order' must be either 'asc' or 'desc'`)
  return [String(field), way === 'asc' ? 'ascending' : 'descending']
}

function parseDistinct(given: RawParameters): QueryParameters['distinct'] {
  const present = distinctNames.filter((name) => given[name] !== undefined)
  if (present.length === 0) return undefined
  if (present.length < distinctNames.length) {
    const times = present.length === 2 && !present.includes('distinct_resources')
    return throwInvalidQuery(
      times
        ? "'distinct_resources' query parameter must accompany parameters 'distinct_start_time' and 'distinct_end_time'"
        : "'distinct_resources' query parameter requires accompanying parameters 'distinct_start_time' and 'distinct_end_time'",
    )
  }
  const [from, to] = [given['distinct_start_time'], given['distinct_end_time']]
  const [start, end] = [tryParseTime(from!), tryParseTime(to!)]
  if (start === undefined || end === undefined)
    return throwInvalidQuery(
      `query parameters 'distinct_start_time' and 'distinct_end_time' must be valid datetime strings: ${formatJava(from)} ${formatJava(to)}`,
    )
  return parseBoolean(given['distinct_resources']) ? { start, end } : undefined
}
