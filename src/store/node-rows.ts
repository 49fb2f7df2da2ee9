import { budgets } from '../base/budgets/budgets.ts'
import type { ExactJson } from '../base/json/exact-json.ts'
import { splitJsonArray } from '../base/json/json-rows.ts'
import { formatExactJson, parseJson } from '../base/json/json-text.ts'
import { runCooperatively } from '../base/threads/cooperative-tasks.ts'
import type { NodeStore } from './node-store.ts'

/** A row of a query's response. */
export type ResultRow = Readonly<Record<string, unknown>>

/** Reads the rows of a query, given in PuppetDB's JSON syntax; the query begins with `from`. */
export type RowReader = (query: ExactJson) => Promise<readonly ResultRow[]>

/** Returns a function that reads the rows of a query from a store, up to the budget, and yields to the event loop. */
export function createRowReader(store: Pick<NodeStore, 'ask'>): RowReader {
  return async (query) => {
    const answer = await store.ask({ method: 'POST', path: '', search: '', body: formatExactJson({ query }) })
    const rows: ResultRow[] = []
    if (answer?.status !== 200) return rows
    for await (const texts of splitJsonArray(answer.pieces)) {
      await runCooperatively(readRows(texts, rows))
      if (rows.length === budgets.store.nodeRows.bound) break
    }
    return rows
  }
}

function* readRows(texts: readonly string[], rows: ResultRow[]): Generator<void, void> {
  for (const text of texts) {
    if (rows.length === budgets.store.nodeRows.bound) return
    rows.push(parseJson(text) as unknown as ResultRow)
    yield
  }
}

/** The time of a node's last report, catalog or facts in ISO 8601; null if the node has none of them. */
export function getLastContactTime({
  report_timestamp: report,
  catalog_timestamp: catalog,
  facts_timestamp: facts,
}: ResultRow): string | null {
  const times = [report, catalog, facts].filter((time) => typeof time === 'string')
  return times.sort().at(-1) ?? null
}

/**
 * The environment of a node's last report; without a report, that of its catalog, then that of its
 * facts; null if none is known.
 */
export function getReportedEnvironment({
  report_environment: report,
  catalog_environment: catalog,
  facts_environment: facts,
}: ResultRow): string | null {
  const name = report ?? catalog ?? facts
  return typeof name === 'string' ? name : null
}
