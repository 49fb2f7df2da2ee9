import { sql } from 'kysely'
import type { EntityOf, Field } from '../entity.ts'
import { flag, text, time } from './columns.ts'
import { byCertname } from './relationships.ts'

/** The certname column of `nodes`. */
export const certname: Field = text('nodes.certname')

/** The field with the name of an environment, for rows that contain the environment's id. */
export function environment(column: string, table = 'environments'): Field {
  return {
    type: 'string',
    sql: sql.ref(`${table}.name`),
    shared: { column: sql.ref(column), table: 'environments', sql: sql.ref('name'), nullable: true },
  }
}

/** Nodes, with the data of their last catalog, facts and report. */
export const nodes: EntityOf = () => ({
  alias: 'nodes',
  fields: {
    latest_report_corrective_change: flag('reports.corrective_change'),
    deactivated: { ...time('nodes.deactivated'), type: 'string' },
    expired: time('nodes.expired'),
    report_environment: environment('reports.environment_id', 'report_environments'),
    certname,
    facts_timestamp: time('factsets.timestamp'),
    facts_environment: environment('factsets.environment_id', 'fact_environments'),
    cached_catalog_status: text('reports.cached_catalog_status'),
    latest_report_status: text('reports.status'),
    latest_report_hash: text('reports.hash'),
    catalog_timestamp: time('catalogs.timestamp'),
    latest_report_noop_pending: flag('reports.noop_pending'),
    report_timestamp: time('reports.end_time'),
    latest_report_noop: flag('reports.noop'),
    catalog_environment: environment('catalogs.environment_id', 'catalog_environments'),
    latest_report_job_id: text('reports.job_id'),
  },
  from: sql`nodes
    left join catalogs on catalogs.id = nodes.catalog_id
    left join factsets on factsets.node_id = nodes.id
    left join reports on reports.id = nodes.latest_report_id
    left join environments as catalog_environments on catalog_environments.id = catalogs.environment_id
    left join environments as fact_environments on fact_environments.id = factsets.environment_id
    left join environments as report_environments on report_environments.id = reports.environment_id`,
  relationships: byCertname,
  dotted: [],
})

/** Nodes, with the expiration setting of their facts. */
export const nodesWithExpiration: EntityOf = (dialect) => {
  const entity = nodes(dialect)
  return {
    ...entity,
    fields: {
      ...entity.fields,
      expires_facts: { type: 'boolean', sql: sql`coalesce(nodes.expires_facts, true)`, reading: 'boolean' },
      expires_facts_updated: time('nodes.expires_facts_updated'),
    },
  }
}

const belongs = (entities: readonly string[], field: string) =>
  Object.fromEntries(entities.map((entity) => [entity, { local: ['name'], foreign: [field] }]))

/** Environments. */
export const environments: EntityOf = () => ({
  alias: 'environments',
  fields: { name: text('environments.name') },
  from: sql`environments`,
  relationships: belongs(
    ['inventory', 'factsets', 'catalogs', 'reports', 'facts', 'fact_contents', 'events', 'resources'],
    'environment',
  ),
  dotted: [],
})

/** Producers: the servers that submitted data. */
export const producers: EntityOf = () => ({
  alias: 'producers',
  fields: { name: text('producers.name') },
  from: sql`producers`,
  relationships: belongs(['factsets', 'catalogs', 'reports'], 'producer'),
  dotted: [],
})

/** Deactivated or expired nodes; older queries use this entity. */
export const inactiveNodes: EntityOf = (dialect) => ({ ...notActiveNodes(dialect), alias: 'inactive_nodes' })

/** Deactivated or expired nodes, for queries in PuppetDB's expanded form. */
export const notActiveNodes: EntityOf = () => ({
  alias: 'not_active_nodes',
  fields: { certname },
  from: sql`nodes`,
  where: sql`(nodes.deactivated is not null or nodes.expired is not null)`,
  relationships: {},
  dotted: [],
})
