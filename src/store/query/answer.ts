import { sql } from 'kysely'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import { type Database, first } from '../database/database.ts'
import { onePiece } from '../one-piece.ts'
import { databaseAsOf } from './as-of/as-of.ts'
import type { Ast } from './ast.ts'
import { isNode } from './ast.ts'
import { distinctEvents } from './distinct-events.ts'
import { entitiesOf, selectable } from './entities.ts'
import type { Entity, Sql } from './entity.ts'
import { queryable } from './entity.ts'
import { aggregateCounts, eventCounts } from './event-counts.ts'
import { nodeHistory } from './history/node-history.ts'
import { refuse } from './issues.ts'
import { withoutChains } from './nesting.ts'
import { type Given, givenByGet, givenByPost, type Parameters, parametersOf } from './parameters.ts'
import type { Planning } from './predicate.ts'
import { prettyJson } from './pretty.ts'
import { ofActiveNodes, restricted } from './restrict.ts'
import { type Parent, partsOf, type Route, routeOf } from './routes.ts'
import { rowTexts } from './rows.ts'
import {
  isPaging,
  nestedSelect,
  type Paging,
  pagingOf,
  type Select,
  selectOf,
  statementOf,
  withUniqueNames,
} from './select.ts'
import { validateFields } from './validate.ts'

/** A query as received over HTTP; the path without `/pdb/query/v4`. */
export interface Question {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The text after the question mark. */
  readonly search: string
  readonly body?: string
}

/** The response to a query, as pieces of JSON text. */
export interface Answer {
  /** Total number of rows, regardless of limit and offset; present if requested. */
  readonly total?: number
  readonly status: 200 | 404
  readonly pieces: AsyncIterable<string>
}

