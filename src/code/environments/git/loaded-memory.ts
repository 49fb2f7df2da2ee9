import type { GitTreeSnapshot } from '../environment-snapshot.ts'

/** Location of a blob's bytes. */
export interface Place {
  readonly pack: SharedArrayBuffer
  readonly offset: number
  readonly size: number
}

type Tree = Pick<GitTreeSnapshot, 'packs' | 'index'>

/**
 * The memory of all loaded commits, which share blobs. Each commit is counted when it is added and removed, so that no
 * question depends on the number of commits.
 */
export class LoadedMemory {
  readonly #places = new Map<string, { place: Place; commits: number }>()
  /** Number of commits that use a buffer. */
  readonly #buffers = new Map<SharedArrayBuffer, number>()
  #files = 0
  #bytes = 0

  /** Number of files of all commits; a file of two commits counts twice. */
  get files(): number {
    return this.#files
  }

  /** Total bytes of all buffers. */
  get bytes(): number {
    return this.#bytes
  }

  /** Location of a loaded blob. */
  find(oid: string): Place | undefined {
    return this.#places.get(oid)?.place
  }

  add(tree: Tree, files: number, places: ReadonlyMap<string, Place>): void {
    this.#files += files
    for (const [oid, place] of places) {
      const known = this.#places.get(oid)
      // The newest location wins, so that the buffers of old commits are released.
      if (known) Object.assign(known, { place, commits: known.commits + 1 })
      else this.#places.set(oid, { place, commits: 1 })
    }
    for (const buffer of listBuffers(tree)) {
      const commits = this.#buffers.get(buffer) ?? 0
      if (commits === 0) this.#bytes += buffer.byteLength
      this.#buffers.set(buffer, commits + 1)
    }
  }

  remove(tree: Tree, files: number, oids: readonly string[]): void {
    this.#files -= files
    for (const oid of oids) {
      const known = this.#places.get(oid)!
      known.commits--
      if (known.commits === 0) this.#places.delete(oid)
    }
    for (const buffer of listBuffers(tree)) {
      const commits = this.#buffers.get(buffer)! - 1
      if (commits > 0) this.#buffers.set(buffer, commits)
      else {
        this.#buffers.delete(buffer)
        this.#bytes -= buffer.byteLength
      }
    }
  }
}

function listBuffers({ packs, index }: Tree): ReadonlySet<SharedArrayBuffer> {
  return new Set([...packs, ...index])
}
