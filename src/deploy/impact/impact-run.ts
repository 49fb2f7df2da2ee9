import { mapConcurrently } from '../../base/threads/concurrent-map.ts'
import type { CatalogFault } from '../../compiler/workers/catalog-fault.ts'
import type { CompiledCatalog } from '../../compiler/workers/compile-job.ts'
import { findCycleError } from './catalog-cycles.ts'
import { addFilePatches } from './change-group-patches.ts'
import { ChangedExports } from './changed-exports.ts'
import { Comparer } from './comparer.ts'
import { isServerFault, toFailedCompile } from './compile-failure.ts'
import type { ImpactCode, ImpactOrder, NodeOutcome } from './impact-request.ts'
import type { Impact } from './impact-result.ts'
import { NewFaults } from './new-faults.ts'
import type { FailedCompile, NodeChange } from './node-change.ts'
import { Outcomes } from './node-outcomes.ts'

/**
 * Maximum number of passes. Exports that still change after the last pass are not expected to
 * become stable.
 */
const mostPasses = 10

/**
 * A node's catalog with the old or the new code, or the compilation error; `undefined` if the
 * catalog was not compiled.
 */
type Side = CompiledCatalog | FailedCompile | undefined

/** A running analysis of the impact of new code on nodes. */
export class ImpactRun {
  readonly #order: ImpactOrder
  readonly #comparer = new Comparer()
  readonly #outcomes = new Outcomes()
  readonly #exports = new ChangedExports()
  readonly #faults = new NewFaults()
  readonly #now = Date.now()
  readonly #began = performance.now()
  #compiled = 0
  #recalled = 0

  constructor(order: ImpactOrder) {
    this.#order = order
  }

  /**
   * Finds the unaffected nodes, whose compile traces are valid for both the old and the new code.
   * The catalogs of the other nodes may change.
   */
  async findAffected(): Promise<void> {
    const { from, to, nodes } = this.#order
    if (!from) return
    await this.#each(nodes, async (node) => {
      if (await this.#isUnaffected(node, from, to)) this.#tell(node, 'unaffected')
    })
  }

  /** Compiles the catalogs that may change with the old and the new code, and compares them. */
  async compareAffected(): Promise<void> {
    const rest = this.#order.nodes.filter((node) => !this.#outcomes.has(node))
    await this.#each(rest, (node) => this.#compare(node))
  }

  /** Recompiles the nodes that collect changed exports, until the exports are stable. */
  async followExports(): Promise<void> {
    for (let pass = 1; pass <= mostPasses; pass++) {
      const types = this.#exports.endPass()
      if (types.size === 0 || this.#isOver()) return
      const collecting = this.#order.nodes.filter(
        (node) => this.#exports.collectsAny(node, types) || this.#outcomes.isWithoutCatalog(node),
      )
      await this.#each(collecting, (node) => this.#compare(node))
    }
  }

  async impact(): Promise<Impact> {
    const { from, to, nodes } = this.#order
    const found = this.#outcomes.result(nodes)
    return {
      environment: to.snapshot.name,
      from: from?.label,
      to: to.label,
      ...found,
      changed: await addFilePatches(found.changed, this.#order, this.#comparer),
      faults: this.#faults.groups(nodes),
      exports: this.#exports.changes(found.changed, nodes),
      compiled: this.#compiled,
      recalled: this.#recalled,
      ms: Math.round(performance.now() - this.#began),
    }
  }

  close(): Promise<void> {
    return this.#comparer.close()
  }

  async #compare(node: string): Promise<void> {
    const { from, to } = this.#order
    const before = from && (await this.#side(node, from))
    // The compile trace that was just recorded may prove that the new code does not affect the node.
    const isNew = before && isCatalog(before) && before.origin === 'compiled'
    if (isNew && (await this.#isUnaffected(node, from, to))) return this.#tell(node, 'unaffected')
    const after = await this.#side(node, to)
    if (!after || (from && !before)) return
    this.#exports.note(node, before, after)
    this.#faults.note(node, getFaults(before), getFaults(after), to.snapshot.trees[0]!.root)
    if (!isCatalog(after)) {
      this.#tell(node, before && !isCatalog(before) ? 'failing' : 'broken', { failure: after })
    } else if (!before) this.#tell(node, 'fresh')
    else if (!isCatalog(before)) this.#tell(node, 'mended')
    else {
      const compared = await this.#comparer.catalogs(before.body, after.body)
      if (compared) this.#tell(node, compared.change ? 'changed' : 'same', compared)
    }
  }

  /** Returns true if a compile trace of the node is valid for both the old and the new code. */
  async #isUnaffected(node: string, from: ImpactCode, to: ImpactCode): Promise<boolean> {
    const exported = this.#exports.seenBy(node, 'to')
    if (exported) return false
    try {
      const job = await this.#order.createJob(node, to)
      const purpose = { kind: 'compare', other: from.snapshot } as const
      const { origin, collects } = await this.#order.compile({ ...job, purpose })
      if (origin === 'recalled') this.#exports.collects(node, collects)
      return origin === 'recalled'
    } catch {
      // The later compilation of the node reports the error.
      return false
    }
  }

  async #side(node: string, code: ImpactCode): Promise<Side> {
    const exported = this.#exports.seenBy(node, code === this.#order.to ? 'to' : 'from')
    try {
      const job = await this.#order.createJob(node, code)
      const purpose = { kind: 'try', isServed: code.isServed, faultsAt: this.#now } as const
      const catalog = await this.#order.compile({ ...job, purpose, ...(exported && { exported }) })
      if (catalog.origin === 'recalled') this.#recalled++
      else this.#compiled++
      return findCycleError(catalog, code) ?? catalog
    } catch (error) {
      if (isServerFault(error)) return undefined
      this.#compiled++
      return toFailedCompile(error, node, code)
    }
  }

  #tell(
    node: string,
    outcome: NodeOutcome,
    { change, failure }: { readonly change?: NodeChange | undefined; readonly failure?: FailedCompile } = {},
  ): void {
    this.#outcomes.set(node, outcome, change ?? failure)
    const { nodes, onNode } = this.#order
    onNode?.({ node, outcome, failure, done: this.#outcomes.size, of: nodes.length })
  }

  async #each(nodes: readonly string[], work: (node: string) => Promise<void>): Promise<void> {
    await mapConcurrently(nodes, this.#order.atOnce, async (node) => {
      if (!this.#isOver()) await work(node)
    })
  }

  #isOver(): boolean {
    const { budgetMs = Number.POSITIVE_INFINITY, signal } = this.#order
    return signal?.aborted === true || performance.now() - this.#began >= budgetMs
  }
}

function getFaults(side: Side): readonly CatalogFault[] {
  return side && isCatalog(side) ? (side.faults ?? []) : []
}

function isCatalog(side: CompiledCatalog | FailedCompile): side is CompiledCatalog {
  return 'body' in side
}
