import { setImmediate as nextTurn } from 'node:timers/promises'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'
import type { StoreResponse } from '../../../store/node-store.ts'
import type { PageSources } from '../page.ts'
import { splitRows } from './row-splitter.ts'

/** A PuppetDB query as JSON: `["=", "certname", "a"]`. */
export type StoreQuery = ExactJson

/** A query for rows. */
export interface RowQuery {
  /** Name of the endpoint, such as `nodes` or `reports`, or the parts of a path such as `nodes/NAME`. */
  readonly of: string | readonly string[]
  readonly query?: StoreQuery | undefined
  readonly order?: readonly (readonly [field: string, order: 'asc' | 'desc'])[]
  /** Maximum number of rows; the budget by default. */
  readonly limit?: number
  readonly offset?: number
  /** True if the answer must include the total number of rows. */
  readonly counted?: boolean
  /** A time or a code_id, to query past state. */
  readonly asOf?: string | undefined
}

/** Rows that a query returned, limited in number. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  /** True if the query has more rows. */
  readonly more: boolean
}

type Store = PageSources['store']

const { rows: mostRows, answer: mostBytes, turn: turnMs } = budgets.pages

/** Queries rows; `undefined` if the store does not have the endpoint. Throws INVALID_QUERY and QUERY_FAILED. */
export async function findRows<Row>(store: Store, asked: RowQuery): Promise<Rows<Row> | undefined> {
  const limit = Math.min(asked.limit ?? mostRows.bound, mostRows.bound)
  const answer = await store.ask(createStoreQuery(asked, limit + 1))
  if (!answer || answer.status === 404) return undefined
  return readRows(answer, limit)
}

/** Queries rows; empty if the store does not have the endpoint. Throws INVALID_QUERY and QUERY_FAILED. */
export async function queryRows<Row>(store: Store, asked: RowQuery): Promise<Rows<Row>> {
  return (await findRows<Row>(store, asked)) ?? { rows: [], total: undefined, more: false }
}

/** Queries the first row. */
export async function queryFirstRow<Row>(store: Store, asked: RowQuery): Promise<Row | undefined> {
  return (await queryRows<Row>(store, { ...asked, limit: 1 })).rows[0]
}

/** Reads rows of an answer up to the budgets. Yields to the event loop after each time slice. */
export async function readRows<Row>(answer: StoreResponse, limit: number): Promise<Rows<Row>> {
  const rows: Row[] = []
  let bytes = 0
  let since = performance.now()
  for await (const text of splitRows(answer.pieces)) {
    bytes += text.length
    if (rows.length === limit || bytes > mostBytes.bound) return { rows, total: answer.total, more: true }
    rows.push(parseJson(text) as Row)
    if (performance.now() - since < turnMs.bound) continue
    await nextTurn()
    since = performance.now()
  }
  return { rows, total: answer.total, more: false }
}

function createStoreQuery({ of, query, order, offset, counted, asOf }: RowQuery, limit: number) {
  const path = `/${(typeof of === 'string' ? [of] : of).map(encodeURIComponent).join('/')}`
  // PuppetDB accepts no paging parameters for lists in reports; the history endpoint accepts them in the URL.
  if (typeof of !== 'string') return { method: 'GET', path, search: '' } as const
  const given = {
    query: query ?? null,
    limit,
    ...(offset && { offset }),
    ...(order && { order_by: order.map(([field, way]) => ({ field, order: way })) }),
    ...(counted && { include_total: true }),
    ...(asOf !== undefined && { as_of: asOf }),
  }
  return { method: 'POST', path, search: '', body: formatExactJson(given) } as const
}
