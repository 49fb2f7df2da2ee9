import { sql } from 'kysely'
import { createTableStep, type RetentionStep } from './step.ts'

/** Fraction of the row limit for steps that count nodes, because each node may have many rows. */
const share = 0.1

/**
 * The step that removes old catalogs from the history; the last catalog of a node is never removed.
 */
export function createCatalogRemoval(catalogHistoryTtl: number, now: number): RetentionStep {
  return createTableStep(
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

/** The step that removes old fact values from the history. */
export function createFactChangeRemoval(factHistoryTtl: number, now: number): RetentionStep {
  return createTableStep(
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
