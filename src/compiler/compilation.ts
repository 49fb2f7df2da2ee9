import type { Span } from '../base/source.ts'
import type { Hiera } from '../hiera/hiera.ts'
import type { Scope } from '../language/evaluator/scope.ts'
import type { Attribute, Host, RelationshipEnd } from '../language/host.ts'
import type { CatalogResource, SetParameter } from './catalog-resource.ts'
import type { CodeDefinition } from './code-definition.ts'
import type { PendingCollector } from './collectors.ts'
import type { CompileRequest } from './compile-request.ts'
import type { KnownTypes } from './known-types.ts'
import type { ResourceTable } from './resource-table.ts'

/** A catalog in the making, and all that is known while it is made. */
export interface Compilation {
  readonly request: CompileRequest
  readonly types: KnownTypes
  readonly table: ResourceTable
  readonly host: Host
  readonly hiera: Hiera
  readonly top: Scope
  /** What runs in each scope that is no block's. */
  readonly frames: Map<Scope, Frame>
  /** Scopes of evaluated classes and nodes by name. */
  readonly classScopes: Map<string, Scope>
  readonly classes: string[]
  readonly tags: Set<string>
  /** Not yet evaluated for good: collectors, and what waits for resources that are not there yet. */
  readonly collectors: Set<PendingCollector>
  /** Types of which what other nodes export is collected. */
  readonly collects: Set<string>
  readonly overrides: Map<string, PendingOverride[]>
  readonly relationships: PendingRelationship[]
  /** Once all is there: who comes before whom. */
  readonly related: Related[]
  /** Definitions whose overrides count though they inherit nothing: a collector has overridden from there. */
  readonly mayOverride: Set<CodeDefinition>
}

/** Whose code runs in a scope, and the resource defaults set there. */
export interface Frame {
  readonly definition: CodeDefinition
  readonly resource: CatalogResource
  /** By capitalised type, then by parameter. */
  readonly defaults: Map<string, Map<string, SetParameter>>
}

/** An override of a resource that may come later. */
export interface PendingOverride {
  readonly type: string
  readonly title: string
  readonly attributes: readonly Attribute[]
  readonly source: CodeDefinition
  readonly scope: Scope
  readonly span: Span | undefined
}

/** A relationship that is made when all resources are there. */
export interface PendingRelationship {
  readonly from: RelationshipEnd
  readonly to: RelationshipEnd
  readonly parameter: 'before' | 'notify'
}

/** A relationship of two resources of the catalog. */
export interface Related {
  readonly first: CatalogResource
  readonly next: CatalogResource
}

/** The frame of the scope that a block is in. */
export function frameOf({ frames }: Compilation, scope: Scope): Frame {
  return frames.get(scope.frame)!
}
