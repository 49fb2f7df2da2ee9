import type { PageSources } from '../page.ts'
import { ask } from '../questions/ask.ts'
import { extract } from '../questions/conditions.ts'

/** A catalog that a node had. */
export interface PastCatalog {
  /** The time at which the node was first given it. */
  readonly time: string
  /** When another took its place. */
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

/** The catalogs that a node had, the newest first; of a store that keeps no history the last one alone. */
export async function catalogHistory(
  { store }: PageSources,
  certname: string,
): Promise<{ readonly rows: readonly PastCatalog[]; readonly isKept: boolean }> {
  const own = ['=', 'certname', certname]
  const history = await ask<HistoryRow>(store, {
    of: 'catalog-history',
    query: extract(['since', 'until', 'code_id', 'version', 'environment'], own),
    order: [['since', 'desc']],
    limit: most,
  })
  if (history.rows.length > 0) return { rows: history.rows.map((row) => pastCatalog(row, row.since)), isKept: true }
  const last = await ask<HistoryRow & { producer_timestamp: string }>(store, {
    of: 'catalogs',
    query: extract(['producer_timestamp', 'code_id', 'version', 'environment'], own),
  })
  return { rows: last.rows.map((row) => pastCatalog(row, row.producer_timestamp)), isKept: false }
}

function pastCatalog({ until, code_id: codeId, version, environment }: HistoryRow, time: string): PastCatalog {
  return {
    time,
    until: until ?? undefined,
    codeId: codeId ?? undefined,
    version,
    environment: environment ?? undefined,
  }
}
