/** Retention times in milliseconds; infinity keeps data forever. */
export interface RetentionTimes {
  /** A node without new data for this time expires. */
  readonly nodeTtl: number
  /** A node is purged this long after it was deactivated or expired. */
  readonly nodePurgeTtl: number
  readonly reportTtl: number
  readonly resourceEventsTtl: number
  /** Time for which a node's earlier catalogs are kept after they were replaced. */
  readonly catalogHistoryTtl: number
  /** Time for which earlier values of facts are kept after they changed. */
  readonly factHistoryTtl: number
}

const day = 86_400_000

/** PuppetDB's defaults; for data that PuppetDB does not have, long times. */
export const defaultTimes: RetentionTimes = {
  nodeTtl: 7 * day,
  nodePurgeTtl: 14 * day,
  reportTtl: 14 * day,
  resourceEventsTtl: 14 * day,
  catalogHistoryTtl: 730 * day,
  factHistoryTtl: 90 * day,
}
