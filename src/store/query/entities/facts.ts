import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { EntityFactory, EntityField, Join } from '../entity.ts'
import { joinTables } from '../joins.ts'
import { createTextField, createTimeField } from './columns.ts'
import { certnameField, createEnvironmentField } from './nodes.ts'
import {
  certnameRelationships,
  environmentRelationships,
  producerRelationships,
  relateSameFields,
} from './relationships.ts'

const name: EntityField = createTextField('fact_values.name')

const factJoins: readonly Join[] = [
  { table: 'facts', sql: sql`facts` },
  { table: 'fact_values', by: 'facts', sql: sql`join fact_values on fact_values.id = facts.value_id` },
  { table: 'nodes', by: 'facts', sql: sql`join nodes on nodes.id = facts.node_id` },
  { table: 'factsets', by: 'facts', sql: sql`join factsets on factsets.node_id = facts.node_id` },
  {
    table: 'environments',
    by: 'factsets',
    sql: sql`left join environments on environments.id = factsets.environment_id`,
  },
]
const factRows = joinTables(factJoins)

/** Facts, one row each. */
export const createFactsEntity: EntityFactory = () => ({
  alias: 'facts',
  fields: {
    certname: certnameField,
    environment: createEnvironmentField('factsets.environment_id'),
    name,
    value: {
      type: 'jsonb-scalar',
      sql: sql.ref('fact_values.value'),
      reading: 'json',
    },
  },
  from: factRows,
  joins: factJoins,
  relationships: {
    ...certnameRelationships,
    ...environmentRelationships,
    fact_contents: relateSameFields('certname', 'name'),
  },
  dotted: [],
})

/** Scalars inside facts, one row each, with their path. */
export const createFactContentsEntity: EntityFactory = () => ({
  alias: 'fact_nodes',
  fields: {
    certname: certnameField,
    environment: createEnvironmentField('factsets.environment_id'),
    path: {
      type: 'path-array',
      sql: sql.ref('fact_leaves.path'),
      signature: sql.ref('fact_leaves.types'),
      reading: 'typed-path',
    },
    name,
    value: { type: 'jsonb-scalar', sql: sql.ref('fact_leaves.value'), reading: 'json' },
  },
  from: sql`${factRows} join fact_leaves on fact_leaves.value_id = facts.value_id`,
  relationships: { ...certnameRelationships, ...environmentRelationships, facts: relateSameFields('certname', 'name') },
  dotted: [],
})

/**
 * Names of facts. Each name is found by a search for the next name after the previous one, because
 * an ordinary scan would read each name once per node.
 */
export const createFactNamesEntity: EntityFactory = () => ({
  alias: 'fact_names',
  fields: { name: createTextField('names.name') },
  from: sql`(with recursive each_name(name) as (
      select min(fact_values.name) from fact_values
      union all
      select (select min(fact_values.name) from fact_values where fact_values.name > each_name.name)
      from each_name where each_name.name is not null)
    select name from each_name where name is not null) as names`,
  where: sql`exists (select 1 from fact_values
    join facts on facts.value_id = fact_values.id
    join fact_leaves on fact_leaves.value_id = fact_values.id
    where fact_values.name = names.name)`,
  distinct: true,
  relationships: {},
  dotted: [],
})

/** Paths of facts, with the types of their values. */
export const createFactPathsEntity: EntityFactory = ({ jsonLength }) => ({
  alias: 'fact_paths',
  fields: {
    type: createTextField('fact_paths.type'),
    path: {
      type: 'encoded-path',
      sql: sql.ref('fact_paths.path'),
      signature: sql.ref('fact_paths.types'),
      reading: 'typed-path',
    },
    name: createTextField('fact_paths.name'),
    depth: { type: 'numeric', sql: sql.ref('fact_paths.depth'), projectable: false },
  },
  from: sql`(select distinct fact_values.name as name, fact_leaves.path as path, fact_leaves.types as types,
      ${jsonLength(sql.ref('fact_leaves.path'))} - 1 as depth, fact_leaves.type as type
    from fact_leaves join fact_values on fact_values.id = fact_leaves.value_id
    where exists (select 1 from facts where facts.value_id = fact_values.id)) as fact_paths`,
  relationships: { facts: relateSameFields('name'), fact_contents: relateSameFields('path') },
  dotted: [],
})

