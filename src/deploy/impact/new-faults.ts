import type { CatalogFault } from '../../compiler/workers/catalog-fault.ts'
import type { FaultGroup } from './impact-result.ts'

/**
 * Maximum number of distinct faults. Further faults are recorded by rule, without message and
 * resource.
 */
const mostGroups = 10_000

/**
 * Faults of catalogs compiled with the new code that the same node's catalog with the old code does
 * not have.
 */
export class NewFaults {
  readonly #groups = new Map<string, { readonly fault: CatalogFault; readonly nodes: Set<string> }>()
  readonly #of = new Map<string, readonly string[]>()

  /** Records the faults of a node, replacing earlier ones. `root` is the root folder of the faults' locations. */
  note(node: string, before: readonly CatalogFault[], after: readonly CatalogFault[], root: string): void {
    for (const key of this.#of.get(node) ?? []) this.#groups.get(key)?.nodes.delete(node)
    const old = new Set(before.map(formatFaultIdentity))
    const keys = after
      .filter((each) => !old.has(formatFaultIdentity(each)))
      .map((fault) => this.#add(node, removeTreeRoot(fault, root)))
    if (keys.length > 0) this.#of.set(node, keys)
    else this.#of.delete(node)
  }

  /**
   * Returns the faults: errors first, then by number of nodes. The nodes of a fault are in the
   * order of `nodes`.
   */
  groups(nodes: readonly string[]): readonly FaultGroup[] {
    const places = new Map(nodes.map((node, index) => [node, index]))
    return [...this.#groups.values()]
      .filter((group) => group.nodes.size > 0)
      .map(({ fault, nodes: having }) => ({
        ...fault,
        nodes: [...having].sort((one, other) => places.get(one)! - places.get(other)!),
      }))
      .sort((one, other) => getSeverityRank(one) - getSeverityRank(other) || other.nodes.length - one.nodes.length)
  }

  #add(node: string, fault: CatalogFault): string {
    const key = formatFaultKey(fault)
    const known = this.#groups.get(key)
    if (!known && this.#groups.size >= mostGroups && fault.resource !== undefined)
      return this.#add(node, {
        ...fault,
        message: 'more of the same',
        resource: undefined,
        file: undefined,
        line: undefined,
      })
    const group = known ?? { fault, nodes: new Set<string>() }
    group.nodes.add(node)
    this.#groups.set(key, group)
    return key
  }
}

function getSeverityRank({ severity }: CatalogFault): number {
  return severity === 'error' ? 0 : 1
}

/** Returns a key of a fault that does not contain its location in the code. */
function formatFaultIdentity({ kind, rule, severity, message, resource }: CatalogFault): string {
  return JSON.stringify([kind, rule, severity, message, resource])
}

function formatFaultKey(fault: CatalogFault): string {
  return JSON.stringify([formatFaultIdentity(fault), fault.file, fault.line])
}

function removeTreeRoot(fault: CatalogFault, root: string): CatalogFault {
  const removeRoot = (text: string) => text.replaceAll(`${root}/`, '')
  return {
    ...fault,
    message: removeRoot(fault.message),
    file: fault.file === undefined ? undefined : removeRoot(fault.file),
  }
}
