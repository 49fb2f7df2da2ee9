import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissingFileError } from '../../../base/system-error.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import { type FoundPatterns, searchContent } from './content-search.ts'
import type { SecretMatch, SecretPatterns } from './secret-patterns.ts'

/** The files to search, and the limits. */
export interface SearchScope {
  /** Directories and files, in the order of the search. A link is followed here only. */
  readonly roots: readonly string[]
  /** Directories and files that are not searched. */
  readonly excluded: readonly string[]
  /** Maximum number of bytes, and of milliseconds. */
  readonly mostBytes: number
  readonly mostMs: number
}

/** A form of a secret in a file. */
export interface FoundSecret extends SecretMatch {
  readonly file: string
}

/** The result of a search. */
export interface SearchResult {
  readonly found: readonly FoundSecret[]
  /** Directories and files that could not be read, or only partly, with the reasons. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[]
  /** Directories that were not searched, or only partly, because of the limits. */
  readonly skipped: readonly string[]
}

/** Searches files for secrets. Reads each file once, without following links below the roots. */
export async function searchFiles(secrets: SecretPatterns, scope: SearchScope): Promise<SearchResult> {
  const search = new FileSearch(secrets, scope)
  await search.run()
  return search.result
}

class FileSearch {
  readonly result = {
    found: [] as FoundSecret[],
    unreadable: [] as { path: string; reason: string }[],
    skipped: [] as string[],
  }
  readonly #secrets: SecretPatterns
  readonly #scope: SearchScope
  /** Directories, and files with several names: a file with one name is reached only by its directory. */
  readonly #visited = new Set<string>()
  readonly #end: number
  #bytes = 0

  constructor(secrets: SecretPatterns, scope: SearchScope) {
    this.#secrets = secrets
    this.#scope = scope
    this.#end = performance.now() + scope.mostMs
  }

  async run(): Promise<void> {
    for (const path of this.#scope.excluded)
      await this.#attempt(path, async () => void this.#visited.add(getIdentity(await stat(path, { bigint: true }))))
    const stack: string[] = []
    for (const root of this.#scope.roots)
      await this.#attempt(root, async () => void stack.unshift(await realpath(root)))
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      if (this.#isOver()) this.result.skipped.push(path)
      else await this.#attempt(path, () => this.#searchPath(path!, stack))
    }
  }

  #isOver(): boolean {
    return this.#bytes >= this.#scope.mostBytes || performance.now() >= this.#end
  }

  /** Records an error of a path. A missing path is ignored: a running agent or server removes files. */
  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isMissingFileError(error)) this.result.unreadable.push({ path, reason: formatErrorReason(error) })
    }
  }

  async #searchPath(path: string, stack: string[]): Promise<void> {
    const status = await lstat(path, { bigint: true })
    if (status.isFile()) return this.#searchFile(path)
    if (!status.isDirectory() || this.#isVisited(status)) return
    for await (const entry of await opendir(path)) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) stack.push(below)
      else if (entry.isFile() && !this.#isOver()) await this.#attempt(below, () => this.#searchFile(below))
      else if (entry.isFile()) return void this.result.skipped.push(path)
    }
  }

  #isVisited(status: BigIntStats): boolean {
    const identity = getIdentity(status)
    if (this.#visited.has(identity)) return true
    if (status.isDirectory() || status.nlink > 1n) this.#visited.add(identity)
    return false
  }

  async #searchFile(path: string): Promise<void> {
    // The file may have been replaced by a link or a pipe since its directory was read.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const status = await handle.stat({ bigint: true })
      if (status.isFile() && !this.#isVisited(status)) await this.#searchOpenFile(path, handle, Number(status.size))
    } finally {
      await handle.close()
    }
  }

  async #searchOpenFile(file: string, handle: FileHandle, size: number): Promise<void> {
    const { result } = this
    let isComplete = true
    const found = await searchContent(handle, size, this.#secrets.patterns, (bytes) => {
      this.#bytes += bytes
      isComplete = !this.#isOver()
      return isComplete
    })
    for (const match of this.#listMatches(found)) result.found.push({ file, ...match })
    if (found.problem !== undefined) result.unreadable.push({ path: file, reason: `gzip: ${found.problem}` })
    if (!isComplete) result.skipped.push(dirname(file))
  }

  #listMatches({ plain, decompressed }: FoundPatterns): readonly SecretMatch[] {
    const list = (indices: ReadonlySet<number>) => [...indices].flatMap((index) => this.#secrets.matches[index]!)
    return [...list(plain), ...list(decompressed).map(({ secret, form }) => ({ secret, form: `${form} in gzip data` }))]
  }
}

const getIdentity = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`
