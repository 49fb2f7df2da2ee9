/** The requested commit of a module's repository. */
export type WantedCommit =
  | { readonly kind: 'branch' | 'tag' | 'commit' | 'ref'; readonly name: string }
  /** The branch with the name of the control repository's branch; otherwise the default branch. */
  | { readonly kind: 'control_branch' }
  /** The branch `master` if it exists, as in r10k; otherwise `HEAD`. */
  | { readonly kind: 'head' }

/** The source of a module's content. */
export type ModuleSource =
  | {
      readonly kind: 'git'
      readonly url: string
      readonly wanted: WantedCommit
      /** Branch to use if the requested one is missing. */
      readonly defaultBranch: string | undefined
      /**
       * Further fallback branches in order: `:default_branch` after `:default_branch_override`,
       * `:fallback` of g10k.
       */
      readonly otherBranches?: readonly string[]
    }
  /**
   * `version` is exact, `latest`, or a range as in metadata.json; `forge` is the address of another
   * Forge than the server's.
   */
  | { readonly kind: 'forge'; readonly version: string; readonly forge?: string }
  /** Content in the control repository itself. */
  | { readonly kind: 'local' }
  | { readonly kind: 'tarball'; readonly url: string; readonly sha256: string | undefined }

/** A validated `mod` of a Puppetfile: its folder is inside the environment, and its source is allowed. */
export interface DeclaredModule {
  /** Title in the Puppetfile: `puppetlabs/stdlib`, `puppetlabs-stdlib` or `stdlib`. */
  readonly title: string
  /** Author's name in lower case; undefined if the title has none. */
  readonly owner: string | undefined
  /** Name of the module and its folder. */
  readonly name: string
  /** The folder in the environment, such as `modules/stdlib`. */
  readonly path: string
  readonly source: ModuleSource
  /** True to omit the folder `spec` (`:exclude_spec`). */
  readonly excludesSpec: boolean
  /** Line in the Puppetfile, from 1. */
  readonly line: number
}

/** A parsed Puppetfile. */
export interface Puppetfile {
  /** Default folder of modules, `modules` unless set by `moduledir`. */
  readonly moduledir: string
  /** Address of the Forge, if the Puppetfile sets one. */
  readonly forge: string | undefined
  /** Modules in the order of the file. */
  readonly modules: readonly DeclaredModule[]
}
