/** The commit of a module's repository that a Puppetfile asks for. */
export type WantedCommit =
  | { readonly kind: 'branch' | 'tag' | 'commit' | 'ref'; readonly name: string }
  /** The branch of the control repository's own name; else the default branch. */
  | { readonly kind: 'control_branch' }
  /** `master` where the repository has it, as r10k takes it; else what `HEAD` stands for. */
  | { readonly kind: 'head' }

/** The place of a module's content. */
export type ModuleSource =
  | {
      readonly kind: 'git'
      readonly url: string
      readonly wanted: WantedCommit
      /** The branch in place of one that is not there. */
      readonly defaultBranch: string | undefined
      /** Further ones in place of that, in their order: `:default_branch` behind `:default_branch_override`, g10k's `:fallback`. */
      readonly otherBranches?: readonly string[]
    }
  /** `version` is exact, `latest`, or a range in the words of metadata.json; `forge` an address other than the server's. */
  | { readonly kind: 'forge'; readonly version: string; readonly forge?: string }
  /** Content of the control repository itself. */
  | { readonly kind: 'local' }
  | { readonly kind: 'tarball'; readonly url: string; readonly sha256: string | undefined }

/** A `mod` of a Puppetfile, checked: its folder is inside the environment, its place may be asked. */
export interface DeclaredModule {
  /** As it stands in the Puppetfile: `puppetlabs/stdlib`, `puppetlabs-stdlib` or `stdlib`. */
  readonly title: string
  /** The author's name, lower case; none where the title has none. */
  readonly owner: string | undefined
  /** The module's own name, which is its folder's. */
  readonly name: string
  /** The folder in the environment, such as `modules/stdlib`. */
  readonly path: string
  readonly source: ModuleSource
  /** True where the folder `spec` is left out (`:exclude_spec`). */
  readonly excludesSpec: boolean
  /** The line of the Puppetfile, from 1. */
  readonly line: number
}

/** A Puppetfile, read. */
export interface Puppetfile {
  /** The folder of modules that name no other, `modules` unless `moduledir` says otherwise. */
  readonly moduledir: string
  /** The address of the Forge, where the Puppetfile names one. */
  readonly forge: string | undefined
  /** In the order of the file. */
  readonly modules: readonly DeclaredModule[]
}
