import { describe, expect, it } from 'vitest'
import { parseRolloutPlan } from '../../../src/deploy/rollout/rollout-file.ts'
import { assignWaves, type RolloutNode } from '../../../src/deploy/rollout/wave-members.ts'

const none = new Map<number, ReadonlySet<string>>()
const planOf = (...nodes: readonly string[]) =>
  parseRolloutPlan(
    `waves: [${nodes.map((each, index) => `{ name: w${index}, nodes: { ${each} } }`).join(', ')}]`,
    'rollout.yaml',
  )
const nodesOf = (...certnames: readonly string[]): readonly RolloutNode[] =>
  certnames.map((certname) => ({ certname, groups: {} }))
const fleet = (count: number, groups: (index: number) => Record<string, string> = () => ({})): readonly RolloutNode[] =>
  Array.from({ length: count }, (_, index) => ({ certname: `node-${index}.example.com`, groups: groups(index) }))

const inWave = (assigned: ReadonlyMap<string, number>, wave: number) =>
  [...assigned].flatMap(([certname, index]) => (index === wave ? certname : [])).sort()

describe('the waves of nodes', () => {
  it.each<[string, string, readonly string[]]>([
    ['exact names', 'certnames: [web1, db1]', ['web1']],
    ['patterns', "certnames: ['web-*', web]", ['web', 'web-1', 'web-2']],
    [
      'patterns with several stars',
      "certnames: ['*eb*1*']",
      ['a.web1.x', 'web-1', 'web1', 'web1.example.com', 'web1.example.org', 'web10'],
    ],
    ['a star in the middle', "certnames: ['web*.com']", ['web1.example.com']],
  ])('come from %s', (_, text, expected) => {
    const names = ['web', 'web1', 'web10', 'web-1', 'web-2', 'a.web1.x', 'web1.example.com', 'web1.example.org', 'db']
    const assigned = assignWaves(planOf(text), nodesOf(...names), none)
    expect(inWave(assigned, 0)).toEqual(expected)
    expect(inWave(assigned, 1)).toHaveLength(names.length - expected.length)
  })

  it('come from queries, for known nodes only', () => {
    const plan = planOf('certnames: [a]', "query: 'nodes[certname] { }'", "query: 'x', certnames: [d]")
    const queried = new Map([
      [1, new Set(['a', 'b', 'unknown'])],
      [2, new Set(['b', 'c'])],
    ])
    expect(assignWaves(plan, nodesOf('a', 'b', 'c', 'd', 'e'), queried)).toEqual(
      new Map([
        ...[['a', 0] as const, ['b', 1] as const, ['c', 2] as const],
        ...[['d', 2] as const, ['e', 3] as const],
      ]),
    )
  })

  it('are the first that selects a node', () => {
    const assigned = assignWaves(planOf("certnames: ['a*']", "certnames: ['*']"), nodesOf('b', 'a1', 'a2'), none)
    expect(Object.fromEntries(assigned)).toEqual({ a1: 0, a2: 0, b: 1 })
  })

  it.each([
    [10, 100, 10],
    [10, 101, 11],
    [10, 1, 1],
    [0.001, 7, 1],
    [100, 7, 7],
    [1.1, 1000, 11],
    [0.7, 1000, 7],
    [33.3, 1000, 333],
    [50, 0, 0],
  ])('contain a share of %s of %s nodes: %s', (percent, count, expected) => {
    expect(inWave(assignWaves(planOf(`percent: ${percent}`), fleet(count), none), 0)).toHaveLength(expected)
  })

  it('contain the nodes with the lowest digests', () => {
    // printf node-N.example.com | sha256sum
    expect(inWave(assignWaves(planOf('percent: 30'), fleet(10), none), 0)).toEqual([
      'node-1.example.com',
      'node-8.example.com',
      'node-9.example.com',
    ])
  })

  it('grow: a larger share contains a smaller one', () => {
    const small = inWave(assignWaves(planOf('percent: 10'), fleet(200), none), 0)
    const large = inWave(assignWaves(planOf('percent: 50'), fleet(200), none), 0)
    expect(large).toHaveLength(100)
    expect(large).toEqual(expect.arrayContaining(small))
    const assigned = assignWaves(planOf('percent: 10', 'percent: 50'), fleet(200), none)
    expect([...inWave(assigned, 0), ...inWave(assigned, 1)].sort()).toEqual(large)
  })

  it('take a share of each group, also of nodes without the fact', () => {
    const nodes = fleet(50, (index): Record<string, string> => {
      if (index < 40) return { 'facts.datacenter': 'east', 'trusted.extensions.pp_role': index < 30 ? 'web' : 'db' }
      return index < 48 ? { 'facts.datacenter': 'west', 'trusted.extensions.pp_role': 'web' } : {}
    })
    const plan = planOf('percent: 10, by: [facts.datacenter, trusted.extensions.pp_role]')
    const chosen = inWave(assignWaves(plan, nodes, none), 0).map((name) => Number(/\d+/.exec(name)![0]))
    const counts = [
      chosen.filter((index) => index < 30),
      chosen.filter((index) => index >= 30 && index < 40),
      chosen.filter((index) => index >= 40 && index < 48),
      chosen.filter((index) => index >= 48),
    ].map((each) => each.length)
    expect(counts).toEqual([3, 1, 1, 1])
  })

  it('take a share of the nodes of names and a query', () => {
    const plan = planOf("certnames: ['node-1*'], query: q, percent: 50")
    const queried = new Map([[0, new Set(['node-2.example.com', 'node-3.example.com'])]])
    const nodes = fleet(20)
    const chosen = inWave(assignWaves(plan, nodes, queried), 0)
    expect(chosen).toHaveLength(7)
    for (const name of chosen) expect(name).toMatch(/^node-(?:1\d?|2|3)\./)
  })

  it('do not depend on the order of nodes', () => {
    const nodes = fleet(300, (index) => ({ 'facts.rack': `r${index % 7}` }))
    const plan = planOf("certnames: ['node-1*'], percent: 20", 'percent: 15, by: facts.rack')
    const shuffled = [...nodes].sort((a, b) => (a.certname.slice(-14) < b.certname.slice(-14) ? 1 : -1)).reverse()
    const sorted = (assigned: ReadonlyMap<string, number>) => [...assigned].sort()
    expect(sorted(assignWaves(plan, shuffled, none))).toEqual(sorted(assignWaves(plan, nodes, none)))
    expect(sorted(assignWaves(plan, nodes.toReversed(), none))).toEqual(sorted(assignWaves(plan, nodes, none)))
  })

  it('are matched in a bounded number of steps', () => {
    const pattern = `${'*a'.repeat(120)}b`
    const plan = planOf(`certnames: [${Array.from({ length: 200 }, () => `'${pattern}'`).join(',')}]`)
    const nodes = nodesOf(...Array.from({ length: 3000 }, (_, index) => `${'a'.repeat(240)}${index}`))
    expect(() => assignWaves(plan, nodes, none)).toThrow(
      'Matching the patterns of the waves with the nodes takes more than 100000000 steps',
    )
  })
})
