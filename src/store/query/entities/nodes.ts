import { sql } from 'kysely'
import type { EntityFactory, EntityField } from '../entity.ts'
import { createBooleanField, createTextField, createTimeField } from './columns.ts'
import { certnameRelationships } from './relationships.ts'

/** The certname column of `nodes`. */
export const certnameField: EntityField = createTextField('nodes.certname')

/** The field with the name of an environment, for rows that contain the environment's id. */
export function createEnvironmentField(column: string, table = 'environments'): EntityField {
  return {
    type: 'string',
    sql: sql.ref(`${table}.name`),
    shared: { column: sql.ref(column), table: 'environments', sql: sql.ref('name'), nullable: true },
  }
}

/** Nodes, with the data of their last catalog, facts and report. */
export const createNodesEntity: EntityFactory = () => ({
  alias: 'nodes',
  fields: {
    latest_report_corrective_change: createBooleanField('reports.corrective_change'),
    deactivated: { ...createTimeField('nodes.deactivated'), type: 'string' },
    expired: createTimeField('nodes.expired'),
    report_environment: createEnvironmentField('reports.environment_id', 'report_environments'),
    certname: certnameField,
    facts_timestamp: createTimeField('factsets.timestamp'),
    facts_environment: createEnvironmentField('factsets.environment_id', 'fact_environments'),
    cached_catalog_status: createTextField('reports.cached_catalog_status'),
    latest_report_status: createTextField('reports.status'),
    latest_report_hash: createTextField('reports.hash'),
    catalog_timestamp: createTimeField('catalogs.timestamp'),
    latest_report_noop_pending: createBooleanField('reports.noop_pending'),
    report_timestamp: createTimeField('reports.end_time'),
    latest_report_noop: createBooleanField('reports.noop'),
    catalog_environment: createEnvironmentField('catalogs.environment_id', 'catalog_environments'),
    latest_report_job_id: createTextField('reports.job_id'),
  },
  from: sql`nodes
    left join catalogs on catalogs.id = nodes.catalog_id
    left join factsets on factsets.node_id = nodes.id
    left join reports on reports.id = nodes.latest_report_id
    left join environments as catalog_environments on catalog_environments.id = catalogs.environment_id
    left join environments as fact_environments on fact_environments.id = factsets.environment_id
    left join environments as report_environments on report_environments.id = reports.environment_id`,
  relationships: certnameRelationships,
  dotted: [],
})

/** Nodes, with the expiration setting of their facts. */
export const createExpiringNodesEntity: EntityFactory = (dialect) => {
  const entity = createNodesEntity(dialect)
  return {
    ...entity,
    fields: {
      ...entity.fields,
      expires_facts: { type: 'boolean', sql: sql`coalesce(nodes.expires_facts, true)`, reading: 'boolean' },
      expires_facts_updated: createTimeField('nodes.expires_facts_updated'),
    },
  }
}

const createNameRelationships = (entities: readonly string[], field: string) =>
  Object.fromEntries(entities.map((entity) => [entity, { local: ['name'], foreign: [field] }]))

/** Environments. */
export const createEnvironmentsEntity: EntityFactory = () => ({
  alias: 'environments',
  fields: { name: createTextField('environments.name') },
  from: sql`environments`,
  relationships: createNameRelationships(
    ['inventory', 'factsets', 'catalogs', 'reports', 'facts', 'fact_contents', 'events', 'resources'],
    'environment',
  ),
  dotted: [],
})

/** Producers: the servers that submitted data. */
export const createProducersEntity: EntityFactory = () => ({
  alias: 'producers',
  fields: { name: createTextField('producers.name') },
  from: sql`producers`,
  relationships: createNameRelationships(['factsets', 'catalogs', 'reports'], 'producer'),
  dotted: [],
})

/** Deactivated or expired nodes; older queries use this entity. */
export const createInactiveNodesEntity: EntityFactory = (dialect) => ({
  ...createNonActiveNodesEntity(dialect),
  alias: 'inactive_nodes',
})

/** Deactivated or expired nodes, for queries in PuppetDB's expanded form. */
export const createNonActiveNodesEntity: EntityFactory = () => ({
  alias: 'not_active_nodes',
  fields: { certname: certnameField },
  from: sql`nodes`,
  where: sql`(nodes.deactivated is not null or nodes.expired is not null)`,
  relationships: {},
  dotted: [],
})
