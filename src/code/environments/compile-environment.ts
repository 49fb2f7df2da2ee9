import type { CodeTree } from './code-tree.ts'

/** The code, as the compiler takes it. */
export interface CompileEnvironment {
  readonly name: string
  readonly tree: CodeTree
  /** The tree's commit as people name it, `main@1a2b3c4`; `undefined` for a folder. */
  readonly revision?: string | undefined
  /** Folders of modules in order of precedence, each with the tree it is in and its path there. */
  readonly modulepath: readonly ModuleDirectory[]
  /** The main manifest, a file or a folder of them, from the root of a tree, else of the environment's own; or text given in place; or none. */
  readonly manifest: ManifestPlace | { readonly text: string } | undefined
  /** The output of `config_version`, or the commit's time. */
  readonly version: number | string
  /** A hiera.yaml above all environments, with the tree it is in. */
  readonly globalHiera: { readonly tree: CodeTree; readonly path: string } | undefined
}

/** A tree, and the path of a manifest in it. */
export interface ManifestPlace {
  readonly path: string
  readonly tree?: CodeTree
}

/** A folder that holds modules. */
export interface ModuleDirectory {
  readonly tree: CodeTree
  /** From the tree's root; `modules` as a rule; empty for the root itself. */
  readonly path: string
}
