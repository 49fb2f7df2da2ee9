import type { ExactJson, ExactObject } from '../../base/json/exact-json.ts'

/** A command as the store takes it: of each kind the newest version's shape, whatever version it came in. protocol.md 16.1. */
export type StoreCommand =
  | { readonly name: 'replace catalog'; readonly payload: StoredCatalog }
  | { readonly name: 'replace facts'; readonly payload: StoredFacts }
  | { readonly name: 'store report'; readonly payload: StoredReport }
  | { readonly name: 'deactivate node'; readonly payload: Deactivation }
  | { readonly name: 'configure expiration'; readonly payload: Expiration }
  | { readonly name: 'replace catalog inputs'; readonly payload: CatalogInputs }

/** The names of commands. */
export type CommandName = StoreCommand['name']

/** A time in UTC with milliseconds: `2026-11-23T06:32:56.000Z`. */
export type Timestamp = string

/** A catalog: version 9 of its wire format. */
export interface StoredCatalog {
  readonly certname: string
  readonly version: string
  readonly environment: string | null
  readonly transaction_uuid: string | null
  readonly catalog_uuid: string | null
  readonly code_id: string | null
  readonly job_id: string | null
  readonly producer_timestamp: Timestamp
  readonly producer: string | null
  readonly edges: readonly StoredEdge[]
  readonly resources: readonly StoredResource[]
  /** Checksums of the files that File resources copy, by title; absent if the sender does not know them. Ours: PuppetDB has no such field. */
  readonly sourced_files?: ExactObject
  /** SHA-1 of resources and edges as they came. */
  readonly digest?: string
  /** True of one whose resources and edges were not read: the digest says that the node has them. */
  readonly contentsOmitted?: boolean
}

/** A resource of a catalog. */
export interface StoredResource {
  readonly type: string
  readonly title: string
  readonly exported: boolean
  readonly file: string | null
  readonly line: number | null
  /** Sorted, each once. */
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  readonly parameters: ExactObject
}

/** The kinds of edges between resources. */
export const relationships = ['contains', 'before', 'required-by', 'notifies', 'subscription-of'] as const

/** A relationship between two resources of a catalog: the source is applied first. */
export interface StoredEdge {
  readonly source: ResourceSpec
  readonly target: ResourceSpec
  readonly relationship: (typeof relationships)[number]
}

/** A resource by its names. */
export interface ResourceSpec {
  readonly type: string
  readonly title: string
}

/** Facts: version 5. */
export interface StoredFacts {
  readonly certname: string
  readonly environment: string | null
  readonly producer_timestamp: Timestamp
  readonly producer: string | null
  readonly values: ExactObject
  /** Name, version and provider of each package; absent where the node does not tell. */
  readonly package_inventory?: readonly (readonly [name: string, version: string, provider: string])[]
}

/** A report: version 8. */
export interface StoredReport {
  readonly certname: string
  readonly environment: string | null
  readonly puppet_version: string
  readonly report_format: number
  readonly configuration_version: string
  readonly start_time: Timestamp
  readonly end_time: Timestamp
  readonly producer_timestamp: Timestamp
  readonly producer: string | null
  readonly resources: readonly StoredResourceStatus[]
  readonly noop: boolean | null
  readonly noop_pending: boolean | null
  readonly corrective_change: boolean | null
  readonly transaction_uuid: string | null
  readonly catalog_uuid: string | null
  readonly code_id: string | null
  readonly job_id: string | null
  readonly cached_catalog_status: string | null
  readonly metrics: readonly ExactJson[]
  readonly logs: readonly ExactJson[]
  readonly status: string | null
  /** `agent` as a rule, `plan` for the report of a plan. */
  readonly type: string
}

/** The outcome of a resource in a report. */
export interface StoredResourceStatus {
  readonly resource_type: string
  readonly resource_title: string
  readonly timestamp: Timestamp
  readonly skipped: boolean
  readonly file: string | null
  readonly line: number | null
  readonly containment_path: readonly string[] | null
  readonly corrective_change: boolean | null
  readonly events: readonly StoredEvent[]
}

/** A change of a report, made or noticed. */
export interface StoredEvent {
  readonly status: string
  readonly timestamp: Timestamp
  readonly name: string | null
  readonly property: string | null
  readonly new_value: ExactJson
  readonly old_value: ExactJson
  readonly message: string | null
  readonly corrective_change: boolean | null
}

/** A node that is no more. */
export interface Deactivation {
  readonly certname: string
  readonly producer_timestamp: Timestamp
}

/** The expiration of a node's facts: on or off. */
export interface Expiration {
  readonly certname: string
  readonly producer_timestamp: Timestamp
  readonly expire: { readonly facts: boolean }
}

/** Inputs that a catalog was made from: pairs of a type (`hiera`) and a name (its key). */
export interface CatalogInputs {
  readonly certname: string
  readonly catalog_uuid: string
  readonly producer_timestamp: Timestamp
  readonly inputs: readonly (readonly [type: string, name: string])[]
}