/** Options for the response to a query. */
export interface AnswerOptions {
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
export async function answer(
  present: Database,
  question: Question,
  options: AnswerOptions,
): Promise<Answer | undefined> {
  const given = () => (question.method === 'GET' ? givenByGet(question.search) : givenByPost(question.body ?? ''))
  const parts = partsOf(question.path)
  if (!parts) return undefined
  const [top, node, ...rest] = parts
  if (top === 'node-history' && node !== undefined && rest.length === 0) return historyAnswer(present, node, given())
  const route = routeOf(parts)
  if (!route) return undefined
  const parameters = parametersOf(given(), route.parameters)
  const query = wholeQuery(route, parameters.query && withoutChains(parameters.query))
  const database = parameters.asOf === undefined ? present : await databaseAsOf(present, parameters.asOf, query)
  if (route.parent && !(await exists(database, route.parent))) return notFound(route.parent)
  const planning: Planning = {
    database,
    entities: entitiesOf(database.dialect),
    inactiveSince: options.now - options.nodePurgeTtl,
    agentReports: true,
    nested: nestedSelect,
  }
  const { statement, counted, select, name } = await planned(planning, query, parameters)
  if (parameters.astOnly) return { status: 200, pieces: onePiece(printJson(parameters.query ?? null)) }
  const total = parameters.includeTotal ? await totalOf(database, counted).catch(refused) : undefined
  const isExplained = parameters.explain && (route.answer === 'rows' || route.answer === 'one')
  const reading = { statement, select, name, summarizeBy: parameters.summarizeBy }
  const texts = await ahead(isExplained ? planTexts(database, statement) : rowTexts(database, reading)).catch(refused)
  const pieces = framed(parameters.pretty ? prettyTexts(texts) : texts, route, parameters.pretty)
  return { status: 200, ...(total !== undefined && { total }), pieces }
}

async function* planTexts(database: Database, statement: Sql): AsyncIterable<readonly string[]> {
  yield [`{"query plan":${await database.explain(statement)}}`]
}

async function* prettyTexts(texts: AsyncIterable<readonly string[]>): AsyncIterable<readonly string[]> {
  for await (const rows of texts) yield rows.map((row) => prettyJson(parseJson(row)))
}

async function historyAnswer(database: Database, node: string, given: Given): Promise<Answer> {
  const entries = await nodeHistory(database, node, given)
  if (!entries) return notFound({ kind: 'node', id: node })
  return { status: 200, pieces: onePiece(`[${entries.join(',')}]`) }
}

/** Combines a query with the entity and the conditions of the request path: `["from", ENTITY, …]`. */
function wholeQuery(route: Route, query: Ast | undefined): Ast {
  if (route.entity === undefined) {
    const [operator, entity] = isNode(query) ? query : []
    if (operator !== 'from' || typeof entity !== 'string') return wrongForm()
    return withoutCertname.has(entity) ? query! : ofActiveNodes(query)
  }
  const asked = route.answer === 'rows' ? query : undefined
  let whole = route.active ? ofActiveNodes(asked) : asked
  for (const condition of route.conditions) whole = restricted(whole, condition)
  return whole === undefined ? ['from', route.entity] : ['from', route.entity, whole]
}

function wrongForm(): never {
  return refuse(
    'Your initial query must be of the form: ["from",<entity>,(<optional-query>)]. Check your query and try again.',
  )
}

interface Planned {
  readonly name: string
  readonly select: Select | undefined
  readonly statement: Sql
  /** The statement without limit and order, which counts all rows. */
  readonly counted: Sql
}

async function planned(planning: Planning, query: Ast, parameters: Parameters): Promise<Planned> {
  const [, entityName, ...rest] = query as readonly [Ast, string, ...Ast[]]
  const { expression, paging } = clausesOf(rest, parameters)
  const name = nameOf(entityName, parameters)
  if (name === 'event_counts' || name === 'aggregate_event_counts') {
    const counts = name === 'event_counts' ? eventCounts : aggregateCounts
    return { name, select: undefined, ...(await counts(planning, expression, { ...parameters, ...paging })) }
  }
  const known = planning.entities[name]
  if (!known) return refuse(`Invalid entity '${entityName.replaceAll('-', '_')}' in query`)
  const entity = name === 'events' && parameters.distinct ? distinctEvents(known, parameters.distinct) : known
  checkOrder(entity, paging)
  if (expression !== undefined) validateFields(planning.entities, entity, expression)
  const select = withUniqueNames(await selectOf(planning, entity, expression))
  return {
    name,
    select,
    statement: statementOf(planning.database, select, paging),
    counted: statementOf(planning.database, select, {}),
  }
}

function nameOf(entity: string, { includeFactsExpiration, includePackageInventory }: Parameters): string {
  const name = entity.replaceAll('-', '_')
  if (name === 'nodes' && includeFactsExpiration) return 'nodes_with_fact_expiration'
  if (name === 'factsets' && includePackageInventory) return 'factsets_with_packages'
  const others = ['fact_names', 'event_counts', 'aggregate_event_counts', 'sourced_files']
  return selectable.includes(name) || others.includes(name) ? name : refuse(`Invalid entity '${name}' in query`)
}

/** Splits a query into its condition and paging. Paging in request parameters overrides paging in the query. */
function clausesOf(rest: readonly Ast[], parameters: Paging): { expression: Ast | undefined; paging: Paging } {
  const [given, ...clauses] = rest
  const head = given ?? undefined
  const isClause = (ast: Ast | undefined) => isNode(ast) && isPaging(ast)
  const all = isClause(head) ? rest : clauses
  if (head !== undefined && !isNode(head))
    refuse('Your `from` query accepts an optional query only as a second argument. Check your query and try again.')
  if (all.some((each) => !isClause(each))) wrongForm()
  const inside = pagingOf(all.filter(isNode))
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
  const known = Object.keys(entity.fields).filter((name) => queryable(entity).includes(name))
  for (const [field] of orderBy)
    if (!known.includes(field))
      refuse(`Unrecognized column '${field}' specified in :order_by; Supported columns are '${known.join("', '")}'`)
    else if (!(entity.fields[field]!.sql ?? entity.fields[field]!.loaded)) refuse(`Rows have no order by '${field}'`)
}

async function totalOf(database: Database, counted: Sql): Promise<number | undefined> {
  const statement = sql`select count(*) as count from (${counted}) as counted`
  return (await first<{ count: number }>(database, statement))?.count
}

const parents: Readonly<Record<Parent['kind'], (id: string) => Sql>> = {
  node: (id) => sql`select 1 from nodes where certname = ${id}`,
  environment: (id) => sql`select 1 from environments where name = ${id}`,
  producer: (id) => sql`select 1 from producers where name = ${id}`,
  report: (id) => sql`select 1 from reports where hash = ${id}`,
  catalog: (id) => sql`select 1 from nodes where certname = ${id} and catalog_id is not null`,
  factset: (id) => sql`select 1 from factsets join nodes on nodes.id = factsets.node_id where certname = ${id}`,
}

async function exists(database: Database, { kind, id }: Parent): Promise<boolean> {
  return (await first(database, parents[kind](id))) !== undefined
}

function notFound({ kind, id }: Parent): Answer {
  return { status: 404, pieces: onePiece(JSON.stringify({ error: `No information is known about ${kind} ${id}` })) }
}

/** Converts a database error to INVALID_QUERY if the query causes it (PostgreSQL: SQLSTATE classes 22 and 42). */
function refused(error: unknown): never {
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (typeof code === 'string' && /^(?:(?:22|42)\w{3}|SQLITE_ERROR)$/.test(code)) return refuse(message)
  throw error
}

/** Reads the first texts in advance, so that a failing query throws before the response starts. */
async function ahead(texts: AsyncIterable<readonly string[]>): Promise<AsyncIterable<readonly string[]>> {
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

async function* framed(
  texts: AsyncIterable<readonly string[]>,
  { answer: kind, parent }: Route,
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
