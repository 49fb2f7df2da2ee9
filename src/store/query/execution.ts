import { sql } from 'kysely'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { streamSinglePiece } from '../single-piece.ts'
import { openPastDatabase } from './as-of/as-of.ts'
import type { Ast } from './ast.ts'
import { isQueryNode } from './ast.ts'
import { flattenChains } from './condition-nesting.ts'
import { selectDistinctEvents } from './distinct-events.ts'
import { getEntities, selectable } from './entities.ts'
import type { Entity, Sql } from './entity.ts'
import { listQueryableFields } from './entity.ts'
import { buildAggregateCounts, buildEventCounts } from './event-counts.ts'
import { readNodeHistory } from './history/node-history.ts'
import { throwInvalidQuery } from './issues.ts'
import {
  parseGetParameters,
  parsePostParameters,
  parseQueryParameters,
  type QueryParameters,
  type RawParameters,
} from './parameters.ts'
import type { QueryContext } from './predicate.ts'
import { formatPrettyJson } from './pretty-json.ts'
import { restrictQuery, restrictToActiveNodes } from './query-restriction.ts'
import { decodePathSegments, findRoute, type QueryRoute, type RouteParent } from './routes.ts'
import { formatRows } from './rows.ts'
import {
  buildStatement,
  isPagingClause,
  makeNamesUnique,
  type Paging,
  parsePaging,
  type Select,
  translateNestedSelect,
  translateSelect,
} from './select.ts'
import { validateFields } from './validation.ts'

/** A query as received over HTTP; the path without `/pdb/query/v4`. */
export interface QueryRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The query string of the URL, without the question mark. */
  readonly search: string
  readonly body?: string
  /**
   * True if the response may lack the data of the last seconds (`budgets.store.replicaLag`), so that a
   * read replica can answer.
   */
  readonly mayLag?: boolean
}

/** The response to a query, as pieces of JSON text. */
export interface QueryResponse {
  /** Total number of rows, regardless of limit and offset; present if requested. */
  readonly total?: number
  readonly status: 200 | 404
  readonly pieces: AsyncIterable<string>
}

/** Options for the response to a query. */
export interface QueryOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Milliseconds after which an inactive node is omitted from results. */
  readonly nodePurgeTtl: number
}

const withoutCertname = new Set<unknown>(['fact_paths', 'environments', 'packages'])

/**
 * Runs a query and returns after reading the first rows. Throws INVALID_QUERY with PuppetDB's
 * message.
 */
export async function runQuery(
  present: Database,
  question: QueryRequest,
  options: QueryOptions,
): Promise<QueryResponse | undefined> {
  const readParameters = () =>
    question.method === 'GET' ? parseGetParameters(question.search) : parsePostParameters(question.body ?? '')
  const parts = decodePathSegments(question.path)
  if (!parts) return undefined
  const [top, node, ...rest] = parts
  if (top === 'node-history' && node !== undefined && rest.length === 0)
    return createHistoryResponse(present, node, readParameters())
  const route = findRoute(parts)
  if (!route) return undefined
  const parameters = parseQueryParameters(readParameters(), route.parameters)
  const query = buildFullQuery(route, parameters.query && flattenChains(parameters.query))
  const database = parameters.asOf === undefined ? present : await openPastDatabase(present, parameters.asOf, query)
  if (route.parent && !(await isExistingParent(database, route.parent))) return createNotFoundResponse(route.parent)
  const planning: QueryContext = {
    database,
    entities: getEntities(database.dialect),
    inactiveSince: options.now - options.nodePurgeTtl,
    agentReports: true,
    nested: translateNestedSelect,
  }
  const { statement, counted, select, name } = await planQuery(planning, query, parameters)
  if (parameters.astOnly) return { status: 200, pieces: streamSinglePiece(formatExactJson(parameters.query ?? null)) }
  const total = parameters.includeTotal ? await countTotal(database, counted).catch(throwQueryError) : undefined
  const isExplained = parameters.explain && (route.answer === 'rows' || route.answer === 'one')
  const reading = { statement, select, name, summarizeBy: parameters.summarizeBy }
  const texts = await readAhead(isExplained ? formatPlan(database, statement) : formatRows(database, reading)).catch(
    throwQueryError,
  )
  const pieces = frameResponse(parameters.pretty ? formatPretty(texts) : texts, route, parameters.pretty)
  return { status: 200, ...(total !== undefined && { total }), pieces }
}

