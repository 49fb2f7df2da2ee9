import type { ExactJson } from '../base/json/exact-json.ts'
import type { Value } from '../language/values/value.ts'
import type { FileMetadata } from './file-metadata.ts'

/** A catalog: all that one node is to be. protocol.md 5. */
export interface Catalog {
  /** The certname. */
  readonly name: string
  /** Seconds of the commit's time, or what `config_version` printed. */
  readonly version: number | string
  /** The commit; `undefined` for code that has none. */
  readonly codeId: string | undefined
  /** Derived from all else, so that the same catalog has the same UUID. */
  readonly catalogUuid: string
  readonly environment: string
  readonly tags: readonly string[]
  readonly classes: readonly string[]
  readonly resources: readonly Resource[]
  /** Containment only; what a resource `require`s stands in its parameters. */
  readonly edges: readonly Edge[]
  /** Static: by title of a File resource. */
  readonly metadata: ReadonlyMap<string, FileMetadata>
  /** Static: by title, then by source. */
  readonly recursiveMetadata: ReadonlyMap<string, ReadonlyMap<string, readonly FileMetadata[]>>
}

/** A resource of a catalog. */
export interface Resource {
  /** Each segment capitalised: `Apache::Vhost`. */
  readonly type: string
  readonly title: string
  readonly tags: readonly string[]
  readonly file: string | undefined
  readonly line: number | undefined
  readonly exported: boolean
  /** `class` only for one declared as a resource; Puppet says `unknown` of all others. */
  readonly kind: 'compilable_type' | 'defined_type' | 'class' | 'unknown'
  /** In the order of declaration; Sensitive ones are wrapped, references are reference types. */
  readonly parameters: ReadonlyMap<string, Value>
}

/** A catalog with all that its compiler knows, for a store: an agent gets less. */
export interface FullCatalog extends Catalog {
  /** Those, too, that are exported and not collected here. */
  readonly resources: readonly FullResource[]
}

/** A resource with what only its compiler knows of it. */
export interface FullResource extends Resource {
  /** True for one that is exported and not collected here: it does not concern the node. */
  readonly virtual: boolean
  /** Its other names: those of `alias`, and its name where that differs from the title. */
  readonly aliases: readonly Value[]
}

/** References as in `File[/etc/motd]`. */
export interface Edge {
  readonly source: string
  readonly target: string
}

/** A catalog as it stands on the wire: JSON with rich data tagged. What an agent reads and caches. */
export type CatalogWire = { readonly [key: string]: ExactJson }

/** `File[/etc/motd]`: how a resource is named in messages, edges and reports. */
export function referenceOf({ type, title }: Pick<Resource, 'type' | 'title'>): string {
  return `${type}[${title}]`
}
