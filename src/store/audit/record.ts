/** A record of the audit log; `kind` determines its members. */
export type AuditRecord =
  | CatalogRecord
  | SecretsRecord
  | PushRecord
  | DeployRecord
  | FreezeRecord
  | RolloutRecord
  | RunRecord
  | SegmentRecord
  | LostRecord
  | RepairRecord

/** A catalog that the server sent. */
export interface CatalogRecord {
  readonly kind: 'catalog'
  readonly node: string
  readonly environment: string
  readonly code_id: string | null
  /** Digest of the response body, as contained in the catalog's signature. */
  readonly digest: string
  /** Certname of the client, if the client is not the node itself. */
  readonly client?: string | undefined
}

/** Secrets that code read for a catalog that the server sent. The record follows the one of the catalog. */
export interface SecretsRecord {
  readonly kind: 'secrets'
  readonly node: string
  readonly environment: string
  readonly code_id: string | null
  readonly secrets: readonly ReadSecret[]
}

/** A secret that was read, without its value. */
export interface ReadSecret {
  /** URL of the server, or the region in AWS. */
  readonly address: string
  readonly namespace?: string | undefined
  readonly path: string
  /** Version of the secret, or a digest that is meaningful only within one process of the server. */
  readonly version: string
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
  /** `tried` is recorded after a push has passed the gate and before its refs are updated. */
  readonly result: 'accepted' | 'refused' | 'tried'
  readonly reason?: string | undefined
  /** Result of the gate. */
  readonly gate?: GateDecision | undefined
  /** Result of the linter; absent if `push_lint` is off. */
  readonly lint?: GateDecision | undefined
  /** Result of the formatter; absent if `push_format` is off. */
  readonly format?: GateDecision | undefined
}

/** Result of the gate for a push. `warned`: the push breaks nodes and was accepted anyway. */
export type GateDecision = 'passed' | 'warned' | 'refused' | 'skipped'

/** A deployment of a commit to an environment, or its rejection. */
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

/** A user froze an environment at its commit, or unfroze it. */
export interface FreezeRecord {
  readonly kind: 'freeze'
  readonly environment: string
  readonly result: 'frozen' | 'unfrozen'
  /** The user who ran the command. */
  readonly by: string
  readonly reason?: string | undefined
}

/** A step of a rollout: the start of a wave, a halt, an approval. */
export interface RolloutRecord {
  readonly kind: 'rollout'
  readonly environment: string
  readonly number: number
  /** The commit that is rolled out. */
  readonly code_id: string
  readonly action: string
  readonly wave?: string | undefined
  /** The user who took the step; absent for the server. */
  readonly by?: string | undefined
  readonly reason?: string | undefined
}

/** A person ordered nodes to run their agents, or stopped a batch of orders. */
export interface RunRecord {
  readonly kind: 'run'
  /** ID of the batch of orders. */
  readonly batch: string
  readonly result: 'ordered' | 'stopped'
  readonly by: string
  /** Number of nodes: those ordered to run, or those whose orders were stopped. */
  readonly nodes: number
  /** Environment of the runs; `null` for the own environment of each node. */
  readonly environment?: string | null
  readonly noop?: boolean
  readonly tags?: readonly string[]
  readonly commit?: string | null
}

/** The first record of each segment. In the first segment, `previous` is all zeros. */
export interface SegmentRecord {
  readonly kind: 'segment'
  readonly server: string
  /** Hash of the last record of the previous segment. */
  readonly previous: string
}

/** The number of records that were lost because the disk failed while the queue was full. */
export interface LostRecord {
  readonly kind: 'lost'
  readonly count: number
}

/** The removal of an incomplete line, which a crash left, by the server at startup. */
export interface RepairRecord {
  readonly kind: 'mended'
  readonly bytes: number
}

/** A record with its number and time. */
export type NumberedRecord = AuditRecord & {
  /** Consecutive number of the record, starting at 1. */
  readonly seq: number
  /** Time of the record in ISO 8601, in UTC. */
  readonly time: string
}

/** All kinds of records. */
export const recordKinds: readonly AuditRecord['kind'][] = [
  'catalog',
  'secrets',
  'push',
  'deploy',
  'freeze',
  'rollout',
  'run',
  'segment',
  'lost',
  'mended',
]
