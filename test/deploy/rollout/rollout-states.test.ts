import { describe, expect, it } from 'vitest'
import { getAssignedCommits, listPreviousCommits } from '../../../src/deploy/rollout/node-assignment.ts'
import { type PersonAction, personActions, takeAction } from '../../../src/deploy/rollout/rollout-actions.ts'
import { MemberIndex, type RolloutMembers } from '../../../src/deploy/rollout/rollout-document.ts'
import { parseRolloutPlan } from '../../../src/deploy/rollout/rollout-file.ts'
import { advanceRollout, type Observed } from '../../../src/deploy/rollout/rollout-progress.ts'
import { applyPush, applyQueuedPush } from '../../../src/deploy/rollout/rollout-push.ts'
import {
  type EnvironmentRollout,
  formatRolloutState,
  isActive,
  parseRolloutState,
  type Rollout,
} from '../../../src/deploy/rollout/rollout-state.ts'
import {
  classifyReport,
  findHaltReason,
  measureWave,
  type NodeHealth,
  reachesThreshold,
} from '../../../src/deploy/rollout/wave-health.ts'
import type { RolloutReport } from '../../../src/store/rollouts/rollout-rows.ts'
import { fc } from '../../support/properties.ts'

const planOf = (text: string) => parseRolloutPlan(text, 'rollout.yaml')
const plan = planOf(`
waves: [{ name: canary, nodes: { certnames: [a1, a2] } }, { name: middle, nodes: { certnames: [b1, b2] }, approve: true }, { name: rest }]
halt: { failed: 50%, unreachable: 50%, corrective: 2 }
`)
const members: RolloutMembers = {
  ...{ plan, waves: [['a1', 'a2'], ['b1', 'b2'], ['c1']], unaffected: ['u1'], broken: [], failing: [] },
  ...{ previous: {}, predicted: undefined },
}
const nodes = ['a1', 'a2', 'b1', 'b2', 'c1', 'u1', 'new']
const running = (changes: Partial<Rollout> = {}): EnvironmentRollout & { rollout: Rollout } => ({
  ...{ stable: 'A', history: [] },
  rollout: {
    ...{ number: 1, document: 2, from: 'A', to: 'B', phase: 'running', begun: 0 },
    ...{ started: [], approved: [], kept: [], steps: [] },
    ...changes,
  },
})
const start = (at: number) => ({ at, lastReport: at })
const observed = (changes: Partial<Observed> = {}): Observed => ({
  ...{ now: 1000, lastReport: 1000, health: new Map(), failedCheck: undefined, isChecked: true, isFrozen: false },
  ...changes,
})
const healthy = (...names: string[]) => new Map(names.map((name): [string, NodeHealth] => [name, 'ok']))
const step = (state: EnvironmentRollout & { rollout: Rollout }, changes: Partial<Observed>, own = members) => {
  const next = advanceRollout(state, new MemberIndex(own), observed(changes))
  return typeof next === 'string' ? next : [next.step.action, next.state.rollout!.phase, next.state.stable]
}
const firstCommits = (state: EnvironmentRollout, own = members) =>
  Object.fromEntries(nodes.map((node) => [node, getAssignedCommits(state, new MemberIndex(own), node)[0]]))

describe('the commit of a node', () => {
  it.each([
    ['before the first wave', running(), { u1: 'B' }],
    ['in preparation', running({ phase: 'preparing' }), {}],
    ['after the first wave began', running({ started: [start(1)] }), { a1: 'B', a2: 'B', u1: 'B' }],
    ['in a pause', running({ phase: 'paused', started: [start(1)] }), { a1: 'B', a2: 'B', u1: 'B' }],
    ['after a halt', running({ phase: 'halted', started: [start(1)] }), {}],
    ['after an abort', running({ phase: 'aborted', started: [start(1)] }), {}],
    ['without a rollout', { stable: 'A', history: [] }, {}],
  ])('%s', (_, state, fresh) => {
    expect(firstCommits(state)).toEqual({ ...Object.fromEntries(nodes.map((node) => [node, 'A'])), ...fresh })
  })

  it('is followed by the stable commit, for a server without the new one', () => {
    expect(getAssignedCommits(running({ started: [start(1)] }), new MemberIndex(members), 'a1')).toEqual(['B', 'A'])
  })

  it('of a superseded rollout is kept until the wave starts', () => {
    const superseded = running({ started: [start(1)] })
    const previous = listPreviousCommits(superseded, new MemberIndex(members))
    expect(previous).toEqual({ B: ['a1', 'a2', 'u1'] })
    const next = { ...members, previous, unaffected: [] }
    const state = running({ to: 'C', number: 2 })
    expect(firstCommits(state, next)).toMatchObject({ a1: 'B', b1: 'A', u1: 'B', new: 'A' })
    expect(firstCommits(running({ to: 'C', started: [start(1)] }), next)).toMatchObject({ a1: 'C', b1: 'A' })
    expect(firstCommits(running({ to: 'C', phase: 'halted' }), next)).toMatchObject({ a1: 'A', b1: 'A' })
  })
})

