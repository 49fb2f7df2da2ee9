import type { Diagnostic } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import type { StaticScope } from '../../code/environments/static-files.ts'
import type { Strictness } from '../../language/host.ts'
import type { FullCatalog } from '../../model/catalog.ts'
import type { IdentifiedCatalog } from '../../model/catalog-text.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { Node } from '../../model/node.ts'
import type { GeneratedTexts } from './generated-texts.ts'

/** All inputs of a catalog; a compilation reads nothing else. */
export interface CompileRequest extends Strictness {
  readonly node: Node
  /** Fact values by name, without `trusted` and `server_facts`. */
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly trusted: Readonly<Record<string, ExactJson>>
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  readonly environment: CompileEnvironment
  /** Version of the code from the user's `config_version` program; by default that of the tree. */
  readonly codeId?: string
  /**
   * Checksum type (such as `sha256`) of inline file metadata in a static catalog; `undefined` for
   * other catalogs.
   */
  readonly staticChecksum: string | undefined
  /** Files to inline in a static catalog; by default chosen by the kind of tree. */
  readonly staticScope?: StaticScope
  /** Folders on this machine from which private keys of encrypted data may be read; default none. */
  readonly keyFolders?: readonly string[]
  /**
   * Folders on this machine that Ruby in modules may read; default none. With `inputs`, the folders
   * that were read.
   */
  readonly externalFolders?: readonly string[]
  /** Programs on this machine that `generate()` may run; default none. */
  readonly generators?: readonly string[]
  /** Cached output of the programs of `generate()`; by default this thread's own cache. */
  readonly generated?: GeneratedTexts | undefined
  /** Time limit in seconds of one call of a module's Ruby; `undefined` if another thread enforces it. */
  readonly rubyTimeout?: number
  /**
   * Finds exported resources of other nodes, all in one state of the store; `undefined` without
   * storeconfigs.
   */
  readonly searchExports?: ((search: ExportSearch) => readonly ExportedResource[]) | undefined
  /** Runs a PuppetDB query for `puppetdb_query()`: takes the query's body and returns the reply's text. */
  readonly askStore?: ((question: string) => string) | undefined
  /**
   * Runs a DNS or HTTP query for Ruby in modules, in the format of `network/outside/question.ts`;
   * returns JSON.
   */
  readonly askOutside?: ((question: string) => string) | undefined
  /**
   * Returns recorded results of all outside queries (`asked` of another compilation); no query is
   * run then.
   */
  readonly inputs?: ((question: string) => string) | undefined
  /** True to keep exported resources in the catalog that the node does not collect. */
  readonly keepsExported?: boolean
  /** True to return a catalog for a store, too. */
  readonly wantsFull?: boolean
  /** True to log debug messages of Ruby in modules, too. */
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
  /** Types of the exported resources that the node collects. */
  readonly collects: readonly string[]
  /**
   * Outside queries (store, programs, DNS, HTTP) and their results, which are inputs like facts.
   * See `outside/`.
   */
  readonly asked: ReadonlyMap<string, string>
  /** The keys that were looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly logs: readonly CompileLog[]
}

/** A log line of a compilation. */
export interface CompileLog {
  readonly level: string
  readonly message: string
  /** Source of the message, such as `Scope(Class[main])`; `Puppet` for the compiler itself. */
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly diagnostic: Diagnostic | undefined
  /** True for a message that a server logs only once. */
  readonly once?: boolean
}
