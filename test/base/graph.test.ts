import { describe, expect, it } from 'vitest'
import { Graph } from '../../src/base/graph.ts'

function graphOf(edges: string): Graph<string> {
  const graph = new Graph<string>()
  for (const edge of edges.split(' ').filter(Boolean)) {
    const [from, to] = edge.split('>')
    if (to) graph.addEdge(from!, to)
    else graph.add(from!)
  }
  return graph
}

describe('a graph', () => {
  it.each([
    ['a>b b>c', []],
    ['a>a', [['a']]],
    ['b>a a>b', [['b', 'a']]],
    [
      'a>b b>c c>a d>e e>d c>d',
      [
        ['a', 'b', 'c'],
        ['d', 'e'],
      ],
    ],
  ])('finds the cycles of %s', (edges, cycles) => {
    expect(graphOf(edges).cycles()).toEqual(cycles)
  })

  it('shows the shortest way round a cycle', () => {
    const graph = graphOf('a>b b>c c>d d>a b>a')
    expect(graph.pathAround(graph.cycles()[0]!)).toEqual(['a', 'b', 'a'])
  })

  it('stands a chain too long for recursion', () => {
    const graph = new Graph<number>()
    for (let node = 0; node < 50_000; node++) graph.addEdge(node, node + 1)
    expect(graph.cycles()).toEqual([])
    graph.addEdge(50_000, 0)
    expect(graph.cycles()[0]).toHaveLength(50_001)
  })
})
