import { describe, expect, it } from 'vitest'
import { AheadRounds, type AheadWork } from '../../../src/server/ahead/rounds.ts'

/** Rounds over nodes whose names say their environment, and what comes of them. */
function roundsOf(nodes: readonly string[], atOnce = 1, wait = async () => {}) {
  const said: string[] = []
  const done: string[] = []
  const gates: (() => void)[] = []
  const rounds = new AheadRounds({
    atOnce,
    wait,
    say: (level, message) => said.push(`${level}: ${message}`),
  })
  const work: AheadWork = {
    listNodes: (environment) => nodes.filter((node) => node.startsWith(environment)),
    async compile(node, _, signal) {
      if (node.includes('waits')) await new Promise<void>((open) => gates.push(open))
      signal.throwIfAborted()
      done.push(node)
      if (node.includes('broken')) throw new Error('no class')
      return node.includes('same') ? 'recalled' : node.includes('gone') ? 'left' : 'compiled'
    },
  }
  return { rounds, work, said, done, gates }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('rounds of compiling ahead', () => {
  it('do each node once, count, and say what failed in one line', async () => {
    const { rounds, work, said, done } = roundsOf(['a1', 'a2 broken', 'a3 same', 'a4 gone', 'a5 broken', 'b1'])
    rounds.served('a', 'c1')
    expect(rounds.getProgress('a')).toBeUndefined()
    rounds.begin(work)
    await settled()
    expect(done).toEqual(['a1', 'a2 broken', 'a3 same', 'a4 gone', 'a5 broken'])
    expect(rounds.getProgress('a')).toEqual({ commit: 'c1', nodes: 5, compiled: 1, recalled: 1, left: 1, failed: 2 })
    expect(said).toEqual([
      'info: Environment a at c1: compiled the catalogs of 1 of 5 nodes ahead; 1 were up to date',
      'warn: Environment a at c1: catalog compilation failed for 2 of 5 nodes: a2 broken: no class',
    ])
  })

  it('start after a wait, and only the last of several pushes in a row', async () => {
    const waits: (() => void)[] = []
    const { rounds, work, done } = roundsOf(['a1', 'a2'], 1, () => new Promise((over) => waits.push(over)))
    rounds.begin(work)
    for (const commit of ['c1', 'c2', 'c3']) rounds.served('a', commit)
    await settled()
    expect([done, rounds.getProgress('a')]).toMatchObject([[], { commit: 'c3', nodes: 2, compiled: 0 }])
    for (const over of waits) over()
    await settled()
    expect([done, rounds.getProgress('a')]).toMatchObject([['a1', 'a2'], { commit: 'c3', compiled: 2 }])
  })

  it('give environments turns, and end with a newer commit, or with the environment', async () => {
    const { rounds, work, said, done, gates } = roundsOf(['a0 waits', 'a1', 'a2', 'b1', 'b2'])
    rounds.begin(work)
    rounds.served('a', 'c1')
    rounds.served('b', 'd1')
    await settled()
    gates.shift()!()
    await settled()
    expect(done).toEqual(['a0 waits', 'a1', 'b1', 'a2', 'b2'])
    rounds.served('a', 'c2')
    rounds.served('a', 'c3')
    for (const open of gates) open()
    await settled()
    for (const open of gates) open()
    await settled()
    expect(rounds.getProgress('a')).toMatchObject({ commit: 'c3', compiled: 3 })
    expect(done.slice(5)).toEqual(['a0 waits', 'a1', 'a2'])
    rounds.served('a', undefined)
    expect(rounds.getProgress('a')).toBeUndefined()
    expect(said.filter((line) => line.includes('c2'))).toEqual([])
  })

  it('do as many at once as there are threads, and nothing without any', async () => {
    const { rounds, work, gates } = roundsOf(['a1 waits', 'a2 waits', 'a3 waits'], 2)
    rounds.begin(work)
    rounds.served('a', 'c1')
    await settled()
    expect(gates.length).toBe(2)
    rounds.close()
    const none = roundsOf(['a1'], 0)
    none.rounds.begin(none.work)
    none.rounds.served('a', 'c1')
    await settled()
    expect([none.done, none.rounds.getProgress('a')]).toEqual([[], undefined])
  })
})