/** Factsets, with time and producer. */
export const createFactsetsEntity: EntityFactory = () => ({
  alias: 'factsets',
  fields: {
    timestamp: createTimeField('factsets.timestamp'),
    facts: { type: 'queryable-json', loaded: { id: sql.ref('factsets.node_id'), load: loadFacts } },
    certname: certnameField,
    hash: createTextField('factsets.hash'),
    producer_timestamp: createTimeField('factsets.producer_timestamp'),
    producer: createTextField('producers.name'),
    environment: createEnvironmentField('factsets.environment_id'),
  },
  from: sql`factsets join nodes on nodes.id = factsets.node_id
    left join environments on environments.id = factsets.environment_id
    left join producers on producers.id = factsets.producer_id`,
  relationships: { ...certnameRelationships, ...environmentRelationships, ...producerRelationships },
  dotted: [],
})

/** Factsets, with the packages of each node. */
export const createPackageFactsetsEntity: EntityFactory = (dialect) => {
  const entity = createFactsetsEntity(dialect)
  const packages = { type: 'json', loaded: { id: sql.ref('factsets.node_id'), load: loadPackages } } as const
  return { ...entity, fields: { ...entity.fields, package_inventory: packages } }
}

async function loadPackages(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await database.all<{ id: number; name: string; version: string; provider: string }>(
    sql`select node_packages.node_id as id, name, version, provider
      from node_packages join packages on packages.id = node_packages.package_id
      where node_packages.node_id in (select value from ${database.dialect.integers(ids)})`,
  )
  const found = new Map<number, string[]>()
  for (const { id, name, version, provider } of rows) {
    const texts = found.get(id)
    const text = JSON.stringify([name, version, provider])
    if (texts) texts.push(text)
    else found.set(id, [text])
  }
  return new Map(ids.map((id) => [id, `[${found.get(id)?.join(',') ?? ''}]`]))
}

/** A fact of a node. */
export interface ValueRow {
  readonly id: number
  readonly certname: string
  readonly name: string
  readonly value: string
}

/** Reads the facts of nodes by their ids, ordered by node and name; values are JSON texts. */
export async function readFactValues(database: Database, ids: readonly number[]): Promise<readonly ValueRow[]> {
  const { integers, jsonText } = database.dialect
  return (database.past?.of(ids) ?? database).all<ValueRow>(
    sql`select nodes.id as id, nodes.certname as certname, fact_values.name as name,
        ${jsonText(sql.ref('fact_values.value'))} as value
      from nodes join facts on facts.node_id = nodes.id join fact_values on fact_values.id = facts.value_id
      where nodes.id in (select value from ${integers(ids)}) order by nodes.id, fact_values.name`,
  )
}

async function loadFacts(database: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return groupByOwner(await readFactValues(database, ids), {
    text: ({ name, value }) => `{"name":${JSON.stringify(name)},"value":${value}}`,
    href: ({ certname }) => `/pdb/query/v4/factsets/${certname}/facts`,
  })
}

/** Groups rows by the id of their owner; each group has the form `{ href, data }`. */
export function groupByOwner<Row extends { readonly id: number }>(
  rows: readonly Row[],
  { text, href }: { text(row: Row): string; href(row: Row): string },
): ReadonlyMap<number, string> {
  const data = new Map<number, { readonly first: Row; readonly texts: string[] }>()
  for (const row of rows) {
    const known = data.get(row.id)
    if (known) known.texts.push(text(row))
    else data.set(row.id, { first: row, texts: [text(row)] })
  }
  return new Map([...data].map(([id, { first, texts }]) => [id, addHref(`[${texts.join(',')}]`, href(first))]))
}

/** Adds the URL with which the data can be queried separately. */
export function addHref(data: string, href: string): string {
  return `{"data":${data},"href":${JSON.stringify(href)}}`
}
