/** The file or folder at a path of a tree, after following links. */
export interface TreeEntry {
  /**
   * The requested path from the root of the tree, with `/` between names and no leading `/`; empty
   * for the root.
   */
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly executable: boolean
  /**
   * Key under which caches store the content: the blob id in Git, `sha256-…` of the content in a
   * folder. The oid of a directory is only unique among directories.
   */
  readonly oid: string
}

/**
 * An immutable view of one tree: a commit, or a folder as it was when first read. Synchronous and
 * in memory, except for `files/`, whose files are read on demand. Links are followed inside the
 * tree only; a link that leads outside, or whose target is missing, has no entry.
 */
export interface CodeTree {
  /** The tree's `code_id` for agents: the commit's SHA; `undefined` for a folder. */
  readonly codeId: string | undefined
  /** Seconds since 1970: the commit's time, or the modification time of the newest file in a folder. */
  readonly time: number
  /** Absolute path that represents the tree in messages, catalogs and metadata: `<environmentpath>/<environment>`. */
  readonly root: string

  entry(path: string): TreeEntry | undefined
  /** Returns the target of a link as written, without following links; `undefined` if the path is not a link. */
  linkDestination(path: string): string | undefined
  /**
   * Returns the names in a directory, sorted by code unit, including broken links; empty if the
   * directory is missing.
   */
  list(directory: string): readonly string[]
  /** Returns the bytes of a file, which the caller must not modify; `undefined` if the path is not a file. */
  read(path: string): Uint8Array | undefined
  /** Returns the text of a UTF-8 file; bytes that are not UTF-8 are escaped (base/text/byte-text.ts). */
  readText(path: string): string | undefined
  /** Returns the hex digest of a file, cached by oid; `undefined` if the path is not a file. */
  digest(path: string, algorithm: DigestAlgorithm): string | undefined
}

/**
 * Digest algorithms that agents request; the lite algorithms cover only the first 512 bytes.
 * Puppet: util/checksums.rb.
 */
export const digestAlgorithms = [
  'md5',
  'md5lite',
  'sha1',
  'sha1lite',
  'sha224',
  'sha256',
  'sha256lite',
  'sha384',
  'sha512',
] as const

/** Names of the digest algorithms. */
export type DigestAlgorithm = (typeof digestAlgorithms)[number]
