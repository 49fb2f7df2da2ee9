import { budgets } from '../../../base/budgets/budgets.ts'
import { toBufferView } from '../../../base/bytes/buffer-view.ts'
import { defineIssues, isIssue, throwIssue } from '../../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { runCooperatively, runToEnd } from '../../../base/threads/cooperative-tasks.ts'
import { mostLinks } from '../../git/blob-path.ts'
import { gitIssues } from '../../git/issues.ts'
import type { DigestAlgorithm, TreeEntry } from '../code-tree.ts'
import type { Digests } from '../digests.ts'
import type { GitTreeSnapshot } from '../environment-snapshot.ts'
import type { FileLocation, ServableTree } from '../servable-tree.ts'
import type { BlobReader } from './blob-bridge.ts'

/** A leaf of a commit in an index; the last three elements locate its bytes, if they are loaded. */
export type IndexLeaf = readonly [
  path: string,
  mode: LeafMode,
  oid: string,
  pack?: number,
  offset?: number,
  size?: number,
]

type LeafMode = '100644' | '100755' | '120000'

const issues = defineIssues({
  BLOB_NOT_AT_HAND: {
    text: (a: { path: string }) => `${a.path} cannot be read during compilation, only served to agents`,
  },
  FILE_TOO_LARGE_TO_READ: {
    text: (a: { path: string; most: number }) =>
      `${a.path} is larger than ${a.most} bytes, the limit for files that functions and templates read`,
    hint: () => "Let the agent fetch the file: source => 'puppet:///modules/MODULE/PATH'.",
  },
})

/** Opens the tree of a loaded commit; `blobs` reads the blobs that were not loaded. */
export function openGitTree(snapshot: GitTreeSnapshot, digests: Digests, blobs?: BlobReader): ServableTree {
  return new GitTree(snapshot, runToEnd(buildNodes(snapshot)), digests, blobs)
}

/** Same as `openGitTree`, but yields to other work. */
export async function openGitTreeInTurns(
  snapshot: GitTreeSnapshot,
  digests: Digests,
  blobs?: BlobReader,
): Promise<ServableTree> {
  return new GitTree(snapshot, await runCooperatively(buildNodes(snapshot)), digests, blobs)
}

/** Number of parent folders that are checked for being a plain folder. */
const plainLevels = 4
/** Number of folders found through links that are cached for the current walk. */
const maxRememberedFolders = 1000

type Node = Leaf | Directory

interface Leaf {
  readonly kind: 'file' | 'link'
  readonly executable: boolean
  readonly oid: string
  /** The bytes of the blob; `undefined` if the blob is not loaded. */
  readonly bytes: Buffer | undefined
}

/** The final path after following links, and the number of links followed. */
interface Target {
  readonly real: string
  readonly links: number
}

interface Directory {
  readonly kind: 'directory'
  readonly names: string[]
}

class GitTree implements ServableTree {
  readonly codeId: string
  readonly time: number
  readonly root: string
  readonly #nodes: ReadonlyMap<string, Node>
  readonly #digests: Digests
  readonly #blobs: BlobReader | undefined
  /** Targets of links, by the path of the link. */
  readonly #targets = new Map<string, Target>()
  /** Broken links by path, each with the number of links being followed when it was found broken. */
  readonly #nowhere = new Map<string, number>()
  /** Folders found through links, by the requested path. */
  readonly #folders = new Map<string, Target>()

  constructor(
    snapshot: GitTreeSnapshot,
    nodes: ReadonlyMap<string, Node>,
    digests: Digests,
    blobs: BlobReader | undefined,
  ) {
    this.codeId = snapshot.commit
    this.time = snapshot.time
    this.root = snapshot.root
    this.#nodes = nodes
    this.#digests = digests
    this.#blobs = blobs
  }

