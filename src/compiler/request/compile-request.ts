import type { Diagnostic } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import type { StaticScope } from '../../code/environments/static-catalog-files.ts'
import type { Strictness } from '../../language/host.ts'
import type { Callable } from '../../language/values/callable.ts'
import type { FullCatalog } from '../../model/catalog.ts'
import type { IdentifiedCatalog } from '../../model/catalog-text.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { PuppetNode } from '../../model/node.ts'
import type { CompileProfile } from '../profile/compile-profile.ts'
import type { PhaseDurations } from '../profile/phase-clock.ts'
import type { RubyCallOutcome } from '../profile/ruby-call-counts.ts'
import type { GeneratorCache } from './generator-cache.ts'

/** All inputs of a catalog; a compilation reads nothing else. */
export interface CompileRequest extends Strictness {
  readonly node: PuppetNode
  /** Fact values by name, without `trusted` and `server_facts`. */
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly trusted: Readonly<Record<string, ExactJson>>
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  readonly environment: CompileEnvironment
  /** Version of the code that the user's `config_version` program printed; by default, the version of the tree. */
  readonly codeId?: string
  /**
   * Checksum type (such as `sha256`) of the file metadata in a static catalog; `undefined` if the catalog is not
   * static.
   */
  readonly staticChecksum: string | undefined
  /** Files whose metadata a static catalog contains; by default, the kind of tree determines them. */
  readonly staticScope?: StaticScope
  /** Folders on the server from which private keys for encrypted data may be read; none by default. */
  readonly keyFolders?: readonly string[]
  /**
   * Folders on the server that Ruby code in modules may read; none by default. With `inputs`, the recorded results are
   * used instead.
   */
  readonly externalFolders?: readonly string[]
  /**
   * A folder that Ruby code in modules can write, in memory, for functions that keep data in `vardir`. By default they
   * can write nothing, because a catalog must not depend on earlier ones.
   */
  readonly scratchFolder?: string | undefined
  /** Programs on the server that `generate()` may run; none by default. */
  readonly generators?: readonly string[]
  /** Cached output of programs for `generate()`; by default, the cache of this thread. */
  readonly generated?: GeneratorCache | undefined
  /** Time limit in seconds for one call of Ruby code in a module; `undefined` if another thread enforces the limit. */
  readonly rubyTimeout?: number
  /**
   * Finds exported resources of other nodes; all searches see the same state of the store. `undefined` without
   * storeconfigs.
   */
  readonly searchExports?: ((search: ExportSearch) => readonly ExportedResource[]) | undefined
  /**
   * Runs a PuppetDB query for `puppetdb_query()`: receives the body of the query, and returns the text of the reply.
   */
  readonly askStore?: ((question: string) => string) | undefined
  /**
   * Runs a DNS or HTTP query for Ruby code in modules. The query has the format of `network/outside/question.ts`; the
   * result is JSON.
   */
  readonly askOutside?: ((question: string) => string) | undefined
  /**
   * Returns the recorded result of an external query (`asked` of another compilation). If it is set, no query is run.
   */
  readonly inputs?: ((question: string) => string) | undefined
  /** Functions that code can call besides those of the language and of modules, by name. */
  readonly functions?: ReadonlyMap<string, Callable> | undefined
  /** True to include in the catalog exported resources that the node does not collect. */
  readonly keepsExported?: boolean
  /** True to also return a catalog for a store. */
  readonly wantsFull?: boolean
  /** Measures the compilation; absent in ordinary compilations. */
  readonly profile?: CompileProfile
  /** True to also log debug messages of Ruby code in modules. */
  readonly debug?: boolean
  /** Values of the variables in `$settings::`, by name. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

/** A catalog and the logs of its compilation. A failure is thrown as `PuppetError`. */
export interface CompileResult extends IdentifiedCatalog {
  /** The catalog for a store, if it was requested. */
  readonly full: FullCatalog | undefined
  /** Resources that the node exports; empty without storeconfigs. */
  readonly exports: readonly ExportedResource[]
  /** Types of the exported resources that the node collects from other nodes. */
  readonly collects: readonly string[]
  /** External queries (store, programs, DNS, HTTP) and their results, which are inputs like facts. See `outside/`. */
  readonly asked: ReadonlyMap<string, string>
  /** The keys that were looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly logs: readonly CompileLog[]
  readonly costs: CompileCosts
}

/** Time and Ruby calls of a compilation, for metrics. They are not a part of the catalog. */
export interface CompileCosts {
  readonly phases: PhaseDurations
  readonly rubyCalls: Readonly<Partial<Record<RubyCallOutcome, number>>>
}

/** A log line of a compilation. */
export interface CompileLog {
  readonly level: string
  readonly message: string
  /** Source of the message, such as `Scope(Class[main])`; `Puppet` for a message of the compiler itself. */
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly diagnostic: Diagnostic | undefined
  /** True for a message that a server logs only once. */
  readonly once?: boolean
}
