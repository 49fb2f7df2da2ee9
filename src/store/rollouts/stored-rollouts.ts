import { sql } from 'kysely'
import { budgets } from '../../base/budgets/budgets.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import type { RolloutReport, RolloutRow, RolloutRows, RolloutSnapshot, RowChange } from './rollout-rows.ts'

/** Number of documents kept for each environment; older ones are removed. */
const keptDocuments = 20

/** Opens the rollouts in a database. */
export function openStoredRollouts(database: Database): RolloutRows {
  return {
    read: (known) => readRows(database, known),
    change: (change) => database.transaction((inside) => changeRow(inside, change)),
    readDocument: (name) => readDocument(database, name),
    listReports: (after, codeId) => listReports(database, after, codeId),
  }
}

async function readDocument(database: Database, name: string): Promise<string | undefined> {
  const query = sql`select content from rollout_documents where name = ${name}`
  return (await getFirstRow<{ content: string }>(database, query))?.content
}

async function readRows(database: Database, known: Readonly<Record<string, number>>): Promise<RolloutSnapshot> {
  const versions = await database.all<Omit<RolloutRow, 'state'>>(
    sql`select environment, version from rollouts order by environment`,
  )
  const changed = versions.filter(({ environment, version }) => known[environment] !== version)
  const names = changed.map(({ environment }) => environment)
  const states = new Map<string, RolloutRow>()
  if (names.length > 0)
    for (const row of await database.all<RolloutRow>(
      sql`select environment, version, state from rollouts
        where environment in (select value from ${database.dialect.texts(names)})`,
    ))
      states.set(row.environment, row)
  const rows = versions.map((row) => states.get(row.environment) ?? { ...row, state: undefined })
  const last = await getFirstRow<{ id: number | null }>(database, sql`select max(id) as id from reports`)
  return { rows, now: await readTime(database), lastReport: last?.id ?? 0 }
}

/** Time of the database: that of PostgreSQL's machine, because the clocks of several servers may differ. */
async function readTime(database: Database): Promise<number> {
  if (database.dialect.name === 'sqlite') return Date.now()
  const row = await getFirstRow<{ now: number }>(
    database,
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
  )
  return row!.now
}

async function changeRow(inside: Database, { environment, version, state, document }: RowChange): Promise<boolean> {
  const isChanged = (await inside.run(formatRowChange({ environment, version, state }))) === 1
  if (!isChanged) return false
  const prefix = `${environment}#`
  const isOwn = sql`substr(name, 1, ${prefix.length}) = ${prefix}`
  if (state === undefined) await inside.run(sql`delete from rollout_documents where ${isOwn}`)
  if (!document) return true
  const { name, content } = document
  const created = await readTime(inside)
  await inside.run(
    sql`insert into rollout_documents (name, created, content) values (${name}, ${created}, ${content})
      on conflict (name) do update set content = excluded.content`,
  )
  await inside.run(
    sql`delete from rollout_documents where ${isOwn} and name <> ${name} and name not in
      (select name from rollout_documents where ${isOwn} order by created desc, name desc limit ${keptDocuments})`,
  )
  return true
}

function formatRowChange({ environment, version, state }: RowChange) {
  if (state === undefined) return sql`delete from rollouts where environment = ${environment} and version = ${version}`
  if (version === 0)
    return sql`insert into rollouts (environment, version, state) values (${environment}, 1, ${state})
      on conflict (environment) do nothing`
  return sql`update rollouts set version = ${version + 1}, state = ${state}
    where environment = ${environment} and version = ${version}`
}

interface ReportRow {
  readonly id: number
  readonly hash: string
  readonly certname: string
  readonly status: string | null
  readonly noop: number | boolean | null
  readonly corrective_change: number | boolean | null
  readonly code_id: string | null
  readonly cached_catalog_status: string | null
}

async function listReports(database: Database, after: number, codeId: string): Promise<readonly RolloutReport[]> {
  const rows = await database.all<ReportRow>(
    sql`select reports.id as id, hash, certname, status, noop, corrective_change, code_id, cached_catalog_status
      from reports join nodes on nodes.id = reports.node_id
      where reports.id > ${after} and report_type = 'agent' and (code_id = ${codeId}
        or cached_catalog_status = 'on_failure' or (code_id is null and status = 'failed'))
      order by reports.id limit ${budgets.rollout.reportsAtOnce.bound}`,
  )
  return rows.map(({ id, hash, certname, ...row }) => ({
    ...{ id, hash, certname },
    status: row.status ?? undefined,
    noop: Boolean(row.noop),
    correctiveChange: Boolean(row.corrective_change),
    codeId: row.code_id ?? undefined,
    cachedCatalogStatus: row.cached_catalog_status ?? undefined,
  }))
}
