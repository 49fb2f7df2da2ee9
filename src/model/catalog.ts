import type { ExactJson } from '../base/json/exact-json.ts'
import type { Value } from '../language/values/value.ts'
import type { FileMetadata } from './file-metadata.ts'

/** A catalog: the desired state of one node. protocol.md 5. */
export interface Catalog {
  /** The certname. */
  readonly name: string
  /** Time of the commit in seconds since 1970, or the output of `config_version`. */
  readonly version: number | string
  /** The compiled commit; `undefined` if the code is not in a repository. */
  readonly codeId: string | undefined
  /** UUID derived from the content, so that equal catalogs have the same UUID. */
  readonly catalogUuid: string
  readonly environment: string
  readonly tags: readonly string[]
  readonly classes: readonly string[]
  readonly resources: readonly Resource[]
  /** Containment edges only; relationships such as `require` are in the parameters. */
  readonly edges: readonly Edge[]
  /** In a static catalog: file metadata by title of the File resource. */
  readonly metadata: ReadonlyMap<string, FileMetadata>
  /** In a static catalog: metadata of file trees by title of the File resource, then by source. */
  readonly recursiveMetadata: ReadonlyMap<string, ReadonlyMap<string, readonly FileMetadata[]>>
}

/** A resource of a catalog. */
export interface Resource {
  /** Type name with each segment capitalized: `Apache::Vhost`. */
  readonly type: string
  readonly title: string
  readonly tags: readonly string[]
  readonly file: string | undefined
  readonly line: number | undefined
  readonly exported: boolean
  /**
   * Kind of the resource. `class` is only for classes that are declared like resources; Puppet uses `unknown` for other
   * classes.
   */
  readonly kind: 'compilable_type' | 'defined_type' | 'class' | 'unknown'
  /** Parameters in order of declaration; sensitive values are wrapped, and references are reference types. */
  readonly parameters: ReadonlyMap<string, Value>
}

/** A catalog with additional data from the compiler for a store; agents do not receive this data. */
export interface FullCatalog extends Catalog {
  /** All resources, including exported resources that this node does not collect. */
  readonly resources: readonly FullResource[]
}

/** A resource with additional data from the compiler. */
export interface FullResource extends Resource {
  /** True for an exported resource that this node does not collect and thus does not apply. */
  readonly virtual: boolean
  /** Other names of the resource: its `alias` values, and its name if different from the title. */
  readonly aliases: readonly Value[]
}

/** An edge between two references such as `File[/etc/motd]`. */
export interface Edge {
  readonly source: string
  readonly target: string
}

/** A catalog in wire format: JSON with tagged rich data. Agents read and cache this format. */
export type CatalogWire = { readonly [key: string]: ExactJson }

/** Returns the reference of a resource in messages, edges and reports: `File[/etc/motd]`. */
export function formatResourceReference({ type, title }: Pick<Resource, 'type' | 'title'>): string {
  return `${type}[${title}]`
}
