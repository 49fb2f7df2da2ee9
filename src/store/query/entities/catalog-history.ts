import { sql } from 'kysely'
import type { EntityOf } from '../entity.ts'
import { text, time } from './columns.ts'
import { certname, environment } from './nodes.ts'
import { byCertname, byEnvironment, byProducer } from './relationships.ts'

/** Time in milliseconds at which the node's next catalog replaced this one; NULL for the last catalog of a node. */
export const replacedAt = sql`(select min(later.since) from catalogs as later
  where later.node_id = catalogs.node_id and later.since >= catalogs.since
    and (later.since > catalogs.since or later.id > catalogs.id))`

/** All catalogs of all nodes, one row each. Not in PuppetDB. */
export const catalogHistory: EntityOf = () => ({
  alias: 'catalog_history',
  fields: {
    certname,
    code_id: text('catalogs.code_id'),
    hash: text('catalogs.hash'),
    version: text('catalogs.version'),
    environment: environment('catalogs.environment_id'),
    producer: text('producers.name'),
    transaction_uuid: text('catalogs.transaction_uuid'),
    catalog_uuid: text('catalogs.catalog_uuid'),
    job_id: text('catalogs.job_id'),
    since: time('catalogs.since'),
    until: { type: 'timestamp', sql: replacedAt, reading: 'time' },
    producer_timestamp: time('catalogs.producer_timestamp'),
    current: { type: 'boolean', sql: sql`coalesce(nodes.catalog_id = catalogs.id, false)`, reading: 'boolean' },
  },
  from: sql`catalogs join nodes on nodes.id = catalogs.node_id
    left join environments on environments.id = catalogs.environment_id
    left join producers on producers.id = catalogs.producer_id`,
  relationships: { ...byCertname, ...byEnvironment, ...byProducer },
  dotted: [],
})
