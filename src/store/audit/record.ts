/** A record of the audit log; `kind` says which members there are. */
export type AuditRecord =
  | CatalogRecord
  | PushRecord
  | DeployRecord
  | FreezeRecord
  | SegmentRecord
  | LostRecord
  | MendedRecord

/** A catalog that was answered. */
export interface CatalogRecord {
  readonly kind: 'catalog'
  readonly node: string
  readonly environment: string
  readonly code_id: string | null
  /** Of the answer's body; the same as in its signature. */
  readonly digest: string
  /** Who asked for it, where that was not the node. */
  readonly client?: string | undefined
}

/** A ref that somebody pushed, as the repository's hooks saw it. */
export interface PushRecord {
  readonly kind: 'push'
  readonly ref: string
  /** All zeros for a ref that is new. */
  readonly old: string
  /** All zeros for a ref that goes. */
  readonly new: string
  readonly pusher: string
  /** `tried` of one that has passed the gate, before its refs moved. */
  readonly result: 'accepted' | 'refused' | 'tried'
  readonly reason?: string | undefined
  /** The word of the gate. */
  readonly gate?: GateWord | undefined
}

/** The word of the gate on a push: `warned` where it breaks nodes and is taken all the same. */
export type GateWord = 'passed' | 'warned' | 'refused' | 'skipped'

/** A commit that an environment came to, or was refused. */
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

/** An environment that somebody kept on its commit, or let go on. */
export interface FreezeRecord {
  readonly kind: 'freeze'
  readonly environment: string
  readonly result: 'frozen' | 'unfrozen'
  /** Who wanted it, as the command said. */
  readonly by: string
  readonly reason?: string | undefined
}

/** The first record of each segment; of the first one `previous` is all zeros. */
export interface SegmentRecord {
  readonly kind: 'segment'
  readonly server: string
  /** The hash of the last record of the segment before. */
  readonly previous: string
}

/** Records that could not be kept: the disk did not take them in time. */
export interface LostRecord {
  readonly kind: 'lost'
  readonly count: number
}

/** The end of a line that a crash cut off, and a start took away. */
export interface MendedRecord {
  readonly kind: 'mended'
  readonly bytes: number
}

/** A record in its place. */
export type PlacedRecord = AuditRecord & {
  /** From 1, without a gap. */
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
