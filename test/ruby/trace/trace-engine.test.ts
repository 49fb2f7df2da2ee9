import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json/json-checks.ts'
import { type TracedWork, Traces } from '../../../src/ruby/trace/trace-engine.ts'
import { TraceMemory } from '../../../src/ruby/trace/trace-memory.ts'
import type { EffectKinds, QuestionKinds } from '../../../src/ruby/trace/trace-question.ts'

/** A world of named facts, in which work can be done; an inner one of each scope. */
interface World {
  readonly facts: Readonly<Record<string, string | undefined>>
  readonly said: string[]
}

const questions: QuestionKinds<World> = {
  fact: {
    answer: ({ facts }, [name]) => facts[String(name)],
    repeatable: () => true,
    aboutScope: false,
    reenters: false,
  },
  chance: { answer: () => '4', repeatable: () => false, aboutScope: false, reenters: false },
  local: {
    answer: ({ facts }, [role, name]) => facts[`${role} ${name}`],
    repeatable: () => true,
    aboutScope: true,
    reenters: false,
  },
  sum: { answer: ({ facts }) => facts['sum'], repeatable: () => true, aboutScope: false, reenters: true },
}

const effects: EffectKinds<World> = {
  say: {
    possible: ({ facts }) => facts['mute'] === undefined,
    again: ({ said }, [text]) => void said.push(String(text)),
  },
}

/** An engine with a memory of its own, and what it makes. */
function engine(checkEvery = 0, bound = 1_000_000) {
  const made: string[] = []
  const different: string[] = []
  const traces = new Traces<World, string>({
    questions,
    effects,
    memory: new TraceMemory(bound),
    sizeOf: ({ result }) => result.length,
    isSame: (one, other) => one === other,
    checkEvery,
    differs: ({ key }, recalled, again) => void different.push(`${key}: ${recalled}, ${again}`),
  })
  const ask = (world: World, kind: string, ...args: Json[]): string => {
    const find = () => questions[kind]!.answer(world, kind === 'local' ? ['own', ...args.slice(1)] : args) ?? 'none'
    if (traces.isReentering(kind)) return traces.asking({ kind, args }, find, (answer) => answer)
    const answer = find()
    traces.asked({ kind, args }, () => answer)
    return answer
  }
  const say = (world: World, text: string): void => {
    world.said.push(text)
    traces.did('say', [text])
  }
  const work = (
    key: string | undefined,
    world: World,
    make: () => string,
    more: Partial<TracedWork<World, string>> = {},
  ): string =>
    traces.result({
      key,
      asker: world,
      roles: (scope) => (scope === 7 ? 'own' : undefined),
      findObstacle: () => undefined,
      ...more,
      make() {
        made.push(key ?? 'without')
        return make()
      },
    })
  return { traces, made, different, ask, say, work }
}

const world = (facts: World['facts']): World => ({ facts, said: [] })

