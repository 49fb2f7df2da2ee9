/** The state of an environment's rollout, as JSON text. Each change increases the version, which starts at 1. */
export interface RolloutRow {
  readonly environment: string
  readonly version: number
  readonly state: string
}

/** A row as read: without its state if the reader knows this version. */
export interface ReadRow extends Omit<RolloutRow, 'state'> {
  readonly state: string | undefined
}

/** All rows, and values of the database with which servers measure time although their clocks differ. */
export interface RolloutSnapshot {
  readonly rows: readonly ReadRow[]
  /** Time of the database, in milliseconds since 1970. */
  readonly now: number
  /** Id of the newest report; ids increase with the time of receipt. 0 without reports. */
  readonly lastReport: number
}

/** A change of one row by compare-and-set. */
export interface RowChange {
  readonly environment: string
  /** The expected version; 0 if the row must not exist. */
  readonly version: number
  /** The new state; undefined to remove the row and its documents. */
  readonly state: string | undefined
  /** Document written in the same transaction. */
  readonly document?: RolloutDocument | undefined
}

/** A document that does not change. Its name begins with the environment and `#`. */
export interface RolloutDocument {
  readonly name: string
  readonly content: string
}

/** A report, as far as the health of a rollout depends on it. */
export interface RolloutReport {
  readonly id: number
  readonly hash: string
  readonly certname: string
  readonly status: string | undefined
  readonly noop: boolean
  readonly correctiveChange: boolean
  readonly codeId: string | undefined
  readonly cachedCatalogStatus: string | undefined
}

/** Rows of rollouts in a store. */
export interface RolloutRows {
  /** Reads all rows; `known` are the versions that the reader has, by environment. */
  read(known: Readonly<Record<string, number>>): Promise<RolloutSnapshot>
  /** Changes a row; returns false if another server changed the row before. */
  change(change: RowChange): Promise<boolean>
  readDocument(name: string): Promise<string | undefined>
  /**
   * Reports with an id over `after` that name a commit, or of runs without a new catalog; the lowest ids first, up to
   * the budget.
   */
  listReports(after: number, codeId: string): Promise<readonly RolloutReport[]>
}
