import { formatExactJson } from '../../base/json/json-text.ts'
import type { CompiledCatalog } from '../../compiler/workers/compile-job.ts'
import { type ExportedResource, type ExportSearch, exportsToWire } from '../../model/exported-resource.ts'
import type { ExportTable } from '../../store/exports/memory-exports.ts'

/**
 * Exported resources of a fleet, by pass. In a pass, collectors see the resources exported in earlier passes, so the result
 * does not depend on the order of compilation.
 */
export class FleetExports {
  readonly #table: ExportTable
  readonly #found = new Map<string, readonly ExportedResource[]>()
  readonly #collects = new Map<string, readonly string[]>()
  readonly #failed = new Set<string>()

  constructor(known: ExportTable) {
    this.#table = known.copy()
  }

  async search(search: ExportSearch): Promise<readonly ExportedResource[]> {
    return this.#table.search(search)
  }

  /** Records the result of a node in this pass; `undefined` for a failed compilation. */
  note(node: string, catalog: Pick<CompiledCatalog, 'exports' | 'collects'> | undefined): void {
    if (!catalog) {
      this.#failed.add(node)
      return
    }
    this.#failed.delete(node)
    this.#found.set(node, catalog.exports)
    this.#collects.set(node, catalog.collects)
  }

  /** Ends a pass, and returns the nodes whose catalogs may differ in another pass. */
  endPass(nodes: readonly string[]): string[] {
    const changed = new Set<string>()
    for (const [node, resources] of this.#found) {
      const before = this.#table.of(node)
      if (formatExactJson(exportsToWire(node, before)) === formatExactJson(exportsToWire(node, resources))) continue
      for (const { type } of [...before, ...resources]) changed.add(type)
      this.#table.replace(node, resources)
    }
    this.#found.clear()
    if (changed.size === 0) return []
    return nodes.filter((node) => this.#failed.has(node) || this.#collects.get(node)?.some((type) => changed.has(type)))
  }
}
