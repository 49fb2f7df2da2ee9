import type { CatalogFault } from '../../compiler/workers/catalog-fault.ts'
import type { NodeOutcome } from './impact-request.ts'
import type { FailedCompile, NodeChange } from './node-change.ts'

/**
 * The result of an impact analysis as plain data: node names and changes, without facts and
 * secrets. Texts come from code and may contain unprintable characters.
 */
export interface Impact {
  readonly environment: string
  readonly from: string | undefined
  readonly to: string
  /** Number of nodes by outcome. */
  readonly counts: Readonly<Record<NodeOutcome, number>>
  readonly unaffected: readonly string[]
  readonly same: readonly string[]
  /** Changes of catalogs with their nodes, the most frequent change first. */
  readonly changed: readonly ChangeGroup[]
  readonly broken: readonly CompileFailureGroup[]
  readonly failing: readonly CompileFailureGroup[]
  readonly mended: readonly string[]
  readonly fresh: readonly string[]
  readonly unchecked: readonly string[]
  /** New faults of catalogs: violated policy rules, missing sources. Errors first. */
  readonly faults: readonly FaultGroup[]
  /** Changed exported resources by type. */
  readonly exports: readonly ExportChange[]
  /**
   * Number of compiled catalogs; `recalled` is the number of catalogs reused from earlier
   * compilations.
   */
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
export interface CompileFailureGroup extends FailedCompile {
  readonly nodes: readonly string[]
}

/** Nodes with the same new fault. */
export interface FaultGroup extends CatalogFault {
  readonly nodes: readonly string[]
}

/** Changed exported resources of one type, with the nodes involved. */
export interface ExportChange {
  readonly type: string
  /** References of exported resources, such as `File[/a]`. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly exporters: readonly string[]
  /** Nodes that collect resources of the type and whose catalogs change. */
  readonly collectors: readonly string[]
}
