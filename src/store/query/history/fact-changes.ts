import { sql } from 'kysely'
import { type ExactJson, type ExactObject, getEntries, getMember } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import type { Database } from '../../database/database.ts'

/** A changed fact. Without `before`, the fact was added; without `after`, it was removed. */
export interface FactChange {
  readonly name: string
  readonly before?: ExactJson
  readonly after?: ExactJson
}

/** The changes of a node's facts at given times. */
export async function computeFactChanges(
  database: Database,
  node: number,
  times: readonly number[],
): Promise<ReadonlyMap<number, readonly FactChange[]>> {
  if (times.length === 0) return new Map()
  const { integers, jsonText } = database.dialect
  const rows = await database.all<{ time: number; before: string }>(
    sql`select producer_timestamp as time, ${jsonText(sql.ref('before'))} as before from fact_changes
      where node_id = ${node} and producer_timestamp in (select value from ${integers(times)})
      order by producer_timestamp desc`,
  )
  const changes = rows.map(({ time, before }) => ({ time, before: parseJson(before) as ExactObject }))
  const names = new Set(changes.flatMap(({ before }) => [...getEntries(before)].map(([name]) => name)))
  const after = await readValuesAfter(database, { node, time: Math.max(...times), names })
  const found = new Map<number, readonly FactChange[]>()
  for (const { time, before } of changes) {
    const told: FactChange[] = []
    for (const [name, values] of getEntries(before)) {
      const [was] = values as readonly ExactJson[]
      const is = after.get(name)
      told.push({ name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) })
      after.set(name, was)
    }
    found.set(time, told)
  }
  return found
}

interface After {
  readonly node: number
  readonly time: number
  readonly names: ReadonlySet<string>
}

/**
 * Returns the values of facts just after a time, by undoing later changes; `undefined` for a fact
 * that did not exist.
 */
async function readValuesAfter(
  database: Database,
  { node, time, names }: After,
): Promise<Map<string, ExactJson | undefined>> {
  const { texts, jsonText } = database.dialect
  const wanted = sql`(select value from ${texts([...names])})`
  const present = await database.all<{ name: string; value: string }>(
    sql`select name, ${jsonText(sql.ref('value'))} as value
      from facts join fact_values on fact_values.id = facts.value_id
      where facts.node_id = ${node} and name in ${wanted}`,
  )
  const values = new Map<string, ExactJson | undefined>(present.map(({ name, value }) => [name, parseJson(value)]))
  const seen = new Set<string>()
  const later = sql`select ${jsonText(sql.ref('before'))} as before from fact_changes
    where node_id = ${node} and producer_timestamp > ${time} order by producer_timestamp`
  for await (const rows of database.stream<{ before: string }>(later, 200))
    for (const { before } of rows) {
      const known = parseJson(before) as ExactObject
      for (const name of names) {
        const was = getMember(known, name)
        if (was === undefined || seen.has(name)) continue
        seen.add(name)
        values.set(name, (was as readonly ExactJson[])[0])
      }
      if (seen.size === names.size) return values
    }
  return values
}
