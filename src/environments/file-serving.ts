/** What `file_metadata` is asked. The mount and the path come decoded: `modules`, `demo/a.txt`. */
export interface FileQuery {
  readonly mount: string
  readonly path: string
  readonly links: 'manage' | 'follow'
  /** `sha256`, `md5lite`, `mtime`, `none`, …; checked here. */
  readonly checksumType: string
  readonly sourcePermissions: 'ignore' | 'use'
}

/** What `file_metadatas` is asked. */
export interface FileSearch extends FileQuery {
  readonly recurse: boolean
  /** How deep; `undefined` for no limit. */
  readonly recurselimit: number | undefined
  /** 0 warns above 1000, -1 is no limit, a positive one is an error when it is exceeded. */
  readonly maxFiles: number
  /** Globs of names. */
  readonly ignore: readonly string[]
  warn?(message: string): void
}
