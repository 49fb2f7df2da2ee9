/** A record of the audit log; `kind` determines its members. */
export type AuditRecord =
  | CatalogRecord
  | PushRecord
  | DeployRecord
  | FreezeRecord
  | SegmentRecord
  | LostRecord
  | MendedRecord

/** A catalog that the server sent. */
export interface CatalogRecord {
  readonly kind: 'catalog'
  readonly node: string
  readonly environment: string
  readonly code_id: string | null
  /** Digest of the response body, as in the signature of the catalog. */
  readonly digest: string
  /** Certname of the client, if it is not the node itself. */
  readonly client?: string | undefined
}

/** A ref that a user pushed, as reported by the repository's hooks. */
export interface PushRecord {
  readonly kind: 'push'
  readonly ref: string
  /** All zeros for a new ref. */
  readonly old: string
  /** All zeros for a deleted ref. */
  readonly new: string
  readonly pusher: string
  /** `tried` is written after a push has passed the gate and before its refs are updated. */
  readonly result: 'accepted' | 'refused' | 'tried'
  readonly reason?: string | undefined
  /** Result of the gate. */
  readonly gate?: GateWord | undefined
}

/** Result of the gate for a push; `warned` if the push breaks nodes and was accepted anyway. */
export type GateWord = 'passed' | 'warned' | 'refused' | 'skipped'

/** A commit that was deployed to an environment, or rejected. */
export interface DeployRecord {
  readonly kind: 'deploy'
  readonly environment: string
  readonly ref: string
  /** The commit that was served before. */
  readonly old: string | null
  readonly new: string | null
  readonly result: 'served' | 'kept' | 'refused' | 'gone'
  readonly reason?: string | undefined
}

/** An environment that a user froze at its commit, or unfroze. */
export interface FreezeRecord {
  readonly kind: 'freeze'
  readonly environment: string
  readonly result: 'frozen' | 'unfrozen'
  /** The user named in the command. */
  readonly by: string
  readonly reason?: string | undefined
}

/** The first record of each segment. In the first segment, `previous` is all zeros. */
export interface SegmentRecord {
  readonly kind: 'segment'
  readonly server: string
  /** Hash of the last record of the previous segment. */
  readonly previous: string
}

/** Number of records lost because the disk failed while the queue was full. */
export interface LostRecord {
  readonly kind: 'lost'
  readonly count: number
}

/** An incomplete line, left by a crash, that the server removed at startup. */
export interface MendedRecord {
  readonly kind: 'mended'
  readonly bytes: number
}

/** A record with its number and time. */
export type PlacedRecord = AuditRecord & {
  /** Consecutive, starting at 1. */
  readonly seq: number
  /** ISO 8601 in UTC. */
  readonly time: string
}

/** All kinds of records. */
export const recordKinds: readonly AuditRecord['kind'][] = [
  'catalog',
  'push',
  'deploy',
  'freeze',
  'segment',
  'lost',
  'mended',
]
