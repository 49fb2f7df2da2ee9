/**
 * A directed graph with optional edge labels. Nodes are compared by identity and kept in insertion
 * order.
 */
export class Graph<Node, Label = true> {
  readonly #from = new Map<Node, Map<Node, Label>>()
  readonly #to = new Map<Node, Set<Node>>()

  get size(): number {
    return this.#from.size
  }

  has(node: Node): boolean {
    return this.#from.has(node)
  }

  nodes(): IterableIterator<Node> {
    return this.#from.keys()
  }

  add(node: Node): void {
    if (this.#from.has(node)) return
    this.#from.set(node, new Map())
    this.#to.set(node, new Set())
  }

  /** Adds an edge and any missing end nodes; a second edge between the same nodes replaces the label. */
  addEdge(from: Node, to: Node, ...[label]: Label extends true ? [label?: Label] : [label: Label]): void {
    this.add(from)
    this.add(to)
    this.#from.get(from)!.set(to, label ?? (true as Label))
    this.#to.get(to)!.add(from)
  }

  hasEdge(from: Node, to: Node): boolean {
    return this.#from.get(from)?.has(to) ?? false
  }

  label(from: Node, to: Node): Label | undefined {
    return this.#from.get(from)?.get(to)
  }

  removeEdge(from: Node, to: Node): void {
    this.#from.get(from)?.delete(to)
    this.#to.get(to)?.delete(from)
  }

  successors(node: Node): Node[] {
    return [...(this.#from.get(node)?.keys() ?? [])]
  }

  predecessors(node: Node): Node[] {
    return [...(this.#to.get(node) ?? [])]
  }

  /** Every `[from, to, label]`, ordered by insertion of `from`. */
  *edges(): IterableIterator<readonly [from: Node, to: Node, label: Label]> {
    for (const [from, targets] of this.#from) for (const [to, label] of targets) yield [from, to, label]
  }

  /**
   * Cyclic strongly connected components (Tarjan's algorithm, without recursion), each in insertion
   * order.
   */
  cycles(): Node[][] {
    const rank = new Map([...this.nodes()].map((node, index) => [node, index]))
    return findStronglyConnectedComponents(this)
      .filter((part) => part.length > 1 || this.hasEdge(part[0]!, part[0]!))
      .map((part) => part.sort((a, b) => rank.get(a)! - rank.get(b)!))
      .sort((a, b) => rank.get(a[0]!)! - rank.get(b[0]!)!)
  }

  /**
   * A shortest path from the first node of a cycle back to it; the node is at both ends of the
   * result.
   */
  pathAround(cycle: readonly Node[]): Node[] {
    const inside = new Set(cycle)
    const start = cycle[0]!
    const cameFrom = new Map<Node, Node>()
    const waiting: Node[] = [start]
    for (let next = 0; next < waiting.length; next++) {
      const node = waiting[next]!
      for (const to of this.#from.get(node)!.keys()) {
        if (to === start) return [...buildPath(node, cameFrom), start]
        if (!inside.has(to) || cameFrom.has(to)) continue
        cameFrom.set(to, node)
        waiting.push(to)
      }
    }
    return []
  }
}

function buildPath<Node>(node: Node, cameFrom: ReadonlyMap<Node, Node>): Node[] {
  const path: Node[] = []
  for (let at: Node | undefined = node; at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

interface Visit<Node> {
  readonly node: Node
  readonly children: Node[]
}

function findStronglyConnectedComponents<Node, Label>(graph: Graph<Node, Label>): Node[][] {
  const index = new Map<Node, number>()
  const low = new Map<Node, number>()
  const open: Node[] = []
  const isOpen = new Set<Node>()
  const parts: Node[][] = []
  const visits: Visit<Node>[] = []

  const enter = (node: Node): void => {
    low.set(node, index.size)
    index.set(node, index.size)
    open.push(node)
    isOpen.add(node)
    visits.push({ node, children: graph.successors(node).reverse() })
  }
  const lower = (node: Node, to: number): void => {
    low.set(node, Math.min(low.get(node)!, to))
  }
  const close = (node: Node): void => {
    const part = open.splice(open.lastIndexOf(node))
    for (const each of part) isOpen.delete(each)
    parts.push(part)
  }

  for (const root of graph.nodes()) {
    if (index.has(root)) continue
    enter(root)
    while (visits.length > 0) {
      const { node, children } = visits.at(-1)!
      const child = children.pop()
      if (child !== undefined) {
        if (!index.has(child)) enter(child)
        else if (isOpen.has(child)) lower(node, index.get(child)!)
        continue
      }
      if (low.get(node) === index.get(node)) close(node)
      visits.pop()
      const parent = visits.at(-1)
      if (parent) lower(parent.node, low.get(node)!)
    }
  }
  return parts
}
