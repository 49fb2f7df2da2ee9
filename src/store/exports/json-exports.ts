import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import { Slots } from '../../base/threads/slots.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import {
  type ExportedResource,
  type ExportSearch,
  exportsFromWire,
  exportsToWire,
} from '../../model/exported-resource.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { ExportIndex } from './export-index.ts'
import { matchesExportQuery } from './export-query.ts'
import type { ExportStore } from './export-store.ts'
import { compareExports } from './found-exports.ts'
import { ExportTable } from './memory-exports.ts'

const issues = defineIssues({
  UNREADABLE_EXPORTS: {
    text: (a: { file: string; detail: string }) => `Could not read exported resources from ${a.file}: ${a.detail}`,
    hint: () =>
      "Remove the file; the next catalog of the node exports its resources again. Or run 'plumb node deactivate'.",
  },
})

/** Folder of the export files, and the maximum number of characters cached in memory. */
export interface JsonExportsOptions {
  readonly directory: string
  readonly files: Files
  readonly mostCharacters?: number
}

const atOnce = 32

/** Reads all export files of a folder once, for a caller that cannot wait for a store. */
export async function readExports({ directory, files }: JsonExportsOptions): Promise<ExportTable> {
  const table = new ExportTable()
  await mapConcurrently(await listCertnames(directory, files), atOnce, async (certname) => {
    const kept = await readFile(directory, files, certname)
    if (kept) table.replace(certname, kept.resources)
  })
  return table
}

/** Returns the stored exports of a node. Throws UNREADABLE_EXPORTS. */
export async function readNodeExports(
  { directory, files }: JsonExportsOptions,
  certname: string,
): Promise<readonly ExportedResource[]> {
  return (await readFile(directory, files, certname))?.resources ?? []
}

/**
 * Stores the exports of each node in a file, `<directory>/<certname>.json`, which is replaced
 * atomically. The index of exported types is read once; the most recently used exports are cached
 * in memory.
 */
export class JsonExports implements ExportStore {
  readonly #directory: string
  readonly #files: Files
  readonly #resources: LRUCache<string, readonly ExportedResource[]>
  #index: Promise<ExportIndex> | undefined
  /** Number of changes so far. If it has increased while exports were being read, they are not cached. */
  #changes = 0
  /** Changes run one after another, so that the files and the data in memory agree. */
  readonly #turn = new Slots({ atOnce: 1 })

  constructor({ directory, files, mostCharacters = 64 * 1024 * 1024 }: JsonExportsOptions) {
    this.#directory = directory
    this.#files = files
    this.#resources = new LRUCache({ maxSize: mostCharacters })
  }

  async search({ type, except, query }: ExportSearch): Promise<readonly ExportedResource[]> {
    const index = await this.#indexed()
    const nodes = index.nodesWith(type).filter((certname) => certname !== except)
    // Keep all results until the search is complete, since the cache may be too small for all of
    // them.
    const found = new Map(nodes.map((certname) => [certname, this.#resources.get(certname)]))
    const missing = nodes.filter((certname) => !found.get(certname))
    await mapConcurrently(missing, atOnce, async (certname) => void found.set(certname, await this.#read(certname)))
    return [...found.values()]
      .flatMap((resources) =>
        resources!.filter((resource) => resource.type === type && (!query || matchesExportQuery(resource, query))),
      )
      .sort(compareExports)
  }

  /**
   * Replaces the exports of a node. If the old file is unreadable, this does not fail, because the
   * new content overwrites it.
   */
  async replace(certname: string, resources: readonly ExportedResource[]): Promise<void> {
    const path = getExportPath(this.#directory, certname)
    await this.#turn.run(async () => {
      const text = resources.length > 0 ? formatExactJson(exportsToWire(certname, resources)) : undefined
      if (text === (await this.#files.readText(path))) return
      if (text === undefined) {
        await this.#delete(path)
      } else {
        await this.#files.makeDirectory(this.#directory, 0o750)
        await this.#files.write(path, text, 0o640)
      }
      await this.#changed(certname, resources)
    })
  }

  async remove(certname: string): Promise<boolean> {
    const path = getExportPath(this.#directory, certname)
    return this.#turn.run(async () => {
      if ((await this.#files.stat(path)) === undefined) return false
      await this.#delete(path)
      await this.#changed(certname, [])
      return true
    })
  }

  async refresh(): Promise<void> {
    await this.#turn.run(async () => {
      this.#changes++
      this.#index = undefined
      this.#resources.clear()
    })
  }

  async #delete(path: string): Promise<void> {
    await this.#files.remove(path)
    await this.#files.sync(this.#directory)
  }

  /**
   * Updates the index after a change. An index that is still being read may not contain the change,
   * so it is updated when reading has finished.
   */
  async #changed(certname: string, resources: readonly ExportedResource[]): Promise<void> {
    this.#changes++
    this.#resources.delete(certname)
    const index = await this.#index?.catch(() => undefined)
    index?.set(certname, resources)
  }

  /** Returns the index of all files. After a read error, the next call tries again. */
  #indexed(): Promise<ExportIndex> {
    if (this.#index) return this.#index
    const index = this.#readIndex()
    this.#index = index
    index.catch(() => {
      if (this.#index === index) this.#index = undefined
    })
    return index
  }

  async #readIndex(): Promise<ExportIndex> {
    const index = new ExportIndex()
    await mapConcurrently(await listCertnames(this.#directory, this.#files), atOnce, async (certname) =>
      index.set(certname, await this.#read(certname)),
    )
    return index
  }

  async #read(certname: string): Promise<readonly ExportedResource[]> {
    const before = this.#changes
    const kept = await readFile(this.#directory, this.#files, certname)
    if (!kept) return []
    if (before === this.#changes) this.#resources.set(certname, kept.resources, { size: kept.text.length })
    return kept.resources
  }
}

/** Excludes temporary files of unfinished writes, whose names begin with a dot. */
async function listCertnames(directory: string, files: Files): Promise<string[]> {
  const names = (await files.list(directory)) ?? []
  return names.filter((name) => /^[^.].*\.json$/.test(name)).map((name) => name.slice(0, -'.json'.length))
}

async function readFile(directory: string, files: Files, certname: string) {
  const path = getExportPath(directory, certname)
  const text = await files.readText(path)
  return text === undefined ? undefined : { text, resources: parseExports(path, certname, text) }
}

function getExportPath(directory: string, certname: string): string {
  return join(directory, `${checkFileName('exports', certname)}.json`)
}

function parseExports(file: string, certname: string, text: string): readonly ExportedResource[] {
  try {
    return exportsFromWire(parseJson(text), certname)
  } catch (error) {
    return throwIssue(issues.UNREADABLE_EXPORTS, { file, detail: formatError(error) })
  }
}
