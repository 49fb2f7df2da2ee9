import type { CodeTree } from './code-tree.ts'

/** The code of an environment, in the form the compiler reads. */
export interface CompileEnvironment {
  readonly name: string
  readonly tree: CodeTree
  /** The commit as shown to users, such as `main@1a2b3c4`; `undefined` for a folder. */
  readonly revision?: string | undefined
  /** Folders that contain modules, in order of precedence. */
  readonly modulepath: readonly ModuleDirectory[]
  /**
   * The main manifest: a file or folder (in the environment's tree if no tree is given), or inline
   * text; `undefined` if there is no manifest.
   */
  readonly manifest: ManifestPlace | { readonly text: string } | undefined
  /** The output of `config_version`, or the commit's time. */
  readonly version: number | string
  /** The global hiera.yaml, which applies to all environments. */
  readonly globalHiera: GlobalHiera | undefined
}

/** The path of a manifest, and the tree that contains it. */
export interface ManifestPlace {
  readonly path: string
  readonly tree?: CodeTree
}

/** A folder that contains modules. */
export interface ModuleDirectory {
  readonly tree: CodeTree
  /** Path from the tree's root, usually `modules`; empty for the root itself. */
  readonly path: string
}

/** The location of the global hiera.yaml. */
export interface GlobalHiera {
  readonly tree: CodeTree
  readonly path: string
  /** Folders of its data, which may lie outside of `tree`; none for a server. */
  readonly data?: readonly CodeTree[]
}
