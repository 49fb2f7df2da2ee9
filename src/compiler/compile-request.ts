import type { Diagnostic } from '../base/issue.ts'
import type { Json } from '../base/wire.ts'
import type { CodeTree } from '../environments/code-tree.ts'
import type { Strictness } from '../language/host.ts'
import type { Catalog } from '../model/catalog.ts'
import type { Node } from '../model/node.ts'

/** All that a catalog is a function of. Nothing else gets in. */
export interface CompileRequest extends Strictness {
  readonly node: Node
  /** Fact values by name; `trusted` and `server_facts` apart. */
  readonly facts: Readonly<Record<string, Json>>
  readonly trusted: Readonly<Record<string, Json>>
  readonly serverFacts: Readonly<Record<string, Json>>
  readonly environment: CompileEnvironment
  /** Static: inline file metadata with this checksum type (`sha256`, …); `undefined` for a catalog that is not. */
  readonly staticChecksum: string | undefined
  /** What `$settings::` has. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

/** The code, as `environments/` opens it. */
export interface CompileEnvironment {
  readonly name: string
  readonly tree: CodeTree
  /** Folders of modules in order of precedence, each with the tree it is in and its path there. */
  readonly modulepath: readonly ModuleDirectory[]
  /** The main manifest, a file or a folder of them, from the tree's root; or text given in place; or none. */
  readonly manifest: { readonly path: string } | { readonly text: string } | undefined
  /** What `config_version` said. */
  readonly version: number | string
  /** A hiera.yaml above all environments, with the tree it is in. */
  readonly globalHiera: { readonly tree: CodeTree; readonly path: string } | undefined
}

/** A folder that holds modules. */
export interface ModuleDirectory {
  readonly tree: CodeTree
  /** From the tree's root; `modules` as a rule. */
  readonly path: string
}

/** A catalog and what was said while it was made. Failure is thrown as `PuppetError`. */
export interface CompileResult {
  readonly catalog: Catalog
  readonly logs: readonly CompileLog[]
}

export interface CompileLog {
  readonly level: string
  readonly message: string
  /** What spoke: `Scope(Class[main])`; `Puppet` for the compiler itself. */
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly diagnostic: Diagnostic | undefined
}
