import { sql } from 'kysely'
import type { EntityOf } from '../entity.ts'
import { text, time } from './columns.ts'
import { certname, environment } from './nodes.ts'
import { byCertname, byEnvironment } from './relationships.ts'

/**
 * The history of nodes, one row for each report, new catalog and change of facts. Not in PuppetDB.
 */
export const nodeHistory: EntityOf = () => ({
  alias: 'node_history',
  fields: {
    certname,
    kind: text('history.kind'),
    time: time('history.time'),
    code_id: text('history.code_id'),
    environment: environment('history.environment_id'),
    hash: text('history.hash'),
    status: text('history.status'),
  },
  from: sql`(
      select node_id, 'report' as kind, producer_timestamp as time, code_id, environment_id, hash, status from reports
      union all select node_id, 'catalog', since, code_id, environment_id, hash, null from catalogs
      union all select node_id, 'facts', producer_timestamp, null, null, null, null from fact_changes
    ) as history join nodes on nodes.id = history.node_id
    left join environments on environments.id = history.environment_id`,
  relationships: { ...byCertname, ...byEnvironment },
  dotted: [],
})
