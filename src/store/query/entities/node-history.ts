import { sql } from 'kysely'
import type { EntityFactory } from '../entity.ts'
import { createTextField, createTimeField } from './columns.ts'
import { certnameField, createEnvironmentField } from './nodes.ts'
import { certnameRelationships, environmentRelationships } from './relationships.ts'

/**
 * The history of nodes, one row for each report, new catalog and change of facts. Not in PuppetDB.
 */
export const createNodeHistoryEntity: EntityFactory = () => ({
  alias: 'node_history',
  fields: {
    certname: certnameField,
    kind: createTextField('history.kind'),
    time: createTimeField('history.time'),
    code_id: createTextField('history.code_id'),
    environment: createEnvironmentField('history.environment_id'),
    hash: createTextField('history.hash'),
    status: createTextField('history.status'),
  },
  from: sql`(
      select node_id, 'report' as kind, producer_timestamp as time, code_id, environment_id, hash, status from reports
      union all select node_id, 'catalog', since, code_id, environment_id, hash, null from catalogs
      union all select node_id, 'facts', producer_timestamp, null, null, null, null from fact_changes
    ) as history join nodes on nodes.id = history.node_id
    left join environments on environments.id = history.environment_id`,
  relationships: { ...certnameRelationships, ...environmentRelationships },
  dotted: [],
})
