import type { ExactJson } from '../../base/json/exact-json.ts'

/** The change of a node's catalog, for display. Lists may be truncated; the counts include all elements. */
export interface NodeChange {
  readonly counts: ChangeCounts
  /** Added resources, in the order of the newer catalog. */
  readonly added: readonly AddedResource[]
  /** References of removed resources, in the order of the older catalog. */
  readonly removed: readonly string[]
  readonly changed: readonly ResourceDifference[]
  /** Added and removed containment edges, as text. */
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** References of resources whose relative position changed. Agents apply resources in the order of the catalog. */
  readonly moved: readonly string[]
  /** Names of the classes that are added, removed or changed, or that contain such a resource. Complete. */
  readonly classes: readonly string[]
  /** References of the services that the agent restarts because of the change. Complete. */
  readonly restarts: readonly string[]
}

/** Numbers of resources and edges that differ. */
export interface ChangeCounts {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly moved: number
  readonly edgesAdded: number
  readonly edgesRemoved: number
}

/** A resource in the newer catalog only. */
export interface AddedResource {
  readonly resource: string
  readonly parameters: readonly { readonly name: string; readonly value: ExactJson }[]
}

/** A resource in both catalogs. */
export interface ResourceDifference {
  readonly resource: string
  readonly parameters: readonly ParameterChange[]
}

/** A changed parameter; `content of source` is the content of the file that a static catalog references. */
export interface ParameterChange {
  readonly name: string
  /**
   * Value in the older catalog; undefined if the catalog lacks the parameter. Long values are
   * truncated.
   */
  readonly from: ExactJson | undefined
  readonly to: ExactJson | undefined
  /** Unified diff without header, which replaces the values of multi-line texts; may be truncated. */
  readonly patch?: string | undefined
  /** True for a secret, whose values are omitted. */
  readonly secret?: boolean
  /** Paths of the file in the old and in the new code, if its content differs. */
  readonly files?: { readonly from: string; readonly to: string } | undefined
}

/** The reason why a node has no catalog. */
export interface FailedCompile {
  /** Error message on one line, without the node name and the location. */
  readonly message: string
  /** Path of the file, relative to the root of the code for a file in the code. */
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly hint: string | undefined
}
