import type { CodeTree } from './code-tree.ts'

/** A tree that can locate the bytes of a file, to stream them. */
export interface ServableTree extends CodeTree {
  /** Returns `undefined` if the path is no file. */
  locate(path: string): FileLocation | undefined
}

/** The place of a file's bytes: in memory, in the repository, or on disk. */
export type FileLocation =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'blob'; readonly oid: string }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly size: number
      /** Changes with the file: contains device, inode, size and times. */
      readonly version: string
    }
