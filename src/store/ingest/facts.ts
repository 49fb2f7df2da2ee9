import { sql } from 'kysely'
import { type ExactJson, type ExactObject, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import type { StoredFacts } from '../commands/command.ts'
import { type Database, getFirstRow } from '../database/database.ts'
import { computeIdentityHash, computeSha1, formatIdentity, formatStoredJson } from './identity.ts'
import { activateNode, findOrInsertName, type IngestOutcome } from './nodes.ts'
import { findOrInsertRows } from './shared-rows.ts'

const factValues = {
  table: 'fact_values',
  key: { digest: 'text' },
  rest: { name: 'text', value: 'json' },
} as const

/** The factset that is being replaced. */
interface Before {
  readonly hash: string
  readonly environment_id: number | null
  readonly producer_id: number | null
  readonly producer_timestamp: number
  readonly timestamp: number
  readonly since: number
}

interface Known {
  readonly value_id: number
  readonly name: string
  readonly digest: string
}

/** Replaces the facts of the node. The previous values are kept in the node's history. */
export async function replaceFacts(database: Database, facts: StoredFacts, received: number): Promise<IngestOutcome> {
  const time = Date.parse(facts.producer_timestamp)
  const nodeId = await activateNode(database, facts.certname, time)
  const before = await getFirstRow<Before>(
    database,
    sql`select hash, environment_id, producer_id, producer_timestamp, timestamp, since
      from factsets where node_id = ${nodeId}`,
  )
  if (before && before.producer_timestamp > time) return 'stale'
  const hash = hashFacts(facts)
  const same = before?.hash === hash
  await writeFactset(database, { facts, nodeId, hash, time, received, since: same ? before.since : time })
  if (same) return 'incorporated'
  const change = before && before.producer_timestamp < time ? { before, at: time } : undefined
  await writeValues(database, nodeId, facts.values, change)
  await writePackages(database, nodeId, facts.package_inventory ?? [])
  return 'incorporated'
}

function hashFacts({ certname, environment, values, package_inventory: packages = [] }: StoredFacts): string {
  const sorted = packages.map((each) => [...each]).sort((a, b) => (formatIdentity(a) < formatIdentity(b) ? -1 : 1))
  return computeIdentityHash({ certname, environment, values, ...(sorted.length > 0 && { package_inventory: sorted }) })
}

interface Factset {
  readonly facts: StoredFacts
  readonly nodeId: number
  readonly hash: string
  readonly time: number
  readonly received: number
  /** The time from which the node has had these facts. */
  readonly since: number
}

async function writeFactset(database: Database, factset: Factset): Promise<void> {
  const { facts, nodeId, hash, time, received, since } = factset
  const environment = await findOrInsertName(database, 'environments', facts.environment)
  const producer = await findOrInsertName(database, 'producers', facts.producer)
  await database.run(
    sql`insert into factsets (node_id, hash, environment_id, producer_id, producer_timestamp, timestamp, since)
      values (${nodeId}, ${hash}, ${environment}, ${producer}, ${time}, ${received}, ${since})
      on conflict (node_id) do update set hash = excluded.hash, environment_id = excluded.environment_id,
        producer_id = excluded.producer_id, producer_timestamp = excluded.producer_timestamp,
        timestamp = excluded.timestamp, since = excluded.since`,
  )
}

/** The factset that a change replaced, and the time of the change, for the history. */
interface ReplacedFactset {
  readonly before: Before
  readonly at: number
}

/** @param change Absent if the node had no earlier facts, or facts with the same timestamp. */
async function writeValues(
  database: Database,
  nodeId: number,
  values: ExactObject,
  change: ReplacedFactset | undefined,
) {
  const known = await database.all<Known>(
    sql`select facts.value_id as value_id, fact_values.name as name, fact_values.digest as digest
      from facts join fact_values on fact_values.id = facts.value_id where facts.node_id = ${nodeId}`,
  )
  const now = new Map([...getEntries(values)].map(([name, value]) => [name, toStoredValue(name, value ?? null)]))
  const gone = known.filter(({ name, digest }) => now.get(name)?.digest !== digest)
  const stays = new Set(known.filter((each) => !gone.includes(each)).map(({ name }) => name))
  const fresh = [...now.values()].filter(({ name }) => !stays.has(name))
  if (change) await writeHistory(database, { nodeId, ...change, gone, fresh })
  if (gone.length > 0)
    await database.run(
      sql`delete from facts where node_id = ${nodeId}
        and value_id in (select value from ${database.dialect.integers(gone.map(({ value_id }) => value_id))})`,
    )
  if (fresh.length === 0) return
  const ids = await storeValues(database, fresh)
  const rows = database.dialect.rows(
    { value_id: 'integer' },
    ids.map((id) => [id]),
  )
  await database.run(
    sql`insert into facts (node_id, value_id) select ${nodeId}, value_id from ${rows} where true on conflict do nothing`,
  )
}

interface StoredValue {
  readonly name: string
  readonly value: ExactJson
  readonly text: string
  readonly digest: string
}

function toStoredValue(name: string, value: ExactJson): StoredValue {
  const text = formatStoredJson(value)
  return { name: name.replaceAll('\0', '\ufffd'), value, text, digest: computeSha1(`${name}\n${text}`) }
}

/** Returns the ids of values, and writes the leaves of values that are new. */
async function storeValues(database: Database, values: readonly StoredValue[]): Promise<number[]> {
  const { integers, rows } = database.dialect
  const ids = await findOrInsertRows(
    database,
    factValues,
    values.map(({ digest }) => [digest]),
    (at) => [values[at]!.name, values[at]!.text],
  )
  const written = await database.all<{ value_id: number }>(
    sql`select distinct value_id from fact_leaves where value_id in (select value from ${integers(ids)})`,
  )
  const known = new Set(written.map(({ value_id }) => value_id))
  const leaves = values.flatMap(({ name, value }, at) =>
    known.has(ids[at]!) ? [] : listLeaves([name], 's', value).map((leaf) => [ids[at]!, ...leaf]),
  )
  if (leaves.length > 0) {
    const handed = rows({ value_id: 'integer', path: 'json', types: 'text', type: 'text', value: 'json' }, leaves)
    await database.run(
      sql`insert into fact_leaves (value_id, path, types, type, value)
        select value_id, path, types, type, value from ${handed}`,
    )
  }
  return ids
}

/**
 * Path, path types, type and value of each scalar in a value. An array index is a string in the
 * path and has the path type `i`; a key has the type `s`.
 */
export function listLeaves(
  path: readonly string[],
  types: string,
  value: ExactJson,
): [string, string, string, string][] {
  if (Array.isArray(value))
    return value.flatMap((each, at) => listLeaves([...path, String(at)], `${types}i`, each as ExactJson))
  if (isExactObject(value))
    return [...getEntries(value)].flatMap(([key, each]) => listLeaves([...path, key], `${types}s`, each ?? null))
  return [[formatStoredJson(path), types, getScalarType(value), formatStoredJson(value)]]
}

/** The type of a scalar, as named by the `fact-paths` endpoint. */
function getScalarType(value: ExactJson): 'string' | 'integer' | 'float' | 'boolean' | 'null' {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)) ? 'integer' : 'float'
}