describe('the next step', () => {
  const canary = { started: [start(10)] }
  const failing = (...names: string[]) => new Map(names.map((name): [string, NodeHealth] => [name, 'failed']))
  it.each([
    ['starts the first wave', running(), {}, ['start', 'running', 'A']],
    ['waits for reports', running(canary), { health: healthy('a1') }, 'reports'],
    ['waits for an approval', running(canary), { health: healthy('a1', 'a2') }, 'approval'],
    [
      'starts an approved wave',
      running({ ...canary, approved: [1] }),
      { health: healthy('a1', 'a2') },
      ['start', 'running', 'A'],
    ],
    ['waits while the environment is frozen', running(), { isFrozen: true }, 'frozen'],
    ['halts for failures', running(canary), { health: failing('a1', 'a2') }, ['halt', 'halted', 'A']],
    ['does not halt for one of two nodes', running(canary), { health: failing('a1') }, 'reports'],
    ['halts for a failed check', running(canary), { failedCheck: 'up is 0' }, ['halt', 'halted', 'A']],
    [
      'halts without reports in an hour',
      running(canary),
      { now: 3_600_010, health: new Map() },
      ['halt', 'halted', 'A'],
    ],
    ['waits less than an hour', running(canary), { now: 3_600_009, health: new Map() }, 'reports'],
    [
      'completes after the last wave',
      running({ started: [start(10), start(20), start(30)] }),
      { health: healthy('a1', 'a2', 'b1', 'b2', 'c1') },
      ['complete', 'complete', 'B'],
    ],
  ] as const)('%s', (_, state, changes, expected) => {
    expect(step(state, changes)).toEqual(expected)
  })

  it('observes a wave for its time, even if all nodes have reported', () => {
    const own = {
      ...members,
      plan: planOf('waves: [{ name: one, nodes: { certnames: [a1] }, wait: 10m }]'),
      waves: [['a1', 'a2'], ['c1']],
    }
    const state = running({ started: [start(0)] })
    expect(step(state, { now: 599_999, health: healthy('a1', 'a2') }, own)).toBe('reports')
    expect(step(state, { now: 600_000, health: healthy('a1', 'a2') }, own)).toEqual(['start', 'running', 'A'])
  })

  it('does not go on after a wave of which no node has reported', () => {
    const own = {
      ...members,
      plan: planOf('waves: [{ name: one, nodes: { certnames: [a1] }, wait: 10m }]'),
      waves: [['a1', 'a2'], ['c1']],
    }
    const state = running({ started: [start(0)] })
    expect(step(state, { now: 600_000 }, own)).toBe('reports')
    expect(step(state, { now: 3_600_000 }, own)).toEqual(['halt', 'halted', 'A'])
  })

  it('halts before a wave whose catalogs do not compile', () => {
    expect(step(running(), {}, { ...members, broken: ['a1', 'a2'] })).toEqual(['halt', 'halted', 'A'])
  })

  it('pauses instead, if the plan contains it', () => {
    const own = { ...members, plan: { ...plan, onHalt: 'pause' as const } }
    expect(step(running(canary), { health: failing('a1', 'a2') }, own)).toEqual(['halt', 'paused', 'A'])
  })

  it('waits for a time window', () => {
    const own = {
      ...members,
      plan: { ...plan, windows: planOf("waves: [{name: a}]\nwindows: ['Mon 09:00-10:00 UTC']").windows },
    }
    expect(step(running(), { now: Date.UTC(2026, 10, 29, 9, 30) }, own)).toBe('window')
    expect(step(running(), { now: Date.UTC(2026, 10, 30, 9, 30) }, own)).toEqual(['start', 'running', 'A'])
  })
})

