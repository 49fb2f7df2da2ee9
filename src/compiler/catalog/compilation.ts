import type { Span } from '../../base/source.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import type { Attribute, Collector, Host, RelationshipEnd } from '../../language/host.ts'
import type { Collect } from '../../language/syntax/tree/nodes.ts'
import type { Callable } from '../../language/values/callable.ts'
import type { OutsideEntry } from '../../network/outside/folders.ts'
import type { RubySession } from '../../ruby/session/session.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import type { CodeTypes } from '../code/code-types.ts'
import type { KnownTypes } from '../code/known-types.ts'
import type { Hiera } from '../hiera/hiera.ts'
import type { Recorder } from '../provenance/recorder.ts'
import type { Reads } from '../reads/reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import type { CatalogResource, SetParameter } from './catalog-resource.ts'
import type { ResourceTable } from './resource-table.ts'

/**
 * A catalog in the making, and all that is known while it is made. Its parts hold it, and ask it for each other once
 * code runs: `begin` puts them in before, in one order.
 */
export class Compilation {
  readonly request: CompileRequest
  /** Notes on what is read; `undefined` where nobody wants them. */
  readonly reads: Reads | undefined
  /** Notes on what values come from; `undefined` where nobody asks. */
  readonly provenance: Recorder | undefined
  readonly top = new Scope(undefined)
  /** Frames by scope, for all scopes but those of blocks. */
  readonly frames = new Map<Scope, Frame>()
  /** Scopes of evaluated classes and nodes by name. */
  readonly classScopes = new Map([['', this.top]])
  readonly classes: string[] = []
  readonly tags = new Set<string>()
  /** Not yet evaluated for good: collectors, and what waits for resources that are not there yet. */
  readonly collectors = new Set<PendingCollector>()
  /** Types of which what other nodes export is collected. */
  readonly collects = new Set<string>()
  /** Questions outside of the commit, and their answers. */
  readonly asked = new Map<string, string>()
  /** Keys that were looked up in Hiera. */
  readonly lookups = new Set<string>()
  readonly overrides = new Map<string, PendingOverride[]>()
  readonly relationships: PendingRelationship[] = []
  /** Once all is there: who comes before whom. */
  readonly related: Related[] = []
  /** Definitions whose overrides count though they inherit nothing: a collector has overridden from there. */
  readonly mayOverride = new Set<CodeDefinition>()

  /** The language's interface to the outside world. */
  host!: Host
  /** Reads in folders outside of the commit, for Ruby. */
  readOutside!: (path: string) => OutsideEntry | undefined
  hiera!: Hiera
  /** The Ruby of the modules. */
  ruby!: RubySession
  /** Classes, defined types, functions and type aliases of the code. */
  types!: KnownTypes
  /** The types that the code defines as values of the language. */
  codeTypes!: CodeTypes
  functions!: FunctionsByName
  table!: ResourceTable

  constructor(request: CompileRequest, reads?: Reads, provenance?: Recorder) {
    this.request = request
    this.reads = reads
    this.provenance = provenance
  }

  /** The code, which tells what is read of it where that is noted. */
  get environment(): CompileEnvironment {
    return this.reads?.environment ?? this.request.environment
  }
}

/** The functions that code may call. */
export interface FunctionsByName {
  find(name: string): Callable | undefined
  /** The names of those that every environment has; for hints. */
  names(): Iterable<string>
}

/** Whose code runs in a scope, and the resource defaults set there. */
export interface Frame {
  readonly definition: CodeDefinition
  readonly resource: CatalogResource
  /** By capitalised type, then by parameter. */
  readonly defaults: Map<string, Map<string, SetParameter>>
}

/** A collector, and what it has found up to now. */
export interface PendingCollector extends Collector {
  readonly collected: Set<CatalogResource>
  /** References still to be found by `realize()`; empty for a collector of the code. */
  readonly missing: Set<string>
  /** Resources that match now; those of other nodes, and those of `realize()`, come once only. */
  find(): readonly CatalogResource[]
  readonly override:
    | { readonly attributes: readonly Attribute[]; readonly scope: Scope; readonly collect: Collect }
    | undefined
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