  entry(path: string): TreeEntry | undefined {
    const real = this.#resolve(path)
    const node = real === undefined ? undefined : this.#nodes.get(real)
    if (!node || node.kind === 'link') return undefined
    if (node.kind === 'directory') return { path, kind: 'directory', executable: true, oid: `${this.codeId}:${real}` }
    return { path, kind: 'file', executable: node.executable, oid: node.oid }
  }

  linkDestination(path: string): string | undefined {
    const slash = path.lastIndexOf('/')
    const parent = this.#resolve(path.slice(0, Math.max(0, slash)))
    if (parent === undefined) return undefined
    const node = this.#nodes.get(joinPath(parent, path.slice(slash + 1)))
    return node?.kind === 'link' ? node.bytes?.toString() : undefined
  }

  list(directory: string): readonly string[] {
    const real = this.#resolve(directory)
    const node = real === undefined ? undefined : this.#nodes.get(real)
    return node?.kind === 'directory' ? node.names : []
  }

  read(path: string): Uint8Array | undefined {
    return this.#bytes(path)
  }

  readText(path: string): string | undefined {
    const bytes = this.#bytes(path)
    return bytes && decodeLosslessUtf8(bytes)
  }

  digest(path: string, algorithm: DigestAlgorithm): string | undefined {
    const leaf = this.#leaf(path)
    if (!leaf) return undefined
    const { oid, bytes } = leaf
    if (bytes) return this.#digests.of(oid, algorithm, () => bytes)
    return this.#digests.compute(oid, algorithm, () => this.#blobsFor(path).digest(oid, algorithm))
  }

  locate(path: string): FileLocation | undefined {
    const leaf = this.#leaf(path)
    if (!leaf) return undefined
    return leaf.bytes ? { kind: 'bytes', bytes: leaf.bytes } : { kind: 'blob', oid: leaf.oid }
  }

  #leaf(path: string): Leaf | undefined {
    const real = this.#resolve(path)
    const node = real === undefined ? undefined : this.#nodes.get(real)
    return node?.kind === 'file' ? node : undefined
  }

  #bytes(path: string): Buffer | undefined {
    const leaf = this.#leaf(path)
    return leaf && this.#readBytes(leaf, path)
  }

  #readBytes({ bytes, oid }: Leaf, path: string): Buffer {
    if (bytes) return bytes
    const blobs = this.#blobsFor(path)
    try {
      return toBufferView(blobs.read(oid))
    } catch (error) {
      if (!isIssue(error, gitIssues.GIT_OBJECT_TOO_LARGE)) throw error
      return throwIssue(issues.FILE_TOO_LARGE_TO_READ, { path, most: budgets.environment.codeBlob.bound })
    }
  }

  #blobsFor(path: string): BlobReader {
    return this.#blobs ?? throwIssue(issues.BLOB_NOT_AT_HAND, { path })
  }

  /** Returns true if a plain parent directory lacks the name: the fast path for most missing files. */
  #leadsNowhere(path: string): boolean {
    if (path.includes('//') || path.includes('/.') || path.startsWith('.') || path.endsWith('/')) return false
    let end = path.lastIndexOf('/')
    for (let levels = 0; end > 0 && levels < plainLevels; levels++) {
      const above = this.#nodes.get(path.slice(0, end))
      if (above) return above.kind === 'directory'
      end = path.lastIndexOf('/', end - 1)
    }
    return false
  }

  /**
   * Returns the final path after following links inside the tree; `undefined` if it is missing or
   * outside.
   */
  #resolve(path: string): string | undefined {
    const direct = this.#nodes.get(path)
    if (direct && direct.kind !== 'link') return path
    return this.#throughLinks(path)?.real
  }

  /** Follows a path through links, with a cache, since a walk requests all names of one folder in sequence. */
  #throughLinks(path: string): Target | undefined {
    const slash = path.lastIndexOf('/')
    const parent = path.slice(0, Math.max(0, slash))
    const folder = this.#folders.get(parent)
    if (!folder && !this.#nodes.has(path) && this.#leadsNowhere(path)) return undefined
    const rest = folder ? path.slice(slash + 1) : path
    const found = this.#follow(folder?.real ?? '', rest, 0)
    if (!found) return undefined
    const target = { real: found.real, links: found.links + (folder?.links ?? 0) }
    if (target.links > mostLinks) return undefined
    if (this.#nodes.get(target.real)?.kind === 'directory') this.#remember(path, target)
    return target
  }

  #remember(folder: string, target: Target): void {
    if (this.#folders.size >= maxRememberedFolders) this.#folders.clear()
    this.#folders.set(folder, target)
  }

  /** Follows a path from a folder; `depth` is the number of links being followed. */
  #follow(from: string, path: string, depth: number): Target | undefined {
    let real = from
    let links = 0
    for (const name of path.split('/')) {
      if (name === '' || name === '.') continue
      if (name === '..') {
        if (real === '') return undefined
        real = real.slice(0, Math.max(0, real.lastIndexOf('/')))
        continue
      }
      const next = joinPath(real, name)
      const node = this.#nodes.get(next)
      if (!node) return undefined
      if (node.kind !== 'link') {
        real = next
        continue
      }
      const target = this.#target(next, real, node, depth)
      if (!target) return undefined
      links += target.links
      real = target.real
      if (links > mostLinks) return undefined
    }
    return { real, links }
  }

  /** Follows a link, with a cache, since a walk may reach the link many times. */
  #target(path: string, folder: string, { bytes }: Leaf, depth: number): Target | undefined {
    const known = this.#targets.get(path)
    if (known) return known
    const destination = bytes?.toString()
    if (destination === undefined || destination.startsWith('/')) return undefined
    if (depth >= (this.#nowhere.get(path) ?? mostLinks)) return undefined
    // Mark the link as broken first, so that a link to itself does not loop.
    this.#nowhere.set(path, depth)
    const found = this.#follow(folder, destination, depth + 1)
    if (!found || found.links >= mostLinks) return undefined
    const target = { real: found.real, links: found.links + 1 }
    this.#nowhere.delete(path)
    this.#targets.set(path, target)
    return target
  }
}