describe('a push', () => {
  const push = (commit: string, own: boolean, old: string) => ({ commit, old, plan: own ? plan : undefined, now: 5 })
  const result = (
    state: EnvironmentRollout | undefined,
    commit: string,
    own = true,
    onPush: 'supersede' | 'queue' = 'supersede',
  ) => {
    const found = applyPush(state, push(commit, own, state?.rollout?.to ?? 'A'), onPush)
    if (!found) return 'unchanged'
    const { stable, rollout, queued, history } = found.state
    return [
      stable,
      rollout && `${rollout.phase} ${rollout.to}`,
      queued?.commit,
      history.map(({ to, phase }) => `${phase} ${to}`),
    ]
  }
  it.each([
    ['begins a rollout', undefined, ['B'], ['A', 'preparing B', undefined, []]],
    ['without a plan is served to all', undefined, ['B', false], ['B', undefined, undefined, []]],
    ['of the served commit records it', undefined, ['A'], ['A', undefined, undefined, []]],
    ['of the same commit changes nothing', running(), ['B'], 'unchanged'],
    ['of a halted commit changes nothing', running({ phase: 'halted' }), ['B'], 'unchanged'],
    ['supersedes a rollout', running(), ['C'], ['A', 'preparing C', undefined, ['superseded B']]],
    ['back to the stable commit ends the rollout', running(), ['A'], ['A', undefined, undefined, ['superseded B']]],
    [
      'after a halt begins the next rollout',
      running({ phase: 'halted' }),
      ['C'],
      ['A', 'preparing C', undefined, ['halted B']],
    ],
    ['without a plan ends a rollout', running(), ['C', false], ['C', undefined, undefined, ['superseded B']]],
    ['waits in the queue', running(), ['C', true, 'queue'], ['A', 'running B', 'C', []]],
    ['is not queued without a plan', running(), ['C', false, 'queue'], ['C', undefined, undefined, ['superseded B']]],
  ] as const)(
    '%s',
    (_, state, [commit, own = true, onPush]: readonly [string, boolean?, ('supersede' | 'queue')?], expected) => {
      expect(result(state, commit, own, onPush)).toEqual(expected)
    },
  )
})

describe('an action of a person', () => {
  const act = (state: EnvironmentRollout, action: PersonAction) => {
    const request = { environment: 'production', action, by: 'ann' }
    const next = takeAction(state, request, { members, now: 50, lastReport: 60 })
    return [next.state.rollout!.phase, next.state.stable, next.step.by]
  }
  it.each([
    ['pause', running(), ['paused', 'A', 'ann']],
    ['resume', running({ phase: 'paused' }), ['running', 'A', 'ann']],
    ['resume', running({ phase: 'halted', started: [start(1)] }), ['running', 'A', 'ann']],
    ['promote', running(), ['complete', 'B', 'ann']],
    ['abort', running(), ['aborted', 'A', 'ann']],
    ['approve', running({ started: [start(1)] }), ['running', 'A', 'ann']],
  ] as const)('%s', (action, state, expected) => {
    expect(act(state, action)).toEqual(expected)
  })
  it.each([
    ['pause', running({ phase: 'complete' }), /it is complete/],
    ['resume', running(), /it is running/],
    ['promote', running({ phase: 'superseded' }), /it is superseded/],
    ['approve', running(), /No wave .* waits for an approval/],
    ['abort', { stable: 'A', history: [] }, /has no rollout/],
  ] as const)('%s is rejected', (action, state, message) => {
    expect(() => act(state, action)).toThrow(message)
  })

  it('resumes after a halt without counting the reports that halted it', () => {
    const paused = running({ phase: 'paused', reason: 'failed', started: [start(1)] })
    const request = { environment: 'production', action: 'resume' as const, by: '' }
    const { state } = takeAction(paused, request, { members, now: 50, lastReport: 60 })
    expect(state.rollout).toMatchObject({ started: [{ at: 50, lastReport: 60 }] })
    expect(state.rollout!.reason).toBeUndefined()
  })
})

