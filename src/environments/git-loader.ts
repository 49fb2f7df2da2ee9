import { mapInTurns } from '../base/in-turns.ts'
import { slicesOf } from '../base/slices-of.ts'
import type { GitObjectSource, GitTreeEntry } from '../git/git-object-source.ts'
import type { GitTreeSnapshot } from './environment-snapshot.ts'
import type { IndexLeaf } from './git-tree.ts'

/** What a load takes into memory. */
export interface LoadOptions {
  /** Everything, `files/` too: for a thread that cannot ask another one for them. */
  readonly everything?: boolean
}

/** A commit's tree but for its root: that is the environment's. */
export type LoadedTree = Omit<GitTreeSnapshot, 'root'> & {
  /** Submodules, which are not served. */
  readonly submodules: readonly string[]
}

/** Larger ones are streamed when asked for. */
const largestLoaded = 1024 * 1024
/** What is handed to nodes, and what no compilation reads as a rule; it comes by itself when one does. */
const readOnDemand = /(?:^|\/)(?:files|spec|examples|docs)\//
/** How many leaves one part of an index has. */
const partLeaves = 500
/** More packs than this are copied into one, so that a pack's dead blobs do not stay for ever. */
const mostPacks = 8

interface Place {
  readonly pack: SharedArrayBuffer
  readonly offset: number
  readonly size: number
}

interface Kept {
  readonly tree: LoadedTree
  /** Where its blobs lie, by oid. */
  readonly places: ReadonlyMap<string, Place>
}

/**
 * Loads the trees of commits into shared memory. Blobs that a commit which is kept has already are taken from there, so
 * a push costs what it changed. Who loads says which commits to keep.
 */
export class GitLoader {
  readonly #source: GitObjectSource
  readonly #everything: boolean
  readonly #kept = new Map<string, Kept>()
  readonly #loading = new Map<string, Promise<LoadedTree>>()

  constructor(source: GitObjectSource, { everything = false }: LoadOptions = {}) {
    this.#source = source
    this.#everything = everything
  }

  /** Lets go of all other commits. */
  keepOnly(commits: Iterable<string>): void {
    const wanted = new Set(commits)
    for (const commit of this.#kept.keys()) if (!wanted.has(commit)) this.#kept.delete(commit)
  }

  /** The tree of a commit; loaded once, however often it is asked for. */
  async load(commit: string): Promise<LoadedTree> {
    const kept = this.#kept.get(commit)
    if (kept) return kept.tree
    const loading = this.#loading.get(commit) ?? this.#load(commit).finally(() => this.#loading.delete(commit))
    this.#loading.set(commit, loading)
    return loading
  }

  async #load(commit: string): Promise<LoadedTree> {
    const [entries, time] = await Promise.all([this.#source.listTree(commit), this.#source.commitTime(commit)])
    const files = entries.filter(({ mode }) => mode !== '160000')
    const submodules = entries.filter(({ mode }) => mode === '160000').map(({ path }) => path)
    const places = await this.#placesOf(files)
    const packs = [...new Set([...places.values()].map(({ pack }) => pack))]
    const numbers = new Map(packs.map((pack, number) => [pack, number]))
    const leafOf = ({ path, mode, oid }: GitTreeEntry): IndexLeaf => {
      const place = places.get(oid)
      const leafMode = mode as IndexLeaf[1]
      return place ? [path, leafMode, oid, numbers.get(place.pack), place.offset, place.size] : [path, leafMode, oid]
    }
    const index = await mapInTurns(slicesOf(files, partLeaves), (part) =>
      shared([Buffer.from(JSON.stringify(part.map(leafOf)))]),
    )
    const tree: LoadedTree = { kind: 'git', commit, time, index, packs, submodules }
    this.#kept.set(commit, { tree, places })
    return tree
  }

  /** Where the blobs that compiling reads lie: in packs that are there, or in a new one. */
  async #placesOf(files: readonly GitTreeEntry[]): Promise<ReadonlyMap<string, Place>> {
    const wanted = new Map(files.filter((file) => this.#isLoaded(file)).map(({ oid, size }) => [oid, size]))
    const known = new Map<string, Place>()
    const missing: [oid: string, size: number | undefined][] = []
    await mapInTurns([...wanted], ([oid, size]) => {
      const place = this.#findPlace(oid)
      if (place) known.set(oid, place)
      else missing.push([oid, size])
    })
    // Asked in turns, too: thousands of questions take a while to write.
    const reading = await mapInTurns(missing, ([oid, size]) => {
      const blob = this.#source.readBlob(oid, { size })
      blob.catch(() => {}) // said below, when all are waited for
      return blob
    })
    const fresh = (await Promise.all(reading)).map((bytes, index) => [missing[index]![0], bytes] as const)
    if (new Set([...known.values()].map(({ pack }) => pack)).size < mostPacks)
      return new Map([...known, ...packed(fresh)])
    const old = [...known].map(([oid, { pack, offset, size }]) => [oid, Buffer.from(pack, offset, size)] as const)
    return new Map(packed([...old, ...fresh]))
  }

  #findPlace(oid: string): Place | undefined {
    for (const { places } of this.#kept.values()) {
      const place = places.get(oid)
      if (place) return place
    }
    return undefined
  }

  #isLoaded({ path, mode, size = 0 }: GitTreeEntry): boolean {
    if (mode === '120000' || this.#everything) return true
    return size <= largestLoaded && !readOnDemand.test(path)
  }
}

/** Blobs, one after another in a memory of their own. */
function packed(blobs: readonly (readonly [oid: string, bytes: Buffer])[]): [string, Place][] {
  if (blobs.length === 0) return []
  const pack = shared(blobs.map(([, bytes]) => bytes))
  let offset = 0
  return blobs.map(([oid, { length: size }]) => {
    const place = { pack, offset, size }
    offset += size
    return [oid, place]
  })
}

function shared(parts: readonly Buffer[]): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0))
  const view = new Uint8Array(memory)
  let offset = 0
  for (const part of parts) {
    view.set(part, offset)
    offset += part.length
  }
  return memory
}
