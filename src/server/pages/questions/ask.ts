import { setImmediate as nextTurn } from 'node:timers/promises'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../../base/json/json-text.ts'
import type { StoreAnswer } from '../../../store/node-store.ts'
import type { PageSources } from '../page.ts'
import { rowsOf } from './rows-of.ts'

/** A query of PuppetDB's as JSON: `["=", "certname", "a"]`. */
export type Query = ExactJson

/** A question for rows. */
export interface Asked {
  /** Where: `nodes`, `reports`; below it, `nodes/NAME`. */
  readonly of: string | readonly string[]
  readonly query?: Query | undefined
  readonly order?: readonly (readonly [field: string, order: 'asc' | 'desc'])[]
  /** The rows that are taken, at most; those of the budget if absent. */
  readonly limit?: number
  readonly offset?: number
  /** True where the number of all rows is wanted, too. */
  readonly counted?: boolean
  /** A time or a code_id of the past. */
  readonly asOf?: string | undefined
}

/** Rows, and what is known of those that are not here. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  /** True when there are more than are here. */
  readonly more: boolean
}

type Store = PageSources['store']

const { rows: mostRows, answer: mostBytes, turn: turnMs } = budgets.pages

/** Asks for rows; `undefined` where the store knows no such thing. Throws INVALID_QUERY and QUERY_FAILED. */
export async function find<Row>(store: Store, asked: Asked): Promise<Rows<Row> | undefined> {
  const limit = Math.min(asked.limit ?? mostRows.bound, mostRows.bound)
  const answer = await store.ask(questionOf(asked, limit + 1))
  if (!answer || answer.status === 404) return undefined
  return taken(answer, limit)
}

/** Asks for rows; none where the store knows no such thing. Throws INVALID_QUERY and QUERY_FAILED. */
export async function ask<Row>(store: Store, asked: Asked): Promise<Rows<Row>> {
  return (await find<Row>(store, asked)) ?? { rows: [], total: undefined, more: false }
}

/** The first row. */
export async function first<Row>(store: Store, asked: Asked): Promise<Row | undefined> {
  return (await ask<Row>(store, { ...asked, limit: 1 })).rows[0]
}

/** The rows of an answer within the budgets; the rest is not asked for. No turn of the event loop has more than its time. */
export async function taken<Row>(answer: StoreAnswer, limit: number): Promise<Rows<Row>> {
  const rows: Row[] = []
  let bytes = 0
  let since = performance.now()
  for await (const text of rowsOf(answer.pieces)) {
    bytes += text.length
    if (rows.length === limit || bytes > mostBytes.bound) return { rows, total: answer.total, more: true }
    rows.push(parseJson(text) as Row)
    if (performance.now() - since < turnMs.bound) continue
    await nextTurn()
    since = performance.now()
  }
  return { rows, total: answer.total, more: false }
}

function questionOf({ of, query, order, offset, counted, asOf }: Asked, limit: number) {
  const path = `/${(typeof of === 'string' ? [of] : of).map(encodeURIComponent).join('/')}`
  // Lists inside of reports take no parameters of paging in PuppetDB, and history takes them in its address.
  if (typeof of !== 'string') return { method: 'GET', path, search: '' } as const
  const given = {
    query: query ?? null,
    limit,
    ...(offset && { offset }),
    ...(order && { order_by: order.map(([field, way]) => ({ field, order: way })) }),
    ...(counted && { include_total: true }),
    ...(asOf !== undefined && { as_of: asOf }),
  }
  return { method: 'POST', path, search: '', body: printJson(given) } as const
}