async function* formatPlan(database: Database, statement: Sql): AsyncIterable<readonly string[]> {
  yield [`{"query plan":${await database.explain(statement)}}`]
}

async function* formatPretty(texts: AsyncIterable<readonly string[]>): AsyncIterable<readonly string[]> {
  for await (const rows of texts) yield rows.map((row) => formatPrettyJson(parseJson(row)))
}

async function createHistoryResponse(database: Database, node: string, given: RawParameters): Promise<QueryResponse> {
  const entries = await readNodeHistory(database, node, given)
  if (!entries) return createNotFoundResponse({ kind: 'node', id: node })
  return { status: 200, pieces: streamSinglePiece(`[${entries.join(',')}]`) }
}

/** Combines a query with the entity and the conditions of the request path: `["from", ENTITY, …]`. */
function buildFullQuery(route: QueryRoute, query: Ast | undefined): Ast {
  if (route.entity === undefined) {
    const [operator, entity] = isQueryNode(query) ? query : []
    if (operator !== 'from' || typeof entity !== 'string') return throwWrongForm()
    return withoutCertname.has(entity) ? query! : restrictToActiveNodes(query)
  }
  const asked = route.answer === 'rows' ? query : undefined
  let whole = route.active ? restrictToActiveNodes(asked) : asked
  for (const condition of route.conditions) whole = restrictQuery(whole, condition)
  return whole === undefined ? ['from', route.entity] : ['from', route.entity, whole]
}

function throwWrongForm(): never {
  return throwInvalidQuery(
    'Your initial query must be of the form: ["from",<entity>,(<optional-query>)]. Check your query and try again.',
  )
}

interface QueryPlan {
  readonly name: string
  readonly select: Select | undefined
  readonly statement: Sql
  /** The statement without limit and order, which counts all rows. */
  readonly counted: Sql
}

async function planQuery(planning: QueryContext, query: Ast, parameters: QueryParameters): Promise<QueryPlan> {
  const [, entityName, ...rest] = query as readonly [Ast, string, ...Ast[]]
  const { expression, paging } = splitClauses(rest, parameters)
  const name = getEntityName(entityName, parameters)
  if (name === 'event_counts' || name === 'aggregate_event_counts') {
    const counts = name === 'event_counts' ? buildEventCounts : buildAggregateCounts
    return { name, select: undefined, ...(await counts(planning, expression, { ...parameters, ...paging })) }
  }
  const known = planning.entities[name]
  if (!known) return throwInvalidQuery(`Invalid entity '${entityName.replaceAll('-', '_')}' in query`)
  const entity = name === 'events' && parameters.distinct ? selectDistinctEvents(known, parameters.distinct) : known
  checkOrder(entity, paging)
  if (expression !== undefined) validateFields(planning.entities, entity, expression)
  const select = makeNamesUnique(await translateSelect(planning, entity, expression))
  return {
    name,
    select,
    statement: buildStatement(planning.database, select, paging),
    counted: buildStatement(planning.database, select, {}),
  }
}

function getEntityName(entity: string, { includeFactsExpiration, includePackageInventory }: QueryParameters): string {
  const name = entity.replaceAll('-', '_')
  if (name === 'nodes' && includeFactsExpiration) return 'nodes_with_fact_expiration'
  if (name === 'factsets' && includePackageInventory) return 'factsets_with_packages'
  const others = ['fact_names', 'event_counts', 'aggregate_event_counts', 'sourced_files']
  return selectable.includes(name) || others.includes(name)
    ? name
    : throwInvalidQuery(`Invalid entity '${name}' in query`)
}

