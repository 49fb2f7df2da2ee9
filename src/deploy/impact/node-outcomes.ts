import { hash } from 'node:crypto'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import type { NodeOutcome } from './impact-request.ts'
import type { Impact } from './impact-result.ts'
import type { FailedCompile, NodeChange } from './node-change.ts'

/** Maximum total size of all changes in characters. Beyond this limit, only counts are recorded. */
const mostCharacters = 64 * 1024 * 1024

/** Nodes with the same outcome and reason. */
interface Group<Why> {
  readonly why: Why
  readonly nodes: Set<string>
}

/** The outcomes of the nodes analyzed so far. Equal changes are stored once. */
export class Outcomes {
  readonly #of = new Map<string, { readonly outcome: NodeOutcome; readonly group: Group<unknown> | undefined }>()
  #characters = 0
  readonly #groups = new Map<string, Group<NodeChange | FailedCompile>>()

  get size(): number {
    return this.#of.size
  }

  has(node: string): boolean {
    return this.#of.has(node)
  }

  /** Returns true for a node whose catalog does not compile with the new code. */
  isWithoutCatalog(node: string): boolean {
    const outcome = this.#of.get(node)?.outcome
    return outcome === 'broken' || outcome === 'failing'
  }

  /** Records the outcome of a node, replacing an earlier one. */
  set(node: string, outcome: NodeOutcome, why: NodeChange | FailedCompile | undefined): void {
    this.#of.get(node)?.group?.nodes.delete(node)
    const group = why && this.#getGroup(outcome, why)
    group?.nodes.add(node)
    this.#of.set(node, { outcome, group })
  }

  /** Returns all outcomes; the nodes of each are in the order of `nodes`. */
  result(
    nodes: readonly string[],
  ): Pick<
    Impact,
    'counts' | 'unaffected' | 'same' | 'changed' | 'broken' | 'failing' | 'mended' | 'fresh' | 'unchecked'
  > {
    const getOutcome = (node: string) => this.#of.get(node)?.outcome ?? 'unchecked'
    const listNodes = (outcome: NodeOutcome) => nodes.filter((node) => getOutcome(node) === outcome)
    const [unaffected, same, mended] = [listNodes('unaffected'), listNodes('same'), listNodes('mended')]
    const [fresh, unchecked] = [listNodes('fresh'), listNodes('unchecked')]
    const listGroups = <Why>(outcome: NodeOutcome) => this.#grouped<Why>(outcome, nodes)
    const [changed, broken, failing] = [
      listGroups<NodeChange>('changed'),
      listGroups<FailedCompile>('broken'),
      listGroups<FailedCompile>('failing'),
    ]
    const countNodes = (groups: readonly { readonly nodes: readonly string[] }[]) =>
      groups.reduce((sum, group) => sum + group.nodes.length, 0)
    return {
      counts: {
        ...{
          unaffected: unaffected.length,
          same: same.length,
          changed: countNodes(changed),
          broken: countNodes(broken),
        },
        ...{ failing: countNodes(failing), mended: mended.length, fresh: fresh.length, unchecked: unchecked.length },
      },
      ...{ unaffected, same, mended, fresh, unchecked },
      changed: changed.map(({ why, nodes }) => ({ nodes, change: why })),
      broken: broken.map(({ why, nodes }) => ({ ...why, nodes })),
      failing: failing.map(({ why, nodes }) => ({ ...why, nodes })),
    }
  }

  #getGroup(outcome: NodeOutcome, why: NodeChange | FailedCompile): Group<NodeChange | FailedCompile> {
    const text = formatExactJson(why as unknown as ExactJson)
    const key = `${outcome} ${hash('sha256', text, 'base64')}`
    const known = this.#groups.get(key)
    if (known) return known
    this.#characters += text.length
    const isTooMuch = 'counts' in why && this.#characters > mostCharacters
    const group = { why: isTooMuch ? removeDetails(why) : why, nodes: new Set<string>() }
    this.#groups.set(key, group)
    return group
  }

  #grouped<Why>(
    outcome: NodeOutcome,
    nodes: readonly string[],
  ): { readonly why: Why; readonly nodes: readonly string[] }[] {
    const places = new Map(nodes.map((node, index) => [node, index]))
    const sortNodes = (names: Iterable<string>) => [...names].sort((a, b) => places.get(a)! - places.get(b)!)
    return [...this.#groups]
      .filter(([key, group]) => key.startsWith(`${outcome} `) && group.nodes.size > 0)
      .map(([, group]) => ({ why: group.why as Why, nodes: sortNodes(group.nodes) }))
      .sort((a, b) => b.nodes.length - a.nodes.length || places.get(a.nodes[0]!)! - places.get(b.nodes[0]!)!)
  }
}

function removeDetails({ counts, classes, restarts }: NodeChange): NodeChange {
  return {
    counts,
    added: [],
    removed: [],
    changed: [],
    edges: { added: [], removed: [] },
    moved: [],
    classes,
    restarts,
  }
}
