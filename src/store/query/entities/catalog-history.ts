import { sql } from 'kysely'
import type { EntityFactory } from '../entity.ts'
import { createTextField, createTimeField } from './columns.ts'
import { certnameField, createEnvironmentField } from './nodes.ts'
import { certnameRelationships, environmentRelationships, producerRelationships } from './relationships.ts'

/** Time in milliseconds at which the node's next catalog replaced this one; NULL for the last catalog of a node. */
export const replacedAt = sql`(select min(later.since) from catalogs as later
  where later.node_id = catalogs.node_id and later.since >= catalogs.since
    and (later.since > catalogs.since or later.id > catalogs.id))`

/** All catalogs of all nodes, one row each. Not in PuppetDB. */
export const createCatalogHistoryEntity: EntityFactory = () => ({
  alias: 'catalog_history',
  fields: {
    certname: certnameField,
    code_id: createTextField('catalogs.code_id'),
    hash: createTextField('catalogs.hash'),
    version: createTextField('catalogs.version'),
    environment: createEnvironmentField('catalogs.environment_id'),
    producer: createTextField('producers.name'),
    transaction_uuid: createTextField('catalogs.transaction_uuid'),
    catalog_uuid: createTextField('catalogs.catalog_uuid'),
    job_id: createTextField('catalogs.job_id'),
    since: createTimeField('catalogs.since'),
    until: { type: 'timestamp', sql: replacedAt, reading: 'time' },
    producer_timestamp: createTimeField('catalogs.producer_timestamp'),
    current: { type: 'boolean', sql: sql`coalesce(nodes.catalog_id = catalogs.id, false)`, reading: 'boolean' },
  },
  from: sql`catalogs join nodes on nodes.id = catalogs.node_id
    left join environments on environments.id = catalogs.environment_id
    left join producers on producers.id = catalogs.producer_id`,
  relationships: { ...certnameRelationships, ...environmentRelationships, ...producerRelationships },
  dotted: [],
})
