import type { CodeTree } from './code-tree.ts'

/** A tree that can locate the bytes of a file, so that the file can be streamed. */
export interface ServableTree extends CodeTree {
  /** Returns `undefined` if the path is not a file. */
  locate(path: string): FileLocation | undefined
}

/** The location of a file's bytes: in memory, in the repository, or on disk. */
export type FileLocation =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'blob'; readonly oid: string }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly size: number
      /** Text that changes with the file: it contains device, inode, size and times. */
      readonly version: string
    }
