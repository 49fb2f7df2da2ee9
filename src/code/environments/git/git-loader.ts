import { createPuppetError, PuppetError, throwIssue } from '../../../base/issue.ts'
import { mapCooperatively, runCooperatively } from '../../../base/threads/cooperative-tasks.ts'
import type { GitObjectSource, GitTreeEntry } from '../../git/git-object-source.ts'
import type { GitTreeSnapshot } from '../environment-snapshot.ts'
import { environmentIssues } from '../issues.ts'
import { createByteLimitError, findCommitProblems, isLoadedFile } from './commit-rules.ts'
import type { IndexLeaf } from './git-tree.ts'
import { type LoadLimits, usualLoadLimits } from './load-limits.ts'
import { LoadedMemory, type Place } from './loaded-memory.ts'

/** Options that select the files to load into memory. */
export interface LoadOptions {
  /** True to load all files, including `files/`, for a thread that cannot read blobs on demand. */
  readonly everything?: boolean
  readonly limits?: LoadLimits
}

/** A commit's tree without its root and revision, which depend on the environment. */
export type LoadedTree = Omit<GitTreeSnapshot, 'root' | 'revision'> & {
  /** Paths of submodules, which are not served. */
  readonly submodules: readonly string[]
}

/** Average and largest number of leaves in one part of an index. */
const [partLeaves, mostPartLeaves] = [256, 1024]
/**
 * Largest number of packs of a commit. Above it, the blobs are copied into one pack, so that unused
 * blobs are freed.
 */
const maxPacks = 8
/** Number of blobs requested at once; other requests on the same pipe have to wait for them. */
const askedAtOnce = 64
/** Approximate bytes of memory for a leaf in an index, without its path. */
const leafBytes = 80

interface Kept {
  readonly tree: LoadedTree
  readonly files: number
  /** The commit's blobs in the packs. */
  readonly oids: readonly string[]
}

/**
 * Loads the trees of commits into shared memory. Blobs of other loaded commits are reused, so a
 * push costs only its changes. The caller decides which commits to keep.
 */
export class GitLoader {
  readonly #source: GitObjectSource
  readonly #everything: boolean
  readonly #limits: LoadLimits
  readonly #kept = new Map<string, Kept>()
  readonly #memory = new LoadedMemory()
  readonly #loading = new Map<string, Promise<LoadedTree>>()
  /** Number of files and bytes that the running loads will add. */
  #coming = { files: 0, bytes: 0 }

  constructor(source: GitObjectSource, { everything = false, limits = usualLoadLimits }: LoadOptions = {}) {
    this.#source = source
    this.#everything = everything
    this.#limits = limits
  }

  /** Releases the trees of all commits except the given ones. */
  keepOnly(commits: Iterable<string>): void {
    const wanted = new Set(commits)
    for (const [commit, { tree, files, oids }] of this.#kept) {
      if (wanted.has(commit)) continue
      this.#kept.delete(commit)
      this.#memory.remove(tree, files, oids)
    }
  }

  /**
   * Loads the tree of a commit, once for all callers. Throws if the commit is too large or loading
   * takes too long.
   */
  async load(commit: string): Promise<LoadedTree> {
    const kept = this.#kept.get(commit)
    if (kept) return kept.tree
    const loading = this.#loading.get(commit) ?? this.#loadInTime(commit).finally(() => this.#loading.delete(commit))
    this.#loading.set(commit, loading)
    return loading
  }