describe('the engine of traces', () => {
  it.each<[string, World['facts'][], string[], number]>([
    [
      'the same answers',
      [
        { a: '1', b: '2' },
        { a: '1', b: '2' },
      ],
      ['12', '12'],
      1,
    ],
    [
      'another answer',
      [
        { a: '1', b: '2' },
        { a: '1', b: '3' },
      ],
      ['12', '13'],
      2,
    ],
    [
      'answers of each of two times',
      [
        { a: '1', b: '2' },
        { a: '1', b: '3' },
        { a: '1', b: '2' },
        { a: '1', b: '3' },
      ],
      ['12', '13', '12', '13'],
      2,
    ],
    [
      'what nobody asked',
      [
        { a: '1', b: '2' },
        { a: '1', b: '2', c: '4' },
      ],
      ['12', '12'],
      1,
    ],
    [
      'a question that depends on an answer',
      [
        { a: 'c', c: '5' },
        { a: '1', b: '2' },
        { a: 'c', c: '5' },
        { a: 'c', c: '6' },
      ],
      ['c5', '12', 'c5', 'c6'],
      3,
    ],
    [
      'long answers',
      [
        { a: 'x'.repeat(999), b: '' },
        { a: `${'x'.repeat(998)}y`, b: '' },
      ],
      ['x'.repeat(999), `${'x'.repeat(998)}y`],
      2,
    ],
  ])('recalls for %s', (_, worlds, results, times) => {
    const { work, ask, made } = engine()
    const give = (facts: World['facts']) => {
      const here = world(facts)
      return work('work', here, () => {
        const a = ask(here, 'fact', 'a')
        return a + ask(here, 'fact', a === 'c' ? 'c' : 'b')
      })
    }
    expect(worlds.map(give)).toEqual(results)
    expect(made).toHaveLength(times)
  })

  it('knows a scope by its role', () => {
    const { work, ask, made } = engine()
    const here = world({ 'own port': '80' })
    const inScope = (number: number) =>
      work('work', here, () => ask(here, 'local', number, 'port'), {
        roles: (scope) => (scope === number ? 'own' : undefined),
      })
    expect([inScope(3), inScope(9)]).toEqual(['80', '80'])
    expect(made).toEqual(['work'])
  })

  it.each<[string, (parts: ReturnType<typeof engine>, here: World) => string]>([
    ['asks what may not be asked again', ({ ask }, here) => ask(here, 'chance')],
    ['asks about the scope of another', ({ ask }, here) => ask(here, 'local', 8, 'port')],
    ['asks what nobody knows', ({ traces }) => `${traces.asked({ kind: 'moon', args: [] }, () => 'full')}`],
    ['is spoilt', ({ traces }) => `${traces.spoil('because')}`],
    [
      'runs work without a key',
      ({ ask, work, traces }, here) =>
        traces.asking({ kind: 'sum', args: [] }, () => work(undefined, here, () => ask(here, 'fact', 'a')), String),
    ],
    [
      'runs work that says something',
      ({ say, work, traces }, here) =>
        traces.asking({ kind: 'sum', args: [] }, () => work('inner', here, () => `${say(here, 'x')}`), String),
    ],
  ])('makes work again that %s', (_, give) => {
    const parts = engine()
    const here = world({ a: '1', 'own port': '80', sum: '3' })
    for (let time = 0; time < 3; time++) parts.work('work', here, () => give(parts, here))
    expect(parts.made.filter((key) => key === 'work')).toHaveLength(3)
  })

  it('does not remember work that may not be, nor what fails', () => {
    const { work, made } = engine()
    const here = world({})
    const fail = () =>
      work('fails', here, () => {
        throw new Error('no')
      })
    for (let time = 0; time < 2; time++) {
      work('kept', here, () => 'x', { findObstacle: () => 'keeps state' })
      expect(fail).toThrow('no')
    }
    expect(made).toEqual(['kept', 'fails', 'kept', 'fails'])
  })

  it('does again what work did', () => {
    const { work, say, ask, made } = engine()
    const [one, other, mute] = [world({ a: '1' }), world({ a: '1' }), world({ a: '1', mute: 'yes' })]
    for (const here of [one, other, mute])
      work('work', here, () => {
        say(here, 'hello')
        return ask(here, 'fact', 'a')
      })
    expect([one.said, other.said, mute.said]).toEqual([['hello'], ['hello'], ['hello']])
    // Where the effect cannot be had, the work has it.
    expect(made).toEqual(['work', 'work'])
  })

  it('leaves to inner work what that reads', () => {
    const { work, ask, traces, made } = engine()
    const give = (facts: World['facts']) => {
      const here = world(facts)
      const inner = () => work('inner', here, () => ask(here, 'fact', 'a'))
      return work('outer', here, () => traces.asking({ kind: 'sum', args: [] }, inner, () => 'sum'))
    }
    give({ a: '1', sum: 'sum' })
    // The outer one asks for the sum only, and that is as it was.
    give({ a: '2', sum: 'sum' })
    expect(made).toEqual(['outer', 'inner'])
  })

  it('records joined work as a part of the enclosing work, and not the query that ran it', () => {
    const { work, ask, say, traces, made } = engine()
    const run = (facts: World['facts'], joins = true) => {
      const here = world(facts)
      const innermost = () =>
        work('innermost', here, () => {
          if (joins) traces.join(2)
          say(here, 'innermost')
          return ask(here, 'fact', 'b')
        })
      const inner = () =>
        work(
          'inner',
          here,
          () => ask(here, 'fact', 'a') + traces.asking({ kind: 'sum', args: [] }, innermost, () => 'x'),
        )
      const result = work('outer', here, () => traces.asking({ kind: 'sum', args: [] }, inner, () => 'x'))
      return [result, ...here.said]
    }
    expect(run({ a: '1', b: '2', sum: 'x' })).toEqual(['12', 'innermost'])
    // The reply to the query is not compared; the queries of the joined works are, and their effects are repeated.
    expect(run({ a: '1', b: '2', sum: 'y' })).toEqual(['12', 'innermost'])
    expect(made.splice(0)).toEqual(['outer', 'inner', 'innermost'])
    expect(run({ a: '1', b: '3', sum: 'x' })).toEqual(['13', 'innermost'])
    // Joined works have no traces of their own.
    expect(made).toEqual(['outer', 'inner', 'innermost'])
  })

  it('records neither joined work with state nor the work that encloses it', () => {
    const { work, traces, made } = engine()
    const here = world({ sum: 'x' })
    const inner = () =>
      work(
        'inner',
        here,
        () => {
          traces.join(1)
          return 'x'
        },
        { findObstacle: () => 'keeps state' },
      )
    for (let time = 0; time < 2; time++)
      work('outer', here, () => traces.asking({ kind: 'sum', args: [] }, inner, () => 'x'))
    expect(made).toEqual(['outer', 'inner', 'outer', 'inner'])
  })

  it('makes some of the recalled work again, and tells of a difference', () => {
    const { work, different, made } = engine(2)
    const here = world({})
    const results = ['a', 'b', 'c', 'd', 'e'].map((each) => work('work', here, () => each))
    // The second is recalled; of the third it is known that it was 'a', and it is made; then all begins anew.
    expect(results).toEqual(['a', 'a', 'c', 'd', 'd'])
    expect(different).toEqual(['work: a, c'])
    expect(made).toHaveLength(3)
  })
})