describe('a push that waited', () => {
  const apply = (commit: string, stable: string) => {
    const ended = running({ phase: stable === 'B' ? 'complete' : 'halted' })
    const { state } = applyQueuedPush({ ...ended, stable, queued: { commit, plan }, seen: ['A', 'B', commit] }, 5)
    return [
      state.rollout && `${state.rollout.phase} ${state.rollout.to}`,
      state.stable,
      state.queued,
      state.seen?.at(-1),
    ]
  }
  it.each([
    ['C', 'B', ['preparing C', 'B', undefined, 'C']],
    ['C', 'A', ['preparing C', 'A', undefined, 'C']],
    ['B', 'B', ['complete B', 'B', undefined, 'B']],
    ['B', 'A', ['halted B', 'A', undefined, 'B']],
  ])('%s, with the stable commit %s', (commit, stable, expected) => {
    expect(apply(commit, stable)).toEqual(expected)
  })
})

describe('a server that lags behind', () => {
  const seen = ['A', 'B', 'C']
  const push = (commit: string, old: string | undefined) =>
    applyPush({ stable: 'C', history: [], seen }, { commit, old, plan, now: 5 })?.state.rollout?.to ?? 'unchanged'
  it.each([
    ['A', 'A', 'unchanged'],
    ['B', 'A', 'unchanged'],
    ['C', 'B', 'unchanged'],
    ['A', undefined, 'unchanged'],
    ['B', 'C', 'B'],
    ['D', 'A', 'D'],
  ])('that moves to %s from %s: %s', (commit, old, expected) => {
    expect(push(commit, old)).toBe(expected)
  })

  it('may serve an earlier commit, but not one that was taken back', () => {
    const state = (phase: Rollout['phase'], stable: string) => ({ ...running({ phase, to: 'C' }), stable, seen })
    expect(getAssignedCommits(state('complete', 'C'), undefined, 'a1')).toEqual(['C', 'B', 'A'])
    expect(getAssignedCommits({ ...state('halted', 'B'), seen: [...seen, 'B'] }, undefined, 'a1')).toEqual(['B', 'A'])
  })
})

describe('a rollout without waves', () => {
  const own = { ...members, waves: [] }
  it('takes no step', () => {
    expect(step(running(), {}, own)).toBe('reports')
  })
  it('is prepared again when it is resumed', () => {
    const request = { environment: 'production', action: 'resume' as const, by: '' }
    const { state } = takeAction(running({ phase: 'halted' }), request, { members: own, now: 5, lastReport: 5 })
    expect(state.rollout!.phase).toBe('preparing')
  })
})

it('an action on another rollout than the person saw is rejected', () => {
  const request = { environment: 'production', action: 'promote' as const, by: '', number: 7 }
  expect(() => takeAction(running(), request, { members, now: 5, lastReport: 5 })).toThrow(/replaced by rollout 1/)
})

it('a wave of noop runs is not over', () => {
  const health = new Map<string, NodeHealth>([
    ['a1', 'noop'],
    ['a2', 'noop'],
  ])
  expect(step(running({ started: [start(10)] }), { health })).toBe('reports')
})

