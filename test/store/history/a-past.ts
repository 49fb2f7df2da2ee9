import type { StoredCatalog, StoredFacts, StoredReport } from '../../../src/store/commands/command.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { ingest } from '../../../src/store/ingest/ingest.ts'
import { runQuery } from '../../../src/store/query/execution.ts'

/** The minute of a made past, as a time: `minute(0)` is the first. */
export function minute(at: number): string {
  return new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString()
}

/** A code_id, by its number. */
export function commit(at: number): string {
  return (0x1000000 + at * 7919).toString(16).padStart(40, '0')
}

/** The varying parts of a catalog. */
interface CatalogForm {
  readonly code?: string
  readonly turn?: number
  readonly size?: number
  /** Checksums of sourced files, by title. */
  readonly files?: Readonly<Record<string, string>>
}

/** The catalog of a node, whose file changes with `turn`, and whose resources number `size`. */
export function aCatalog(
  certname: string,
  at: number,
  { code = commit(0), turn = at, size = 3, files }: CatalogForm = {},
): StoredCatalog {
  const plain = { exported: false, file: '/etc/site.pp', line: 3, tags: ['class', 'file'], aliases: [] }
  const resources = Array.from({ length: size }, (_, index) => ({
    ...plain,
    type: 'File',
    title: `/etc/conf.d/${index}`,
    parameters: { ensure: 'file', content: index === turn % size ? `turn ${turn}\n` : 'the same' },
  }))
  return {
    certname,
    version: String(1_767_225_600 + at * 60),
    environment: 'production',
    transaction_uuid: uuid(at, 1),
    catalog_uuid: uuid(at, 2),
    code_id: code,
    job_id: null,
    producer_timestamp: minute(at),
    producer: 'server.test',
    resources: [{ ...plain, type: 'Class', title: 'Main', parameters: {} }, ...resources],
    edges: resources.slice(turn % 2).map(({ type, title }) => ({
      source: { type: 'Class', title: 'Main' },
      target: { type, title },
      relationship: 'contains',
    })),
    ...(files && { sourced_files: files }),
  }
}

/** Facts of a node. */
export function someFacts(certname: string, at: number, values: StoredFacts['values']): StoredFacts {
  return { certname, environment: 'production', producer_timestamp: minute(at), producer: 'server.test', values }
}

/** The report of a run. */
export function aReport(certname: string, at: number, status: StoredReport['status']): StoredReport {
  return {
    certname,
    environment: 'production',
    puppet_version: '8.10.0',
    report_format: 12,
    configuration_version: String(at),
    start_time: minute(at),
    end_time: minute(at),
    producer_timestamp: minute(at),
    producer: 'server.test',
    transaction_uuid: uuid(at, 1),
    catalog_uuid: uuid(at, 2),
    code_id: commit(0),
    job_id: null,
    cached_catalog_status: 'not_used',
    status,
    noop: false,
    noop_pending: false,
    corrective_change: false,
    type: 'agent',
    metrics: [],
    logs: [],
    resources: [],
  }
}

function uuid(at: number, kind: number): string {
  return `${at.toString(16).padStart(8, '0')}-0000-4000-8000-${String(kind).padStart(12, '0')}`
}

/** What a store is told: commands, each by what it holds. */
export type Told =
  | { readonly catalog: StoredCatalog }
  | { readonly facts: StoredFacts }
  | { readonly report: StoredReport }

/** Tells a store, all in one transaction. */
export async function tell(database: Database, told: readonly Told[]): Promise<void> {
  await database.transaction(async (inside) => {
    for (const each of told) {
      if ('catalog' in each) await ingest(inside, { name: 'replace catalog', payload: each.catalog }, received)
      else if ('facts' in each) await ingest(inside, { name: 'replace facts', payload: each.facts }, received)
      else await ingest(inside, { name: 'store report', payload: each.report }, received)
    }
  })
}

const received = Date.UTC(2026, 6, 1)

/** The text of an answer, at a path with parameters; with the status before it where that is not 200. */
export async function textOf(database: Database, path: string, parameters: Record<string, string> = {}) {
  const search = String(new URLSearchParams(parameters))
  const question = { method: 'GET', path, search } as const
  const found = await runQuery(database, question, { now: received, nodePurgeTtl: 14 * 86_400_000 })
  let text = ''
  for await (const piece of found!.pieces) text += piece
  return found!.status === 200 ? text : `${found!.status} ${text}`
}
