import { sql } from 'kysely'
import { type Step, throughTable } from './step.ts'

/** Nodes for each of which there may be many rows: a smaller part of the limit. */
const share = 0.1

/** Removes catalogs that nodes had long ago; never the last one. */
export function removingCatalogs(catalogHistoryTtl: number, now: number): Step {
  return throughTable(
    'nodes',
    (inside, { after, last }) =>
      inside.run(
        sql`delete from catalogs
          where node_id in (select id from nodes where id > ${after} and id <= ${last})
            and producer_timestamp < ${now - catalogHistoryTtl}
            and id <> coalesce((select catalog_id from nodes where nodes.id = catalogs.node_id), 0)`,
      ),
    share,
  )
}

/** Removes values that facts had long ago. */
export function removingFactChanges(factHistoryTtl: number, now: number): Step {
  return throughTable(
    'nodes',
    (inside, { after, last }) =>
      inside.run(
        sql`delete from fact_changes
          where node_id in (select id from nodes where id > ${after} and id <= ${last})
            and producer_timestamp < ${now - factHistoryTtl}`,
      ),
    share,
  )
}