interface Change extends ReplacedFactset {
  readonly nodeId: number
  readonly gone: readonly Known[]
  readonly fresh: readonly StoredValue[]
}

/**
 * Writes the previous factset to the history. For each changed fact, the record contains an array
 * with the previous value; the array is empty if the fact did not exist.
 */
async function writeHistory(database: Database, { nodeId, at, before: was, gone, fresh }: Change): Promise<void> {
  const { integers, jsonText } = database.dialect
  const values = await database.all<{ name: string; value: string }>(
    sql`select name, ${jsonText(sql`value`)} as value from fact_values
      where id in (select value from ${integers(gone.map(({ value_id }) => value_id))})`,
  )
  const before = new Map(values.map(({ name, value }) => [name, `[${value}]`]))
  for (const { name } of fresh) if (!before.has(name)) before.set(name, '[]')
  const text = `{${[...before].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  await database.run(
    sql`insert into fact_changes
      (node_id, producer_timestamp, before, hash, environment_id, producer_id, given, timestamp, since)
      values (${nodeId}, ${at}, ${text}, ${was.hash}, ${was.environment_id}, ${was.producer_id},
        ${was.producer_timestamp}, ${was.timestamp}, ${was.since})
      on conflict do nothing`,
  )
}

async function writePackages(
  database: Database,
  nodeId: number,
  packages: readonly (readonly [string, string, string])[],
): Promise<void> {
  const { integers } = database.dialect
  const known = { table: 'packages', key: { name: 'text', version: 'text', provider: 'text' } } as const
  const ids = packages.length > 0 ? await findOrInsertRows(database, known, packages) : []
  await database.run(
    sql`delete from node_packages where node_id = ${nodeId} and package_id not in (select value from ${integers(ids)})`,
  )
  if (ids.length > 0)
    await database.run(
      sql`insert into node_packages (node_id, package_id) select ${nodeId}, value from ${integers([...new Set(ids)])}
        where true on conflict do nothing`,
    )
}
