/** The file or folder at a path of a tree, links followed. */
export interface TreeEntry {
  /** As asked for: from the root of the tree, with `/` between names and none in front; empty for the root. */
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly executable: boolean
  /**
   * Names the bytes for ever: a blob's id in git, `sha256-…` of the content in a folder. Keys every cache. A directory's
   * tells it from every other directory only.
   */
  readonly oid: string
}

/**
 * An immutable view of one tree: a commit, or a folder as it was when first looked at. Synchronous, in memory but for
 * `files/`, which are read when asked for. Links are followed inside the tree only; what a link that leads outside, or
 * nowhere, should lead to is not there.
 */
export interface CodeTree {
  /** Names the whole: a commit's SHA; for a folder, a digest of all it holds. */
  readonly id: string
  /** The tree's `code_id` for agents: the commit's SHA; `undefined` for a folder. */
  readonly codeId: string | undefined
  /** When the tree was made, in seconds: the commit's time; for a folder its newest file's. */
  readonly time: number
  /** The absolute path of the tree in messages, catalogs and metadata: `<environmentpath>/<environment>`. */
  readonly root: string

  entry(path: string): TreeEntry | undefined
  /** The target of a link at this very path, as written; `undefined` of anything else. */
  linkDestination(path: string): string | undefined
  /** The names in a directory, links that lead nowhere among them, sorted by code unit; empty when there is none. */
  list(directory: string): readonly string[]
  /** Bytes of a file, not to be changed; `undefined` when it is none. */
  read(path: string): Uint8Array | undefined
  /** Text in UTF-8; other bytes are escaped (base/text/byte-text.ts). */
  readText(path: string): string | undefined
  /** Hex digest of a file's bytes, remembered by oid; `undefined` when it is no file. */
  digest(path: string, algorithm: DigestAlgorithm): string | undefined
}

/** The digests that agents ask for; a lite one is of the first 512 bytes. Puppet: util/checksums.rb. */
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
