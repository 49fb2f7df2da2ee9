import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { ExportIndex } from './export-index.ts'
import { matchesExportQuery } from './export-query.ts'
import type { ExportStore } from './export-store.ts'
import { compareExports } from './found-exports.ts'

/** Exports of nodes in memory, with synchronous methods. */
export class ExportTable {
  readonly #index = new ExportIndex()
  readonly #resources = new Map<string, readonly ExportedResource[]>()

  search({ type, except, query }: ExportSearch): readonly ExportedResource[] {
    return this.#index
      .nodesWith(type)
      .filter((certname) => certname !== except)
      .flatMap((certname) => this.#resources.get(certname)!)
      .filter((resource) => resource.type === type && (!query || matchesExportQuery(resource, query)))
      .sort(compareExports)
  }

  /** Returns an independent copy. */
  copy(): ExportTable {
    const copy = new ExportTable()
    for (const [certname, resources] of this.#resources) copy.replace(certname, resources)
    return copy
  }

  /** The exports of a node. */
  of(certname: string): readonly ExportedResource[] {
    return this.#resources.get(certname) ?? []
  }

  replace(certname: string, resources: readonly ExportedResource[]): void {
    this.#index.set(certname, resources)
    if (resources.length > 0) this.#resources.set(certname, resources)
    else this.#resources.delete(certname)
  }

  remove(certname: string): boolean {
    const known = this.#resources.has(certname)
    this.replace(certname, [])
    return known
  }
}

/** An export store in memory, lost when the process ends. */
export function createMemoryExports(table = new ExportTable()): ExportStore {
  return {
    search: async (search) => table.search(search),
    replace: async (certname, resources) => table.replace(certname, resources),
    remove: async (certname) => table.remove(certname),
    refresh: async () => {},
  }
}
