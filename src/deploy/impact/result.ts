import type { CatalogFault } from '../../compiler/workers/catalog-fault.ts'
import type { FailedCompile, NodeChange } from './node-change.ts'
import type { NodeOutcome } from './order.ts'

/** The answer, as plain data: names of nodes and changes; no facts, and no secrets. Text in it is as code has it: not printable. */
export interface Impact {
  readonly environment: string
  readonly from: string | undefined
  readonly to: string
  /** Number of nodes by outcome. */
  readonly counts: Readonly<Record<NodeOutcome, number>>
  readonly unaffected: readonly string[]
  readonly same: readonly string[]
  /** The most nodes first. */
  readonly changed: readonly ChangeGroup[]
  readonly broken: readonly FailureGroup[]
  readonly failing: readonly FailureGroup[]
  readonly mended: readonly string[]
  readonly fresh: readonly string[]
  readonly unchecked: readonly string[]
  /** Faults of catalogs that are new: broken rules of policies, sources that are not there. Errors first. */
  readonly faults: readonly FaultGroup[]
  /** Exported resources that change, by type. */
  readonly exports: readonly ExportChange[]
  /** Catalogs that were compiled, and those that were recalled. */
  readonly compiled: number
  readonly recalled: number
  readonly ms: number
}

/** Nodes with an identical change. */
export interface ChangeGroup {
  readonly nodes: readonly string[]
  readonly change: NodeChange
}

/** Nodes with the same error. */
export interface FailureGroup extends FailedCompile {
  readonly nodes: readonly string[]
}

/** Nodes with the same new fault. */
export interface FaultGroup extends CatalogFault {
  readonly nodes: readonly string[]
}

/** Exported resources of a type that change, and who has to do with it. */
export interface ExportChange {
  readonly type: string
  /** References. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly exporters: readonly string[]
  /** Nodes that collect resources of the type, and whose catalogs change. */
  readonly collectors: readonly string[]
}
