import { type RawBuilder, sql } from 'kysely'
import { budgets } from '../../../base/budgets/budgets.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { type Database, getFirstRow } from '../../database/database.ts'
import { replacedAt } from '../entities/catalog-history.ts'
import { formatNameList, throwInvalidQuery } from '../issues.ts'
import type { RawParameters } from '../parameters.ts'
import { tryParseTime } from '../times.ts'
import { computeCatalogChanges } from './catalog-changes.ts'
import { computeFactChanges } from './fact-changes.ts'

/**
 * Kinds of history entries. If two entries have the same time, the report is placed after the
 * catalog that it refers to.
 */
const kinds = ['report', 'catalog', 'facts'] as const

type Kind = (typeof kinds)[number]

const most = budgets.query.historyEntries.bound
const usual = 100

interface Range {
  readonly kinds: readonly Kind[]
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly offset: number
}

/** An entry without details. `id` is the id of the catalog or report; for facts, it is the time. */
interface Entry {
  readonly kind: Kind
  readonly time: number
  readonly id: number
}

/**
 * The history of a node, newest first, each entry as JSON text; `undefined` for an unknown node.
 * Throws INVALID_QUERY.
 */
export async function readNodeHistory(
  database: Database,
  certname: string,
  given: RawParameters,
): Promise<readonly string[] | undefined> {
  const range = parseRange(given)
  const node = await getFirstRow<{ id: number }>(database, sql`select id from nodes where certname = ${certname}`)
  if (!node) return undefined
  const entries = await database.all<Entry>(buildEntriesQuery(node.id, range))
  const listIds = (kind: Kind) => entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
  const told: Readonly<Record<Kind, ReadonlyMap<number, object>>> = {
    catalog: await describeCatalogs(database, listIds('catalog')),
    report: await describeReports(database, listIds('report')),
    facts: new Map(
      Array.from(await computeFactChanges(database, node.id, listIds('facts')), ([at, changes]) => [at, { changes }]),
    ),
  }
  return entries.map(({ kind, time, id }) =>
    formatExactJson({ kind, time: new Date(time).toISOString(), ...told[kind].get(id) }),
  )
}

const taken = ['limit', 'offset', 'from', 'to', 'kind']

function parseRange(given: RawParameters): Range {
  const wrong = Object.keys(given).find((name) => !taken.includes(name))
  if (wrong !== undefined)
    throwInvalidQuery(
      `Unsupported query parameter '${wrong}'. Supported parameters of node-history are ${formatNameList(taken)}`,
    )
  const words = given['kind'] === undefined ? kinds : String(given['kind']).split(',')
  const unknown = words.find((word) => !(kinds as readonly string[]).includes(word))
  if (unknown !== undefined)
    throwInvalidQuery(`Illegal value '${unknown}' for kind; expected ${formatNameList(kinds)}.`)
  const limit = parseNumber(given, 'limit', usual)
  if (limit > most) throwInvalidQuery(`Illegal value '${limit}' for limit; expected at most ${most}.`)
  return {
    kinds: words as readonly Kind[],
    from: parseTime(given, 'from', 0),
    to: parseTime(given, 'to', Number.MAX_SAFE_INTEGER),
    limit,
    offset: parseNumber(given, 'offset', 0),
  }
}

function parseNumber(given: RawParameters, name: string, otherwise: number): number {
  const value = given[name]
  if (value === undefined) return otherwise
  const text = String(value)
  return /^\d{1,12}$/.test(text)
    ? Number(text)
    : throwInvalidQuery(`Illegal value '${text}' for ${name}; expected a number.`)
}

function parseTime(given: RawParameters, name: string, otherwise: number): number {
  const value = given[name]
  if (value === undefined) return otherwise
  return tryParseTime(value) ?? throwInvalidQuery(`Illegal value '${String(value)}' for ${name}; expected a time.`)
}

function buildEntriesQuery(node: number, { kinds: wanted, from, to, limit, offset }: Range): RawBuilder<unknown> {
  const tables: Readonly<Record<Kind, RawBuilder<unknown>>> = {
    catalog: sql`select 'catalog' as kind, 1 as place, since as time, id from catalogs
      where node_id = ${node} and since >= ${from} and since <= ${to}`,
    report: sql`select 'report' as kind, 0 as place, producer_timestamp as time, id from reports
      where node_id = ${node} and producer_timestamp >= ${from} and producer_timestamp <= ${to}`,
    facts: sql`select 'facts' as kind, 2 as place, producer_timestamp as time, producer_timestamp as id from fact_changes
      where node_id = ${node} and producer_timestamp >= ${from} and producer_timestamp <= ${to}`,
  }
  const all = sql.join(
    wanted.map((kind) => tables[kind]),
    sql` union all `,
  )
  return sql`select kind, time, id from (${all}) as entries
    order by time desc, place, id desc limit ${limit} offset ${offset}`
}

interface CatalogRow {
  readonly id: number
  readonly until: number | null
  readonly last_given: number
  readonly current: number | boolean
  readonly before: number | null
}

async function describeCatalogs(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, object>> {
  if (ids.length === 0) return new Map()
  const rows = await database.all<CatalogRow>(
    sql`select catalogs.id as id, ${replacedAt} as until, catalogs.producer_timestamp as last_given,
        coalesce(nodes.catalog_id = catalogs.id, false) as current, code_id, version, hash,
        environments.name as environment, producers.name as producer, transaction_uuid, catalog_uuid, job_id,
        (select earlier.id from catalogs as earlier
          where earlier.node_id = catalogs.node_id and earlier.since <= catalogs.since
            and (earlier.since < catalogs.since or earlier.id < catalogs.id)
          order by earlier.since desc, earlier.id desc limit 1) as before
      from catalogs join nodes on nodes.id = catalogs.node_id
      left join environments on environments.id = catalogs.environment_id
      left join producers on producers.id = catalogs.producer_id
      where catalogs.id in (select value from ${database.dialect.integers(ids)})`,
  )
  const changes = await computeCatalogChanges(
    database,
    rows.map(({ id, before }) => ({ id, before: before ?? undefined })),
  )
  return new Map(
    rows.map(({ id, before: _, until, last_given, current, ...rest }) => [
      id,
      {
        until: until === null ? null : new Date(until).toISOString(),
        last_given: new Date(last_given).toISOString(),
        current: Boolean(current),
        ...rest,
        ...changes.get(id),
      },
    ]),
  )
}

const times = ['start_time', 'end_time', 'receive_time'] as const
const flags = ['noop', 'noop_pending', 'corrective_change'] as const

async function describeReports(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, object>> {
  if (ids.length === 0) return new Map()
  const rows = await database.all<Record<string, unknown> & { readonly id: number }>(
    sql`select reports.id as id, hash, status, noop, noop_pending, corrective_change, environments.name as environment,
        code_id, transaction_uuid, catalog_uuid, cached_catalog_status, puppet_version, configuration_version,
        report_type as type, start_time, end_time, receive_time
      from reports left join environments on environments.id = reports.environment_id
      where reports.id in (select value from ${database.dialect.integers(ids)})`,
  )
  return new Map(
    rows.map(({ id, ...rest }) => {
      const told = { ...rest }
      for (const name of times) told[name] = new Date(Number(rest[name])).toISOString()
      for (const name of flags) told[name] = rest[name] === null ? null : Boolean(rest[name])
      return [id, told]
    }),
  )
}
