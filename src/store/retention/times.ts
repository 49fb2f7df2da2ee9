/** The times for which knowledge of nodes is kept, in milliseconds; infinite for ever. */
export interface RetentionTimes {
  /** A node of which nothing is heard for so long is expired. */
  readonly nodeTtl: number
  /** A node that was deactivated or expired so long ago is purged. */
  readonly nodePurgeTtl: number
  readonly reportTtl: number
  readonly resourceEventsTtl: number
  /** Catalogs that a node had before its last one, since it had them for the last time. */
  readonly catalogHistoryTtl: number
  /** Values of facts before a change, since the change. */
  readonly factHistoryTtl: number
}

const day = 86_400_000

/** PuppetDB's times; what it does not have, long. */
export const usualTimes: RetentionTimes = {
  nodeTtl: 7 * day,
  nodePurgeTtl: 14 * day,
  reportTtl: 14 * day,
  resourceEventsTtl: 14 * day,
  catalogHistoryTtl: 730 * day,
  factHistoryTtl: 90 * day,
}
