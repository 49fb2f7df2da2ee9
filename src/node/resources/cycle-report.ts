import type { Graph } from '../../base/graph.ts'

/** A report of dependency cycles in Puppet's words. */
export interface CycleReport<Node> {
  /** The heading, such as `Found 1 dependency cycle:`. */
  readonly heading: string
  /** One line per cycle: `(File[/a] => File[/b] => File[/a])`. */
  readonly ways: readonly string[]
  /** The cycles as lists of names. */
  readonly paths: readonly (readonly string[])[]
  /** All nodes that belong to a cycle. */
  readonly nodes: readonly Node[]
}

/** The dependency cycles of a graph; undefined if there are none. Puppet: graph/simple_graph.rb. */
export function buildCycleReport<Node, Label>(
  graph: Graph<Node, Label>,
  nameOf: (node: Node) => string,
): CycleReport<Node> | undefined {
  const cycles = graph.cycles()
  if (cycles.length === 0) return undefined
  const paths = cycles
    .map((cycle) => [...cycle].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
    .map((cycle) => graph.pathAround(cycle).map(nameOf))
  const ways = paths.map((path) => `(${path.join(' => ')})`)
  const count = cycles.length === 1 ? '1 dependency cycle' : `${cycles.length} dependency cycles`
  return { heading: `Found ${count}:`, ways, paths, nodes: cycles.flat() }
}

/** True if a message is a cycle report: a heading, and a line for each cycle. */
export function isCycleReport(message: string): boolean {
  const [heading = '', ...ways] = message.split('\n', 2)
  const isHeading = heading.endsWith(' dependency cycle:') || heading.endsWith(' dependency cycles:')
  return heading.startsWith('Found ') && isHeading && ways.length > 0
}