  async #loadInTime(commit: string): Promise<LoadedTree> {
    const ended = new AbortController()
    const { timeMs } = this.#limits
    const abortOnTimeout = () =>
      ended.abort(createPuppetError(environmentIssues.LOAD_TOOK_TOO_LONG, { commit, seconds: timeMs / 1000 }))
    const timer = setTimeout(abortOnTimeout, timeMs)
    try {
      return await this.#load(commit, ended.signal)
    } finally {
      clearTimeout(timer)
    }
  }

  async #load(commit: string, signal: AbortSignal): Promise<LoadedTree> {
    const time = await this.#source.commitTime(commit)
    const entries = await this.#source.listTree(commit, { limits: this.#limits.tree, signal })
    await runCooperatively(this.#refuseProblems(entries))
    const files = entries.filter(({ mode }) => mode !== '160000')
    const submodules = entries.filter(({ mode }) => mode === '160000').map(({ path }) => path)
    const room = this.#reserve(commit, files)
    try {
      const places = await this.#locateFiles(files, signal)
      const packs = [...new Set([...places.values()].map(({ pack }) => pack))]
      const index = await buildIndex(files, places, packs)
      const tree: LoadedTree = { kind: 'git', commit, time, index, packs, submodules }
      this.#kept.set(commit, { tree, files: files.length, oids: [...places.keys()] })
      this.#memory.add(tree, files.length, places)
      return tree
    } finally {
      room.giveBack()
    }
  }

  *#refuseProblems(entries: readonly GitTreeEntry[]): Generator<void, void> {
    // Only a separate program loads everything; the size of its commits is not limited.
    const limits = this.#everything ? { ...this.#limits, bytes: Number.POSITIVE_INFINITY } : this.#limits
    for (const problem of findCommitProblems(entries, limits)) {
      if (problem) throw new PuppetError(problem)
      yield
    }
  }

  /**
   * Reserves memory for a commit. Throws SERVED_TOO_MUCH if this commit, the loaded commits and the
   * running loads exceed the limit.
   */
  #reserve(commit: string, files: readonly GitTreeEntry[]): { giveBack(): void } {
    const { allFiles, allBytes } = this.#limits
    const blobs = new Map(files.filter((each) => this.#isLoaded(each)).map(({ oid, size = 0 }) => [oid, size]))
    const kept = this.#memory
    let bytes = files.reduce((sum, { path }) => sum + path.length + leafBytes, 0)
    for (const [oid, size] of blobs) if (!this.#memory.find(oid)) bytes += size
    if (kept.files + this.#coming.files + files.length > allFiles)
      throwIssue(environmentIssues.SERVED_TOO_MUCH, { commit, what: 'files', most: allFiles })
    if (kept.bytes + this.#coming.bytes + bytes > allBytes)
      throwIssue(environmentIssues.SERVED_TOO_MUCH, { commit, what: 'bytes', most: allBytes })
    this.#coming.files += files.length
    this.#coming.bytes += bytes
    return {
      giveBack: () => {
        this.#coming.files -= files.length
        this.#coming.bytes -= bytes
      },
    }
  }

  /** Locates the blobs in existing packs, and reads the other blobs into a new pack. */
  async #locateFiles(files: readonly GitTreeEntry[], signal: AbortSignal): Promise<ReadonlyMap<string, Place>> {
    const wanted = new Map(files.filter((file) => this.#isLoaded(file)).map(({ oid, size }) => [oid, size]))
    const known = new Map<string, Place>()
    const missing: Wanted[] = []
    await mapCooperatively([...wanted], ([oid, size]) => {
      const place = this.#memory.find(oid)
      if (place) known.set(oid, place)
      else missing.push({ oid, size })
    })
    const fresh = await this.#readAll(missing, signal)
    if (new Set([...known.values()].map(({ pack }) => pack)).size < maxPacks) return new Map([...known, ...fresh])
    const old = [...known].map(([oid, { pack, offset, size }]) => [oid, Buffer.from(pack, offset, size)] as const)
    return new Map([...packBlobs(old), ...fresh])
  }

  /** Reads blobs a few at a time into one buffer; blobs of unknown size go into another buffer. */
  async #readAll(wanted: readonly Wanted[], signal: AbortSignal): Promise<ReadonlyMap<string, Place>> {
    const pack = new SharedArrayBuffer(wanted.reduce((sum, { size = 0 }) => sum + size, 0))
    const places = new Map<string, Place>()
    const unsized: (readonly [string, Buffer])[] = []
    let [next, end, bytes] = [0, 0, 0]
    const readNextBlobs = async () => {
      for (let each = wanted[next++]; each; each = wanted[next++]) {
        signal.throwIfAborted()
        const { oid, size } = each
        const offset = end
        end += size ?? 0
        const blob = await this.#source.readBlob(oid, size === undefined ? {} : { size })
        bytes += blob.length
        if (bytes > this.#limits.bytes && !this.#everything) throw createByteLimitError(bytes, this.#limits)
        if (size === undefined) unsized.push([oid, blob])
        else places.set(oid, { pack, offset, size: blob.copy(Buffer.from(pack, offset, size)) })
      }
    }
    const stopReading = (error: unknown) => {
      next = wanted.length
      throw error
    }
    await Promise.all(Array.from({ length: askedAtOnce }, () => readNextBlobs().catch(stopReading)))
    return new Map([...places, ...packBlobs(unsized)])
  }

  #isLoaded(file: GitTreeEntry): boolean {
    return this.#everything || isLoadedFile(file)
  }
}

interface Wanted {
  readonly oid: string
  readonly size: number | undefined
}

function buildIndex(
  files: readonly GitTreeEntry[],
  places: ReadonlyMap<string, Place>,
  packs: readonly SharedArrayBuffer[],
): Promise<SharedArrayBuffer[]> {
  const numbers = new Map(packs.map((pack, number) => [pack, number]))
  const toIndexLeaf = ({ path, mode, oid }: GitTreeEntry): IndexLeaf => {
    const place = places.get(oid)
    const leafMode = mode as IndexLeaf[1]
    return place ? [path, leafMode, oid, numbers.get(place.pack), place.offset, place.size] : [path, leafMode, oid]
  }
  return mapCooperatively(splitIntoParts(files), (part) =>
    copyToSharedMemory([Buffer.from(JSON.stringify(part.map(toIndexLeaf)))]),
  )
}

/**
 * Divides files into parts whose ends depend on paths, not on positions: after a file is added or removed, only its own part
 * differs from those of the previous commit.
 */
function splitIntoParts(files: readonly GitTreeEntry[]): readonly (readonly GitTreeEntry[])[] {
  const parts: GitTreeEntry[][] = [[]]
  for (const file of files) {
    const part = parts.at(-1)!
    part.push(file)
    if (part.length === mostPartLeaves || hashPathEnd(file.path) % partLeaves === 0) parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

/** A hash of the last characters of a path. */
function hashPathEnd(path: string): number {
  let hash = path.length
  for (let at = Math.max(0, path.length - 24); at < path.length; at++) hash = (hash * 31 + path.charCodeAt(at)) >>> 0
  return hash
}

/** Copies blobs into one new buffer. */
function packBlobs(blobs: readonly (readonly [oid: string, bytes: Buffer])[]): [string, Place][] {
  if (blobs.length === 0) return []
  const pack = copyToSharedMemory(blobs.map(([, bytes]) => bytes))
  let offset = 0
  return blobs.map(([oid, { length: size }]) => {
    const place = { pack, offset, size }
    offset += size
    return [oid, place]
  })
}

function copyToSharedMemory(parts: readonly Buffer[]): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0))
  const view = new Uint8Array(memory)
  let offset = 0
  for (const part of parts) {
    view.set(part, offset)
    offset += part.length
  }
  return memory
}
