import type { CodeTree } from './code-tree.ts'

/** A tree that says where the bytes of a file are, so that they can be streamed. */
export interface ServableTree extends CodeTree {
  /** `undefined` when the path leads to no file. */
  locate(path: string): FileLocation | undefined
}

/** In memory, in the repository, or on disk. */
export type FileLocation =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'blob'; readonly oid: string }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly size: number
      /** Changes with the file: device, inode, size and times. */
      readonly version: string
    }
