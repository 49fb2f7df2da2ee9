import type { ExactJson, ExactObject } from '../../base/json/exact-json.ts'

/** A parsed command, converted to the newest version of its kind. protocol.md 16.1. */
export type StoreCommand =
  | { readonly name: 'replace catalog'; readonly payload: StoredCatalog }
  | { readonly name: 'replace facts'; readonly payload: StoredFacts }
  | { readonly name: 'store report'; readonly payload: StoredReport }
  | { readonly name: 'deactivate node'; readonly payload: Deactivation }
  | { readonly name: 'configure expiration'; readonly payload: FactsExpiration }
  | { readonly name: 'replace catalog inputs'; readonly payload: CatalogInputs }

/** The names of commands. */
export type CommandName = StoreCommand['name']

/** A time in UTC with milliseconds: `2026-11-23T06:32:56.000Z`. */
export type WireTimestamp = string

/** A catalog in version 9 of the wire format. */
export interface StoredCatalog {
  readonly certname: string
  readonly version: string
  readonly environment: string | null
  readonly transaction_uuid: string | null
  readonly catalog_uuid: string | null
  readonly code_id: string | null
  readonly job_id: string | null
  readonly producer_timestamp: WireTimestamp
  readonly producer: string | null
  readonly edges: readonly StoredEdge[]
  readonly resources: readonly StoredResource[]
  /**
   * Checksums of the files that File resources copy, by title; absent if the sender does not know
   * the checksums. A Plumb extension: PuppetDB has no such field.
   */
  readonly sourced_files?: ExactObject
  /** SHA-1 of the resources and edges as written in the payload. */
  readonly digest?: string
  /**
   * True if resources and edges were not parsed, because the digest shows that the node already has
   * them.
   */
  readonly contentsOmitted?: boolean
}

/** A resource of a catalog. */
export interface StoredResource {
  readonly type: string
  readonly title: string
  readonly exported: boolean
  readonly file: string | null
  readonly line: number | null
  /** Tags, sorted and without duplicates. */
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  readonly parameters: ExactObject
}

/** The kinds of edges between resources. */
export const edgeRelationships = ['contains', 'before', 'required-by', 'notifies', 'subscription-of'] as const

/** An edge between two resources of a catalog: the source is applied before the target. */
export interface StoredEdge {
  readonly source: ResourceSpec
  readonly target: ResourceSpec
  readonly relationship: (typeof edgeRelationships)[number]
}

/** Type and title of a resource. */
export interface ResourceSpec {
  readonly type: string
  readonly title: string
}

/** Facts in version 5 of the wire format. */
export interface StoredFacts {
  readonly certname: string
  readonly environment: string | null
  readonly producer_timestamp: WireTimestamp
  readonly producer: string | null
  readonly values: ExactObject
  /** Name, version and provider of each package; absent if the node does not report packages. */
  readonly package_inventory?: readonly (readonly [name: string, version: string, provider: string])[]
}

/** A report in version 8 of the wire format. */
export interface StoredReport {
  readonly certname: string
  readonly environment: string | null
  readonly puppet_version: string
  readonly report_format: number
  readonly configuration_version: string
  readonly start_time: WireTimestamp
  readonly end_time: WireTimestamp
  readonly producer_timestamp: WireTimestamp
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
  /** `agent` for an agent run, `plan` for a plan. */
  readonly type: string
}

/** The status of a resource in a report. */
export interface StoredResourceStatus {
  readonly resource_type: string
  readonly resource_title: string
  readonly timestamp: WireTimestamp
  readonly skipped: boolean
  readonly file: string | null
  readonly line: number | null
  readonly containment_path: readonly string[] | null
  readonly corrective_change: boolean | null
  readonly events: readonly StoredEvent[]
}

/** An event in a report: a change that was made, or only detected. */
export interface StoredEvent {
  readonly status: string
  readonly timestamp: WireTimestamp
  readonly name: string | null
  readonly property: string | null
  readonly new_value: ExactJson
  readonly old_value: ExactJson
  readonly message: string | null
  readonly corrective_change: boolean | null
}

/** The deactivation of a node. */
export interface Deactivation {
  readonly certname: string
  readonly producer_timestamp: WireTimestamp
}

/** Turns the expiration of a node's facts on or off. */
export interface FactsExpiration {
  readonly certname: string
  readonly producer_timestamp: WireTimestamp
  readonly expire: { readonly facts: boolean }
}

/** Inputs of a catalog's compilation: pairs of a type (`hiera`) and a name (the lookup key). */
export interface CatalogInputs {
  readonly certname: string
  readonly catalog_uuid: string
  readonly producer_timestamp: WireTimestamp
  readonly inputs: readonly (readonly [type: string, name: string])[]
}
