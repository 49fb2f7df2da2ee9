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

/** All that a catalog is a function of. Nothing else gets in. */
export interface CompileRequest extends Strictness {
  readonly node: Node
  /** Fact values by name; `trusted` and `server_facts` apart. */
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly trusted: Readonly<Record<string, ExactJson>>
  readonly serverFacts: Readonly<Record<string, ExactJson>>
  readonly environment: CompileEnvironment
  /** The code's version, where a program of the user's gives it; otherwise the tree's. */
  readonly codeId?: string
  /** Static: inline file metadata with this checksum type (`sha256`, …); `undefined` for a catalog that is not. */
  readonly staticChecksum: string | undefined
  /** The files that a static catalog names; if not given, by the kind of the tree. */
  readonly staticScope?: StaticScope
  /** Folders of this machine that private keys of encrypted data may be read from; none if not given. */
  readonly keyFolders?: readonly string[]
  /** Folders of this machine that Ruby of modules may read; none if not given. With `inputs`, those that were read. */
  readonly externalFolders?: readonly string[]
  /** Programs of this machine that `generate()` may run; none if not given. */
  readonly generators?: readonly string[]
  /** Remembered texts of the programs that `generate()` runs; this thread's own if not given. */
  readonly generated?: GeneratedTexts | undefined
  /** Seconds that one call of a module's Ruby may take; none where another thread looks after it. */
  readonly rubyTimeout?: number
  /** Finds what other nodes export, in one and the same state for one and the same catalog; none: storeconfigs is off. */
  readonly searchExports?: ((search: ExportSearch) => readonly ExportedResource[]) | undefined
  /** Asks the store of nodes, for `puppetdb_query()`: the body of a query to PuppetDB, and the text of its answer. */
  readonly askStore?: ((question: string) => string) | undefined
  /** Asks DNS and HTTP, for Ruby of modules: a question of `network/outside/question.ts`, and its answer as JSON. */
  readonly askOutside?: ((question: string) => string) | undefined
  /** Answers to all questions outside, which are asked of nobody else then: what another compilation told as `asked`. */
  readonly inputs?: ((question: string) => string) | undefined
  /** True to have in the catalog what the node exports and does not collect. */
  readonly keepsExported?: boolean
  /** True for a catalog that is to be stored. */
  readonly wantsFull?: boolean
  /** True to log the debug messages of Ruby in modules too. */
  readonly debug?: boolean
  /** Values of the variables in `$settings::`, by name. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

/** A catalog and what was said while it was made. Failure is thrown as `PuppetError`. */
export interface CompileResult extends IdentifiedCatalog {
  /** The catalog as a store wants it, where that was asked for. */
  readonly full: FullCatalog | undefined
  /** Resources that the node exports for others to collect; empty when storeconfigs is off. */
  readonly exports: readonly ExportedResource[]
  /** The types of which it collects what others export. */
  readonly collects: readonly string[]
  /** Questions outside (the store, programs, DNS, HTTP), and their answers: inputs, like the facts. See `outside/`. */
  readonly asked: ReadonlyMap<string, string>
  /** The keys that were looked up in Hiera. */
  readonly lookups: readonly string[]
  readonly logs: readonly CompileLog[]
}

/** A log line of a compilation. */
export interface CompileLog {
  readonly level: string
  readonly message: string
  /** The source of the message: `Scope(Class[main])`; `Puppet` for the compiler itself. */
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly diagnostic: Diagnostic | undefined
  /** True for a message that a server logs the first time only. */
  readonly once?: boolean
}