function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** Yields the leaves of a commit in parts that are quick to parse. */
export function* listTreeLeaves({ index }: GitTreeSnapshot): Generator<readonly IndexLeaf[], void> {
  for (const part of index) yield JSON.parse(Buffer.from(part).toString()) as readonly IndexLeaf[]
}

/** Returns the bytes of a leaf; `undefined` if they are not loaded. */
export function getLeafBytes({ packs }: GitTreeSnapshot, [, , , pack, offset, size]: IndexLeaf): Buffer | undefined {
  return pack === undefined ? undefined : Buffer.from(packs[pack]!, offset, size)
}

function* buildNodes(snapshot: GitTreeSnapshot): Generator<void, ReadonlyMap<string, Node>> {
  const nodes = new Map<string, Node>([['', { kind: 'directory', names: [] }]])
  for (const leaves of listTreeLeaves(snapshot)) {
    for (const leaf of leaves) {
      const [path, mode, oid] = leaf
      // Different paths that are not UTF-8 may be decoded to the same text; the first one wins.
      if (nodes.has(path) || !addName(nodes, path)) continue
      const bytes = getLeafBytes(snapshot, leaf)
      nodes.set(path, { kind: mode === '120000' ? 'link' : 'file', executable: mode === '100755', oid, bytes })
    }
    yield
  }
  for (const node of nodes.values())
    if (node.kind === 'directory') {
      node.names.sort()
      yield
    }
  return nodes
}

/** Adds a path to its parent directories; returns false if a file is in the way. */
function addName(nodes: Map<string, Node>, path: string): boolean {
  const slash = path.lastIndexOf('/')
  const parent = path.slice(0, Math.max(0, slash))
  const name = path.slice(slash + 1)
  const above = nodes.get(parent)
  if (above) return above.kind === 'directory' && above.names.push(name) > 0
  if (!addName(nodes, parent)) return false
  nodes.set(parent, { kind: 'directory', names: [name] })
  return true
}
