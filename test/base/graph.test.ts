import { describe, expect, it } from 'vitest'
import { Graph } from '../../src/base/graph.ts'
import { fc } from '../support/properties.ts'

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
    ['a b c', 'a b c'],
    ['a b c c>a', 'b c a'],
    ['a>b b>c a>c', 'a b c'],
    ['d c b a a>d', 'c b a d'],
    ['x a>b b>a b>c', 'x'],
  ])('orders %s as %s', (edges, order) => {
    expect(graphOf(edges).order().join(' ')).toBe(order)
  })

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

  it('forgets a removed node and its edges', () => {
    const graph = graphOf('a>b b>c')
    graph.remove('b')
    expect([...graph.edges()]).toEqual([])
    expect([...graph.nodes()]).toEqual(['a', 'c'])
  })

  it('stands a chain too long for recursion', () => {
    const graph = new Graph<number>()
    for (let node = 0; node < 50_000; node++) graph.addEdge(node, node + 1)
    expect(graph.cycles()).toEqual([])
    graph.addEdge(50_000, 0)
    expect(graph.cycles()[0]).toHaveLength(50_001)
  })

  it('orders every node outside of circles after its predecessors', () => {
    const edges = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 60 })
    fc.assert(
      fc.property(edges, (pairs) => {
        const graph = new Graph<number>()
        for (const [from, to] of pairs) graph.addEdge(from, to)
        const order = graph.order()
        const place = new Map(order.map((node, index) => [node, index]))
        for (const node of order)
          for (const before of graph.predecessors(node)) expect(place.get(before)).toBeLessThan(place.get(node)!)
        expect(order.length === graph.size).toBe(graph.cycles().length === 0)
      }),
    )
  })
})
