import type { SourceSpan } from '../../base/source.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import type { EvaluatedAttribute, EvaluationHost, RegisteredCollector, RelationshipEnd } from '../../language/host.ts'
import type { Collect } from '../../language/syntax/tree/nodes.ts'
import type { Callable } from '../../language/values/callable.ts'
import type { OutsideEntry } from '../../network/outside/allowed-folders.ts'
import type { RubySession } from '../../ruby/session/session.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import type { CodeTypes } from '../code/code-types.ts'
import type { KnownTypes } from '../code/definition-lookup.ts'
import type { Hiera } from '../hiera/hiera.ts'
import { RubyCallCounts } from '../profile/ruby-call-counts.ts'
import type { ProvenanceRecorder } from '../provenance/provenance-recorder.ts'
import type { Reads } from '../reads/compilation-reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import type { CatalogResource, SetParameter } from './catalog-resource.ts'
import type { ResourceTable } from './resource-table.ts'

/**
 * State of one compilation. While code runs, the parts of a compilation access each other through this object.
 * `beginCompilation` creates the parts in a fixed order.
 */
export class Compilation {
  readonly request: CompileRequest
  /** Records reads; `undefined` if no trace is recorded. */
  readonly reads: Reads | undefined
  /** Records the origin of values; `undefined` unless values are explained. */
  readonly provenance: ProvenanceRecorder | undefined
  readonly top = new Scope(undefined)
  /** Container frames by scope; local scopes have no frame. */
  readonly frames = new Map<Scope, ContainerFrame>()
  /** Scopes of evaluated classes and nodes by name. */
  readonly classScopes = new Map([['', this.top]])
  readonly classes: string[] = []
  readonly tags = new Set<string>()
  /** Collectors and `realize` calls that may still find resources. */
  readonly collectors = new Set<PendingCollector>()
  /** Types of the exported resources that this node collects from other nodes. */
  readonly collects = new Set<string>()
  /** Queries to sources outside the commit, with their results. */
  readonly asked = new Map<string, string>()
  /** Keys looked up in Hiera. */
  readonly lookups = new Set<string>()
  /** Numbers of Ruby calls by outcome. */
  readonly rubyCalls = new RubyCallCounts()
  readonly overrides = new Map<string, PendingOverride[]>()
  readonly relationships: PendingRelationship[] = []
  /** Relationships between resources, complete after `finishCompilation`. */
  readonly related: RelatedResources[] = []
  /**
   * Definitions that may override parameters without inheritance, because a collector in their code overrides
   * resources.
   */
  readonly mayOverride = new Set<CodeDefinition>()

  /** The language's interface to the compiler, and to everything outside of the code. */
  host!: EvaluationHost
  /** Reads folders outside the commit, for Ruby. */
  readOutside!: (path: string) => OutsideEntry | undefined
  hiera!: Hiera
  /** Runs the Ruby code of the modules. */
  ruby!: RubySession
  /** Classes, defined types, functions and type aliases defined in the code. */
  types!: KnownTypes
  /** Aliases, Object types and type sets that are defined in code. */
  codeTypes!: CodeTypes
  functions!: FunctionsByName
  table!: ResourceTable

  constructor(request: CompileRequest, reads?: Reads, provenance?: ProvenanceRecorder) {
    this.request = request
    this.reads = reads
    this.provenance = provenance
  }

  /** The environment with the code; its files record reads if a trace is recorded. */
  get environment(): CompileEnvironment {
    return this.reads?.environment ?? this.request.environment
  }
}

/** Functions that code can call. */
export interface FunctionsByName {
  find(name: string): Callable | undefined
  /** Names of the functions that exist in every environment; used for hints. */
  names(): Iterable<string>
}

/** The definition whose code runs in a scope, and the resource defaults set in that scope. */
export interface ContainerFrame {
  readonly definition: CodeDefinition
  readonly resource: CatalogResource
  /** Defaults by capitalized type name, then by parameter name. */
  readonly defaults: Map<string, Map<string, SetParameter>>
}

/** A collector, and the resources it has found so far. */
export interface PendingCollector extends RegisteredCollector {
  readonly collected: Set<CatalogResource>
  /** References that a `realize()` call has not found yet; empty for a collector expression. */
  readonly missing: Set<string>
  /**
   * Returns the resources that currently match. Returns each exported resource, and each resource of `realize()`,
   * only once.
   */
  find(): readonly CatalogResource[]
  readonly override:
    | { readonly attributes: readonly EvaluatedAttribute[]; readonly scope: Scope; readonly collect: Collect }
    | undefined
}

/** An override of a resource that may be declared later. */
export interface PendingOverride {
  readonly type: string
  readonly title: string
  readonly attributes: readonly EvaluatedAttribute[]
  readonly source: CodeDefinition
  readonly scope: Scope
  readonly span: SourceSpan | undefined
}

/** A relationship that is added when all resources exist. */
export interface PendingRelationship {
  readonly from: RelationshipEnd
  readonly to: RelationshipEnd
  readonly parameter: 'before' | 'notify'
}

/** A relationship between two resources of the catalog. */
export interface RelatedResources {
  readonly first: CatalogResource
  readonly next: CatalogResource
}

/** Returns the frame of the class, defined type, node or top scope that contains a scope. */
export function getFrame({ frames }: Compilation, scope: Scope): ContainerFrame {
  return frames.get(scope.frame)!
}
