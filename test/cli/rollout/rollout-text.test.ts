import { describe, expect, it } from 'vitest'
import { getPhaseStatus, printRollout, printRolloutTable } from '../../../src/cli/rollout/rollout-text.ts'
import { RolloutWatcher } from '../../../src/cli/rollout/watch.ts'
import type { RolloutPhase } from '../../../src/deploy/rollout/rollout-state.ts'
import type { CurrentRollout, RolloutStatus, WaveStatus } from '../../../src/server/rollouts/rollout-status.ts'

const [from, to] = ['a'.repeat(40), 'b'.repeat(40)]
const at = Date.parse('2026-11-23T09:00:00Z')

const wave = (name: string, given: Partial<WaveStatus> = {}): WaveStatus => ({
  ...{ name, state: 'waiting', started: undefined, waitSeconds: undefined, approve: false, approved: false },
  ...{ nodes: 10, reported: 0, failed: [], failedBefore: [], corrective: [], missing: [], reports: {} },
  ...given,
})
const rollout = (given: Partial<CurrentRollout> = {}): CurrentRollout => ({
  ...{ number: 3, from, to, phase: 'running', reason: undefined, begun: at, ended: undefined, waiting: 'reports' },
  waves: [
    wave('canary', {
      ...{ state: 'started', started: at + 1000, waitSeconds: 600, nodes: 3, reported: 2, failed: ['web1'] },
      ...{ missing: ['web3'], failedBefore: ['old'], reports: { web1: 'c'.repeat(40) } },
    }),
    wave('rest', { approve: true }),
  ],
  ...{ unaffected: 4, checks: [], steps: [{ at, action: 'begin' }] },
  ...given,
})
const status = (given: Partial<RolloutStatus> = {}): RolloutStatus => ({
  ...{ environment: 'production', stable: from, queued: undefined, rollout: rollout(), history: [] },
  ...given,
})

function collect(print: (io: { out(text: string): void }) => void): string {
  let text = ''
  print({
    out(piece) {
      text += piece
    },
  })
  return text
}
const show = (given: RolloutStatus) =>
  collect((io) => printRollout(given, { ...io, err: () => {}, color: false, stdin: process.stdin }))

describe('a rollout as text', () => {
  it('has waves, nodes and steps', () => {
    expect(show(status())).toBe(`production: rollout 3 of ${to} is running
  From ${from}, begun 2026-11-23T09:00:00Z
  Nodes without the commit receive ${from}
  Wave 'canary' is observed until 2026-11-23T09:10:01Z; 1 node sent no report yet
  4 nodes with an unchanged catalog received the commit at once
wave    state           nodes  reported  failed  started
canary  started         3      2         1       2026-11-23T09:00:01Z
rest    needs approval  10     0         0
Wave 'canary', 1 node failed: web1 (report cccccccccccc)
Wave 'canary', 1 node failed as before the rollout: old
Wave 'canary', 1 node sent no report: web3
Steps:
  2026-11-23T09:00:00Z  begin
`)
  })

  it.each<[string, Partial<RolloutStatus>, string]>([
    [
      'the approval',
      { rollout: rollout({ waiting: 'approval' }) },
      "Wave 'rest' waits for approval: plumb rollout approve",
    ],
    ['a window', { rollout: rollout({ waiting: 'window' }) }, "Wave 'rest' waits for a time window"],
    [
      'a freeze',
      { rollout: rollout({ waiting: 'frozen' }) },
      "Wave 'rest' waits: the environment is frozen (plumb code",
    ],
    ['a queued push', { queued: 'd'.repeat(40) }, `The next rollout is queued: ${'d'.repeat(40)}`],
    [
      'the reason of a halt',
      { rollout: rollout({ phase: 'halted', reason: '2 of 3 nodes failed', ended: at + 5000, waiting: undefined }) },
      `is halted: 2 of 3 nodes failed\n  From ${from}, begun 2026-11-23T09:00:00Z, ended 2026-11-23T09:00:05Z`,
    ],
    [
      'checks',
      {
        rollout: rollout({
          checks: [
            { check: 'errors is not above 5', ok: false, value: 7.5 },
            { check: 'http://a returns 200', ok: undefined, problem: 'Connection refused' },
            { check: 'http://b returns 200', ok: true, status: 200 },
          ],
        }),
      },
      `Check errors is not above 5: failed, value 7.5
Check http://a returns 200: no result, Connection refused
Check http://b returns 200: ok, status 200`,
    ],
    [
      'a step of a person',
      { rollout: rollout({ steps: [{ at, action: 'pause', by: 'anna', reason: 'see ticket\u001b[2J' }] }) },
      '2026-11-23T09:00:00Z  pause by anna: see ticket\\x1b[2J\n',
    ],
    [
      'earlier rollouts',
      { history: [{ number: 2, from, to, phase: 'halted', begun: at, ended: at, reason: 'bad' }] },
      'Earlier rollouts:\n  2026-11-23T09:00:00Z  2  bbbbbbbbbbbb  halted: bad\n',
    ],
    ['no rollout', { rollout: undefined }, `production: no rollout; all nodes receive ${from}`],
  ])('has %s', (_, given, expected) => {
    expect(show(status(given))).toContain(expected)
  })

  it('names at most twenty nodes', () => {
    const failed = Array.from({ length: 25 }, (_, index) => `n${index}`)
    const waves = [wave('canary', { state: 'started', started: at, nodes: 25, failed })]
    expect(show(status({ rollout: rollout({ waves }) }))).toContain('25 nodes failed: n0, n1, ')
    expect(show(status({ rollout: rollout({ waves }) }))).toContain('n19 and 5 more\n')
  })

  it('is a line in a list', () => {
    const all = [status(), status({ environment: 'staging', rollout: undefined })]
    expect(
      collect((io) => printRolloutTable(all, { ...io, err: () => {}, color: false, stdin: process.stdin })),
    ).toBe(`environment  rollout  state    commit        wave        reported  failed
production   3        running  bbbbbbbbbbbb  1/2 canary  2/13      1
staging                        aaaaaaaaaaaa
`)
  })
})