describe('a memory', () => {
  const outcome = (result: string) => ({ result, effects: [] })
  const step = (name: string, answer: string) => ({ question: { kind: 'fact', args: [name] }, answer })
  const recalled = (memory: TraceMemory<string>, key: string, facts: Record<string, string>) =>
    memory.recall(key, ({ args }) => facts[String(args[0])])?.result

  it('forgets what was not recalled for the longest time', () => {
    const memory = new TraceMemory<string>(3000)
    for (const key of ['a', 'b', 'c']) memory.remember(key, [step('x', '1')], outcome(key), 500)
    recalled(memory, 'a', { x: '1' })
    memory.remember('d', [step('x', '1')], outcome('d'), 500)
    expect(['a', 'b', 'c', 'd'].map((key) => recalled(memory, key, { x: '1' }))).toEqual(['a', undefined, 'c', 'd'])
    expect(memory.size).toBeLessThanOrEqual(3000)
  })

  it('never takes one state of the world for another', () => {
    const memory = new TraceMemory<string>(100_000)
    memory.remember('k', [step('x', '1'), step('y', '1')], outcome('xy'), 10)
    // The same answer, and then another question: what was known is of code that asked otherwise.
    memory.remember('k', [step('x', '1'), step('z', '1')], outcome('xz'), 10)
    expect(recalled(memory, 'k', { x: '1', y: '1' })).toBeUndefined()
    expect(recalled(memory, 'k', { x: '1', z: '1' })).toBe('xz')
  })

  it('replaces the outcome of the same answers', () => {
    const memory = new TraceMemory<string>(100_000)
    memory.remember('k', [step('x', '1')], outcome('old'), 10)
    memory.remember('k', [step('x', '1')], outcome('new'), 10)
    memory.remember('n', [], outcome('old'), 10)
    memory.remember('n', [], outcome('new'), 10)
    expect([recalled(memory, 'k', { x: '1' }), recalled(memory, 'n', {})]).toEqual(['new', 'new'])
    memory.forget('k')
    expect(recalled(memory, 'k', { x: '1' })).toBeUndefined()
  })
})
