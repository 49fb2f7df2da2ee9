import type { CompileProfile, MeasuredWork } from './compile-profile.ts'

/** The cost of work in one place: all executions with the same enclosing work. */
export interface CostNode {
  /** `undefined` for the whole compilation. */
  readonly work: MeasuredWork | undefined
  readonly calls: number
  /** Milliseconds, including the work inside. */
  readonly total: number
  /** Milliseconds, without the work inside. */
  readonly own: number
  /** The work inside, in the order of first execution. */
  readonly children: readonly CostNode[]
}

class GrowingNode implements CostNode {
  readonly work: MeasuredWork | undefined
  calls = 0
  total = 0
  readonly #children = new Map<MeasuredWork, GrowingNode>()

  constructor(work: MeasuredWork | undefined) {
    this.work = work
  }

  get children(): readonly CostNode[] {
    return [...this.#children.values()]
  }

  get own(): number {
    let own = this.total
    for (const { total } of this.#children.values()) own -= total
    // Sums of decimal fractions are not exact.
    return Math.max(0, own)
  }

  child(work: MeasuredWork): GrowingNode {
    const child = this.#children.get(work) ?? new GrowingNode(work)
    this.#children.set(work, child)
    return child
  }
}

/** Adds up the events of a profile: work with the same name in the same place is one node. */
export function buildCostTree({ events }: Pick<CompileProfile, 'events'>): CostNode {
  const root = new GrowingNode(undefined)
  root.calls = 1
  const open: { readonly node: GrowingNode; readonly since: number }[] = []
  for (const { begins, at } of events) {
    if (begins) {
      open.push({ node: (open.at(-1)?.node ?? root).child(begins), since: at })
      continue
    }
    const { node, since } = open.pop()!
    node.calls++
    node.total += at - since
    if (open.length === 0) root.total += at - since
  }
  return root
}