describe('health', () => {
  const report = (changes: Partial<RolloutReport>): RolloutReport => ({
    ...{ id: 1, hash: 'h', certname: 'a1', status: 'changed', noop: false, correctiveChange: false },
    ...{ codeId: 'B', cachedCatalogStatus: 'not_used' },
    ...changes,
  })
  it.each([
    [{}, 'ok'],
    [{ status: 'failed' }, 'failed'],
    [{ correctiveChange: true }, 'corrective'],
    [{ noop: true }, 'noop'],
    [{ noop: true, status: 'failed' }, 'failed'],
    [{ codeId: 'A' }, undefined],
    [{ codeId: 'A', cachedCatalogStatus: 'on_failure' }, 'not compiled'],
    [{ codeId: undefined, status: 'failed' }, 'not compiled'],
    [{ codeId: undefined, status: 'unchanged' }, undefined],
  ] as const)('of a report %j is %s', (changes, expected) => {
    expect(classifyReport(report(changes), 'B')).toBe(expected)
  })
  it.each([
    [1, 20, { percent: 5 }, 2, false],
    [2, 20, { percent: 5 }, 2, true],
    [2, 41, { percent: 5 }, 2, false],
    [1, 1, { percent: 5 }, 2, true],
    [0, 1, { percent: 0.1 }, 0, false],
    [1, 1000, { count: 1 }, 2, true],
    [9, 9, undefined, 2, false],
  ] as const)('%i of %i nodes reach %j from %i: %s', (count, all, threshold, minimum, expected) => {
    expect(reachesThreshold(count, all, { threshold, minimum })).toBe(expected)
  })
  it('does not count nodes that failed before', () => {
    const known = { broken: new Set<string>(), failing: new Set(['a1', 'a2']) }
    const health = new Map<string, NodeHealth>([
      ['a1', 'failed'],
      ['a2', 'failed'],
      ['b1', 'failed'],
    ])
    const wave = measureWave(['a1', 'a2', 'b1'], health, known)
    expect([wave.failed, wave.failedBefore]).toEqual([['b1'], ['a1', 'a2']])
    expect(findHaltReason('w', wave, plan.halt)).toBeUndefined()
  })
})

describe('any order of pushes, reports and actions', () => {
  it('never gives a commit to a node whose wave has not started, and the stable one to all after a halt', () => {
    const event = fc.oneof(
      fc.record({
        kind: fc.constant('push' as const),
        commit: fc.constantFrom('A', 'B', 'C', 'D'),
        own: fc.boolean(),
        queue: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('prepare' as const) }),
      fc.record({ kind: fc.constant('act' as const), action: fc.constantFrom(...personActions) }),
      fc.record({
        kind: fc.constant('observe' as const),
        health: fc.dictionary(
          fc.constantFrom(...nodes),
          fc.constantFrom<NodeHealth>('ok', 'failed', 'corrective', 'not compiled'),
        ),
        seconds: fc.integer({ min: 0, max: 4000 }),
      }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state: EnvironmentRollout = { stable: 'A', history: [] }
        let own = members
        let now = 0
        for (const each of events) {
          now += 1
          const before = state
          const index = new MemberIndex(own)
          if (each.kind === 'push') {
            const old = state.seen?.at(-1) ?? 'A'
            const given = { commit: each.commit, old, plan: each.own ? plan : undefined, now }
            const result = applyPush(state, given, each.queue ? 'queue' : 'supersede')
            if (result?.begins) own = { ...members, previous: listPreviousCommits(state, index) }
            state = result?.state ?? state
            if (each.own && each.commit !== before.stable) expect(state.stable).toBe(before.stable)
          } else if (!state.rollout) continue
          else if (each.kind === 'prepare' && state.rollout.phase === 'preparing')
            state = { ...state, rollout: { ...state.rollout, phase: 'running' } }
          else if (each.kind === 'act')
            try {
              state = takeAction(
                state,
                { environment: 'e', action: each.action, by: '' },
                { members, now, lastReport: now },
              ).state
            } catch {
              expect(state).toBe(before)
            }
          else if (each.kind === 'observe' && state.rollout.phase === 'running') {
            now += each.seconds * 1000
            const health = new Map(Object.entries(each.health))
            const next = advanceRollout(
              { ...state, rollout: state.rollout },
              index,
              observed({ now, lastReport: now, health }),
            )
            if (typeof next !== 'string') state = next.state
          }
          checkAssignments(state, new MemberIndex(own))
          expect(parseRolloutState(formatRolloutState(state))).toEqual(JSON.parse(JSON.stringify(state)))
        }
      }),
      { numRuns: 300 },
    )
  })
})

function checkAssignments(state: EnvironmentRollout, index: MemberIndex): void {
  const { rollout, stable } = state
  for (const node of nodes) {
    const [commit] = getAssignedCommits(state, index, node)
    if (!isActive(rollout)) expect(commit).toBe(stable)
    else if (commit === rollout.to && commit !== stable && index.previousOf(node) !== commit) {
      const wave = index.waveOf(node)
      expect(wave === undefined ? index.isUnaffected(node) : wave < rollout.started.length).toBe(true)
      expect(rollout.phase).not.toBe('preparing')
    }
  }
}
