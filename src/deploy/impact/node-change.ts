import type { ExactJson } from '../../base/json/exact-json.ts'

/** The change of a node's catalog, as it is shown. Counts are of all, lists may be cut. */
export interface NodeChange {
  readonly counts: ChangeCounts
  /** In the order of the newer catalog. */
  readonly added: readonly AddedResource[]
  /** References, in the order of the older catalog. */
  readonly removed: readonly string[]
  readonly changed: readonly ChangedResource[]
  /** Edges of containment, in words. */
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** References of resources that stand in another place among the others, which is an order to agents. */
  readonly moved: readonly string[]
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

/** A resource that only the newer catalog has. */
export interface AddedResource {
  readonly resource: string
  readonly parameters: readonly { readonly name: string; readonly value: ExactJson }[]
}

/** A resource that both catalogs have. */
export interface ChangedResource {
  readonly resource: string
  readonly parameters: readonly ParameterChange[]
}

/** A parameter that differs; `content of source` is the content of the file that a static catalog names. */
export interface ParameterChange {
  readonly name: string
  /** `undefined` in the catalog that lacks it; long ones are cut. */
  readonly from: ExactJson | undefined
  readonly to: ExactJson | undefined
  /** Texts of several lines as a unified diff without its head, in place of values; it may be cut. */
  readonly patch?: string | undefined
  /** True of a secret: the values are not there. */
  readonly secret?: boolean
  /** Files of the two trees whose contents differ. */
  readonly files?: { readonly from: string; readonly to: string } | undefined
}

/** Why a node has no catalog. */
export interface FailedCompile {
  /** In one line, without the name of the node and the place. */
  readonly message: string
  /** Relative to the root of the tree, for a file in the tree. */
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly hint: string | undefined
}