/** Splits a query into its condition and paging. Paging in request parameters overrides paging in the query. */
function splitClauses(rest: readonly Ast[], parameters: Paging): { expression: Ast | undefined; paging: Paging } {
  const [given, ...clauses] = rest
  const head = given ?? undefined
  const isClause = (ast: Ast | undefined) => isQueryNode(ast) && isPagingClause(ast)
  const all = isClause(head) ? rest : clauses
  if (head !== undefined && !isQueryNode(head))
    throwInvalidQuery(
      'Your `from` query accepts an optional query only as a second argument. Check your query and try again.',
    )
  if (all.some((each) => !isClause(each))) throwWrongForm()
  const inside = parsePaging(all.filter(isQueryNode))
  return {
    expression: isClause(head) ? undefined : head,
    paging: {
      limit: parameters.limit ?? inside.limit,
      offset: parameters.offset ?? inside.offset,
      orderBy: parameters.orderBy ?? inside.orderBy,
    },
  }
}

function checkOrder(entity: Entity, { orderBy = [] }: Paging): void {
  const known = Object.keys(entity.fields).filter((name) => listQueryableFields(entity).includes(name))
  for (const [field] of orderBy)
    if (!known.includes(field))
      throwInvalidQuery(
        `Unrecognized column '${field}' specified in :order_by; Supported columns are '${known.join("', '")}'`,
      )
    else if (!(entity.fields[field]!.sql ?? entity.fields[field]!.loaded))
      throwInvalidQuery(`Rows cannot be ordered by '${field}'`)
}

async function countTotal(database: Database, counted: Sql): Promise<number | undefined> {
  const statement = sql`select count(*) as count from (${counted}) as counted`
  return (await getFirstRow<{ count: number }>(database, statement))?.count
}

const parents: Readonly<Record<RouteParent['kind'], (id: string) => Sql>> = {
  node: (id) => sql`select 1 from nodes where certname = ${id}`,
  environment: (id) => sql`select 1 from environments where name = ${id}`,
  producer: (id) => sql`select 1 from producers where name = ${id}`,
  report: (id) => sql`select 1 from reports where hash = ${id}`,
  catalog: (id) => sql`select 1 from nodes where certname = ${id} and catalog_id is not null`,
  factset: (id) => sql`select 1 from factsets join nodes on nodes.id = factsets.node_id where certname = ${id}`,
}

async function isExistingParent(database: Database, { kind, id }: RouteParent): Promise<boolean> {
  return (await getFirstRow(database, parents[kind](id))) !== undefined
}

function createNotFoundResponse({ kind, id }: RouteParent): QueryResponse {
  return {
    status: 404,
    pieces: streamSinglePiece(JSON.stringify({ error: `No information is known about ${kind} ${id}` })),
  }
}

/** Converts a database error to INVALID_QUERY if the query causes it (PostgreSQL: SQLSTATE classes 22 and 42). */
function throwQueryError(error: unknown): never {
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (typeof code === 'string' && /^(?:(?:22|42)\w{3}|SQLITE_ERROR)$/.test(code)) return throwInvalidQuery(message)
  throw error
}

/** Reads the first texts in advance, so that a failing query throws before the response starts. */
async function readAhead(texts: AsyncIterable<readonly string[]>): Promise<AsyncIterable<readonly string[]>> {
  const iterator = texts[Symbol.asyncIterator]()
  const head = await iterator.next()
  return (async function* () {
    try {
      if (head.done) return
      yield head.value
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      // Free the connection if the reader stops early, even after the first rows.
      await iterator.return?.()
    }
  })()
}

async function* frameResponse(
  texts: AsyncIterable<readonly string[]>,
  { answer: kind, parent }: QueryRoute,
  pretty: boolean,
): AsyncIterable<string> {
  if (kind !== 'rows') {
    for await (const [row] of texts) {
      yield kind === 'one' ? row! : JSON.stringify((JSON.parse(row!) as Record<string, { data: unknown }>)[kind]!.data)
      return
    }
    yield JSON.stringify({ error: `No information is known about ${parent?.kind} ${parent?.id}` })
    return
  }
  const [open, between, close] = pretty ? ['[ ', ', ', ' ]'] : ['[', ',', ']']
  let before = open
  for await (const rows of texts) {
    yield before + rows.join(between)
    before = between
  }
  yield before === open ? open.trim() + close : close
}
