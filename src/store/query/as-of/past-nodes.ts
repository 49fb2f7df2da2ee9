import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Sql } from '../../database/dialect.ts'
import type { Moment } from './moment.ts'

/** A node with its catalog, latest report and facts in a past state. */
export interface PastNode {
  readonly id: number
  readonly catalog_id: number | null
  readonly report_id: number | null
  /**
   * Time of the first change of the node's facts after the past state; `null` if the facts have not
   * changed since.
   */
  readonly facts_change: number | null
  /** True if the node's facts in the past state are known. */
  readonly has_facts: boolean
  /** Time as of which the node's facts are read, in milliseconds. */
  readonly at: number
  /** Latest possible time of the node's last report, in milliseconds. */
  readonly until: number
}

interface Row extends Omit<PastNode, 'has_facts'> {
  readonly facts_since: number | null
  readonly gone: number | null
}

/** The nodes that existed in the past state `moment`, optionally limited to the given certnames. */
export async function readPastNodes(
  database: Database,
  moment: Moment,
  certnames: readonly string[] | undefined,
): Promise<readonly PastNode[]> {
  const named = certnames && sql`certname in (select value from ${database.dialect.texts(certnames)})`
  const rows = await database.all<Row>(
    sql`select past.id as id, past.catalog_id as catalog_id, past.at as at, past.until as until,
        (select reports.id from reports
          where reports.node_id = past.id and reports.producer_timestamp <= past.until and report_type <> 'plan'
          order by reports.producer_timestamp desc, reports.id limit 1) as report_id,
        (select min(producer_timestamp) from fact_changes
          where fact_changes.node_id = past.id and producer_timestamp > past.at) as facts_change,
        coalesce(
          (select fact_changes.since from fact_changes
            where fact_changes.node_id = past.id and producer_timestamp > past.at
            order by producer_timestamp limit 1),
          (select factsets.since from factsets where factsets.node_id = past.id)) as facts_since,
        past.gone as gone
      from (${moment.kind === 'time' ? selectNodesAtTime(moment.time, named) : selectNodesAtCode(moment.codeId, named)}) as past`,
  )
  return rows.flatMap(({ facts_since, gone, ...row }) => {
    const has_facts = facts_since !== null && facts_since <= row.at
    const known = has_facts || row.catalog_id !== null || row.report_id !== null || (gone !== null && gone <= row.at)
    return known ? [{ ...row, has_facts }] : []
  })
}

function selectNodesAtTime(time: number, named: Sql | undefined): Sql {
  return sql`select nodes.id as id, ${sql.lit(time)} as at, ${sql.lit(time)} as until,
      (select catalogs.id from catalogs where catalogs.node_id = nodes.id and catalogs.since <= ${time}
        order by catalogs.since desc, catalogs.id desc limit 1) as catalog_id,
      coalesce(nodes.deactivated, nodes.expired) as gone
    from nodes ${named ? sql`where ${named}` : sql``}`
}

/**
 * For a code_id, the facts are those from which the catalog was compiled, and the latest report is
 * the last report before the node's next catalog.
 */
function selectNodesAtCode(codeId: string, named: Sql | undefined): Sql {
  return sql`select nodes.id as id, catalogs.producer_timestamp as at,
      coalesce(
        (select min(since) - 1 from catalogs as next
          where next.node_id = catalogs.node_id and (next.since > catalogs.since
            or (next.since = catalogs.since and next.id > catalogs.id))),
        ${sql.lit(Number.MAX_SAFE_INTEGER)}) as until,
      catalogs.id as catalog_id, cast(null as bigint) as gone
    from (select max(id) as id from catalogs where code_id = ${codeId} group by node_id) as last
    join catalogs on catalogs.id = last.id
    join nodes on nodes.id = catalogs.node_id ${named ? sql`where ${named}` : sql``}`
}
