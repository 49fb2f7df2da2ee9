import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { EntityFactory } from '../entity.ts'
import { createTimeField } from './columns.ts'
import { readFactValues } from './facts.ts'
import { certnameField, createEnvironmentField } from './nodes.ts'
import { certnameRelationships } from './relationships.ts'

/**
 * Joins the values of a factset. The order of the joins matters: with another order, SQLite scans
 * the values of all nodes if the tables have no index.
 */
const ofFactset = sql`from facts cross join fact_values
  where facts.node_id = factsets.node_id and fact_values.id = facts.value_id`

/** All facts of each node, as one object per node. */
export const createInventoryEntity: EntityFactory = (dialect) => ({
  alias: 'inventory',
  fields: {
    certname: certnameField,
    timestamp: createTimeField('factsets.timestamp'),
    environment: createEnvironmentField('factsets.environment_id'),
    facts: {
      type: 'queryable-json',
      sql: sql`(select ${dialect.jsonObject(sql.ref('fact_values.name'), sql.ref('fact_values.value'))}
        ${ofFactset})`,
      loaded: { id: sql.ref('factsets.node_id'), load: loadValues },
      reading: 'json',
      paths: true,
      facts: { nodeId: sql.ref('factsets.node_id') },
    },
    trusted: {
      type: 'queryable-json',
      sql: sql`(select ${dialect.jsonText(sql.ref('fact_values.value'))}
        ${ofFactset} and fact_values.name = 'trusted')`,
      loaded: { id: sql.ref('factsets.node_id'), load: loadTrusted },
      reading: 'json',
      paths: true,
      facts: { nodeId: sql.ref('factsets.node_id') },
    },
  },
  from: sql`factsets join nodes on nodes.id = factsets.node_id
    left join environments on environments.id = factsets.environment_id`,
  relationships: certnameRelationships,
  dotted: ['facts', 'trusted'],
})

/** Loads the facts of some nodes, one object for each node. */
async function loadValues(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const members = new Map<number, string[]>()
  for (const { id, name, value } of await readFactValues(database, ids)) {
    const texts = members.get(id)
    const text = `${JSON.stringify(name)}:${value}`
    if (texts) texts.push(text)
    else members.set(id, [text])
  }
  return new Map([...members].map(([id, texts]) => [id, `{${texts.join(',')}}`]))
}

async function loadTrusted(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await readFactValues(database, ids)
  return new Map(rows.filter(({ name }) => name === 'trusted').map(({ id, value }) => [id, value]))
}