describe('the exit status', () => {
  it.each<[RolloutPhase, number]>([
    ['preparing', 0],
    ['running', 0],
    ['paused', 0],
    ['complete', 0],
    ['halted', 1],
    ['aborted', 1],
    ['superseded', 2],
  ])('of %s is %i', (phase, expected) => {
    expect(getPhaseStatus(phase)).toBe(expected)
  })
})

describe('a watched rollout', () => {
  function watch(states: readonly RolloutStatus[], isJson = false) {
    let exit: number | undefined
    const text = collect((io) => {
      const watcher = new RolloutWatcher(states[0]!, isJson, io)
      for (const each of states) exit = watcher.take(each)
    })
    return { text, exit }
  }
  const steps = [
    { at, action: 'begin' },
    { at: at + 1000, action: 'start', wave: 'canary' },
  ] as const
  const reported = [
    wave('canary', { state: 'started', started: at, waitSeconds: undefined, nodes: 3, reported: 3 }),
    wave('rest', { approve: true }),
  ]

  it('is printed where it changes', () => {
    const { text, exit } = watch([
      status({ rollout: rollout({ phase: 'preparing', waves: [], waiting: undefined }) }),
      status({ rollout: rollout({ steps }) }),
      status({ rollout: rollout({ steps }) }),
      status({ rollout: rollout({ steps, waves: reported, waiting: 'approval' }) }),
      status({ rollout: rollout({ steps, waves: reported, phase: 'complete', ended: at, waiting: undefined }) }),
    ])
    expect(text).toBe(`2026-11-23T09:00:00Z  begin
2026-11-23T09:00:01Z  start wave 'canary'
  Wave 'canary': 2 of 3 nodes reported, 1 failed. Wave 'canary' is observed until 2026-11-23T09:10:01Z; 1 node sent no report yet
  Wave 'canary': 3 of 3 nodes reported, 0 failed. Wave 'rest' waits for approval: plumb rollout approve production
production: rollout 3 of ${to} is complete
`)
    expect(exit).toBe(0)
  })

  it.each<[string, Partial<RolloutStatus>, string, number]>([
    [
      'halted',
      { rollout: rollout({ phase: 'halted', reason: 'bad', ended: at }) },
      `production: rollout 3 of ${to} is halted: bad\n`,
      1,
    ],
    [
      'replaced',
      {
        rollout: rollout({ number: 4 }),
        history: [{ number: 3, from, to, phase: 'superseded', begun: at, ended: at }],
      },
      'production: rollout 3 was superseded\n',
      2,
    ],
  ])('that is %s ends', (_, given, line, expected) => {
    const { text, exit } = watch([status(), status(given)])
    expect(text.endsWith(line)).toBe(true)
    expect(exit).toBe(expected)
  })

  it('is one line of JSON after each change', () => {
    const { text } = watch([status(), status(), status({ queued: to })], true)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as RolloutStatus).queued),
    ).toEqual([undefined, to])
  })
})
