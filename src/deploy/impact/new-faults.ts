import type { CatalogFault } from '../../compiler/workers/catalog-fault.ts'
import type { FaultGroup } from './result.ts'

/** Faults that are told apart; of those beyond, only the rule is kept. */
const mostGroups = 10_000

/** Faults that nodes' catalogs have in the new code, and did not have in the old one. */
export class NewFaults {
  readonly #groups = new Map<string, { readonly fault: CatalogFault; readonly nodes: Set<string> }>()
  readonly #of = new Map<string, readonly string[]>()

  /** Notes those of a node, in place of what was known of it before. `root` is the folder in which places are. */
  note(node: string, before: readonly CatalogFault[], after: readonly CatalogFault[], root: string): void {
    for (const key of this.#of.get(node) ?? []) this.#groups.get(key)?.nodes.delete(node)
    const old = new Set(before.map(nameOf))
    const keys = after.filter((each) => !old.has(nameOf(each))).map((fault) => this.#add(node, placedIn(fault, root)))
    if (keys.length > 0) this.#of.set(node, keys)
    else this.#of.delete(node)
  }

  /** Errors first, then those that most nodes have; nodes in the order given. */
  groups(nodes: readonly string[]): readonly FaultGroup[] {
    const places = new Map(nodes.map((node, index) => [node, index]))
    return [...this.#groups.values()]
      .filter((group) => group.nodes.size > 0)
      .map(({ fault, nodes: having }) => ({
        ...fault,
        nodes: [...having].sort((one, other) => places.get(one)! - places.get(other)!),
      }))
      .sort((one, other) => rank(one) - rank(other) || other.nodes.length - one.nodes.length)
  }

  #add(node: string, fault: CatalogFault): string {
    const key = keyOf(fault)
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

function rank({ severity }: CatalogFault): number {
  return severity === 'error' ? 0 : 1
}

/** The same fault has it wherever it stands by now. */
function nameOf({ kind, rule, severity, message, resource }: CatalogFault): string {
  return JSON.stringify([kind, rule, severity, message, resource])
}

function keyOf(fault: CatalogFault): string {
  return JSON.stringify([nameOf(fault), fault.file, fault.line])
}

function placedIn(fault: CatalogFault, root: string): CatalogFault {
  const inside = (text: string) => text.replaceAll(`${root}/`, '')
  return { ...fault, message: inside(fault.message), file: fault.file === undefined ? undefined : inside(fault.file) }
}
