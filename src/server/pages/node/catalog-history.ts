import type { PageSources } from '../page.ts'
import { createExtractQuery } from '../questions/conditions.ts'
import { queryRows } from '../questions/store-query.ts'

/** An earlier catalog of a node. */
export interface PastCatalog {
  /** The time at which the node first received the catalog. */
  readonly time: string
  /** The time at which another catalog replaced this one; undefined for the current catalog. */
  readonly until: string | undefined
  readonly codeId: string | undefined
  readonly version: string
  readonly environment: string | undefined
}

interface HistoryRow {
  readonly since: string
  readonly until: string | null
  readonly code_id: string | null
  readonly version: string
  readonly environment: string | null
}

const most = 100

/** The catalogs of a node, newest first; only the last one if the store has no history. */
export async function readCatalogHistory(
  { store }: PageSources,
  certname: string,
): Promise<{ readonly rows: readonly PastCatalog[]; readonly isKept: boolean }> {
  const own = ['=', 'certname', certname]
  const history = await queryRows<HistoryRow>(store, {
    of: 'catalog-history',
    query: createExtractQuery(['since', 'until', 'code_id', 'version', 'environment'], own),
    order: [['since', 'desc']],
    limit: most,
  })
  if (history.rows.length > 0) return { rows: history.rows.map((row) => toPastCatalog(row, row.since)), isKept: true }
  const last = await queryRows<HistoryRow & { producer_timestamp: string }>(store, {
    of: 'catalogs',
    query: createExtractQuery(['producer_timestamp', 'code_id', 'version', 'environment'], own),
  })
  return { rows: last.rows.map((row) => toPastCatalog(row, row.producer_timestamp)), isKept: false }
}

function toPastCatalog({ until, code_id: codeId, version, environment }: HistoryRow, time: string): PastCatalog {
  return {
    time,
    until: until ?? undefined,
    codeId: codeId ?? undefined,
    version,
    environment: environment ?? undefined,
  }
}
