import { formatExactJson } from '../../base/json/json-text.ts'
import type { CompiledCatalog } from '../../compiler/workers/compile-job.ts'
import { type ExportedResource, exportsToWire } from '../../model/exported-resource.ts'
import type { ChangeGroup, ExportChange } from './impact-result.ts'
import type { FailedCompile } from './node-change.ts'

type Exports = readonly ExportedResource[]
type Side = CompiledCatalog | FailedCompile | undefined

/** The resources that a node exports with the old and with the new code. */
interface Both {
  /**
   * Exports with the old code; undefined if the node has no catalog. Its earlier exports are in the
   * store.
   */
  readonly from: Exports | undefined
  readonly to: Exports
}

/**
 * Exported resources that differ between the old and the new code. Catalogs are compiled in passes.
 * In each pass, nodes collect the exports of the previous pass, so the order of compilation does
 * not matter. A node without a catalog keeps its exports.
 */
export class ChangedExports {
  readonly #collects = new Map<string, ReadonlySet<string>>()
  readonly #changed = new Map<string, Both>()
  readonly #found = new Map<string, Both>()

  /** Records the types of exported resources that a node collects. */
  collects(node: string, types: readonly string[]): void {
    if (types.length > 0) this.#collects.set(node, new Set(types))
  }

  /**
   * Records the exports of a node's catalogs in the current pass, and the types that the node
   * collects.
   */
  note(node: string, before: Side, after: Side): void {
    const both = [before, after].flatMap((each) => (each && 'body' in each ? each.collects : []))
    this.collects(node, both)
    if (!after || !('body' in after)) return
    this.#found.set(node, { from: before && 'body' in before ? before.exports : undefined, to: after.exports })
  }

  /** Ends a pass; returns the resource types whose exports changed in the pass. */
  endPass(): ReadonlySet<string> {
    const types = new Set<string>()
    for (const [node, both] of this.#found) {
      const known = this.#changed.get(node)
      const isAlike = formatExports(node, both.from ?? []) === formatExports(node, both.to)
      if (known ? hasSameExports(node, known, both) : isAlike) continue
      for (const { type } of [...(both.from ?? []), ...both.to, ...(known?.to ?? [])]) types.add(type)
      this.#changed.set(node, both)
    }
    this.#found.clear()
    return types
  }

  collectsAny(node: string, types: ReadonlySet<string>): boolean {
    return [...(this.#collects.get(node) ?? [])].some((type) => types.has(type))
  }

  /** Returns the exports of a node that replace its exports in the store; `undefined` if the store is up to date. */
  seenBy(node: string, side: 'from' | 'to'): ReadonlyMap<string, Exports> | undefined {
    const types = this.#collects.get(node)
    if (this.#changed.size === 0) return undefined
    const isCollectedType = ({ type }: ExportedResource) => !types || types.has(type)
    return new Map(
      [...this.#changed].flatMap(([name, both]) => {
        const own = both[side]?.filter(isCollectedType)
        return own ? [[name, own] as const] : []
      }),
    )
  }

  /** Returns the changes of exports by type, with the nodes whose catalogs change as a result. */
  changes(groups: readonly ChangeGroup[], nodes: readonly string[]): readonly ExportChange[] {
    const types = new Map<string, { added: string[]; removed: string[]; changed: string[]; exporters: string[] }>()
    const getTypeChanges = (type: string) => {
      const known = types.get(type) ?? { added: [], removed: [], changed: [], exporters: [] }
      types.set(type, known)
      return known
    }
    for (const node of nodes) {
      const { from, to } = this.#changed.get(node) ?? { from: [], to: [] }
      const [before, after] = [indexByReference(from ?? []), indexByReference(to)]
      const touched = new Set<string>()
      const addChange = (kind: 'added' | 'removed' | 'changed', reference: string, { type }: ExportedResource) => {
        getTypeChanges(type)[kind].push(reference)
        touched.add(type)
      }
      for (const [reference, each] of after) {
        const old = before.get(reference)
        if (!old) addChange('added', reference, each)
        else if (formatExports(node, [old]) !== formatExports(node, [each])) addChange('changed', reference, each)
      }
      for (const [reference, each] of before) if (!after.has(reference)) addChange('removed', reference, each)
      for (const type of touched) getTypeChanges(type).exporters.push(node)
    }
    return [...types].map(([type, each]) => ({ type, ...each, collectors: listCollectingNodes(each, groups, nodes) }))
  }
}

/**
 * Returns the nodes in whose catalogs one of the changed exported resources changes, in the order
 * of `nodes`; omits a sole exporter.
 */
function listCollectingNodes(
  { added, removed, changed, exporters }: Omit<ExportChange, 'type' | 'collectors'>,
  groups: readonly ChangeGroup[],
  nodes: readonly string[],
): readonly string[] {
  const references = new Set([...added, ...removed, ...changed])
  const own = exporters.length === 1 ? exporters[0] : undefined
  const collecting = new Set(
    groups.flatMap(({ nodes: names, change }) => {
      const touched = [...change.added, ...change.changed].map(({ resource }) => resource).concat(change.removed)
      return touched.some((each) => references.has(each)) ? names : []
    }),
  )
  return nodes.filter((node) => collecting.has(node) && node !== own)
}

function hasSameExports(node: string, one: Both, other: Both): boolean {
  return (
    formatExports(node, one.from ?? []) === formatExports(node, other.from ?? []) &&
    formatExports(node, one.to) === formatExports(node, other.to)
  )
}

function formatExports(node: string, resources: Exports): string {
  return formatExactJson(exportsToWire(node, resources))
}

function indexByReference(resources: Exports): ReadonlyMap<string, ExportedResource> {
  return new Map(resources.map((each) => [`${each.type}[${each.title}]`, each]))
}
