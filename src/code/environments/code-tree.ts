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
   * Key of the content in caches: the blob id in Git, `sha256-…` of the content in a folder. The
   * oid of a directory is only unique among directories.
   */
  readonly oid: string
}

/**
 * An immutable view of one tree: a commit, or a folder at the time of its first read. Synchronous
 * and in memory, except for `files/`, which are read on demand. Links are followed inside the tree
 * only; a link that leads outside, or to nothing, has no entry.
 */
export interface CodeTree {
  /** Identifies the whole tree: the commit's SHA, or a digest of the folder's content. */
  readonly id: string
  /** The tree's `code_id` for agents: the commit's SHA; `undefined` for a folder. */
  readonly codeId: string | undefined
  /** Time of the tree in seconds since 1970: of the commit, or of the newest file in a folder. */
  readonly time: number
  /** Absolute path of the tree in messages, catalogs and metadata: `<environmentpath>/<environment>`. */
  readonly root: string

  entry(path: string): TreeEntry | undefined
  /** Returns the target of a link as written, without following links; `undefined` if the path is no link. */
  linkDestination(path: string): string | undefined
  /**
   * Returns the names in a directory, sorted by code unit, including broken links; empty if it is
   * missing.
   */
  list(directory: string): readonly string[]
  /** Returns the bytes of a file, which must not be modified; `undefined` if the path is no file. */
  read(path: string): Uint8Array | undefined
  /** Returns the text of a file in UTF-8; other bytes are escaped (base/text/byte-text.ts). */
  readText(path: string): string | undefined
  /** Returns the hex digest of a file, cached by oid; `undefined` if the path is no file. */
  digest(path: string, algorithm: DigestAlgorithm): string | undefined
}

/** Digests that agents request; a lite digest covers the first 512 bytes. Puppet: util/checksums.rb. */
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
