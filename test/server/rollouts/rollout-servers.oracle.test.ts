import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EnvironmentRollout, parseRolloutState } from '../../../src/deploy/rollout/rollout-state.ts'
import { eventually } from '../../support/eventually.js'
import { without } from '../../support/needs.ts'
import { openNodeClient } from '../../support/node-client.ts'
import { openServerGroup, type ServerGroup } from '../server-group.ts'
import { nodeNames, SimulatedFleet } from './simulated-fleet.ts'

const lacks = without('PostgreSQL')
const names = nodeNames(16)
const canary = names.slice(0, 4)
const plan = (approve: boolean) => `
waves:
  - { name: canary, nodes: { certnames: ['n000*', 'n001*', 'n002*', 'n003*'] } }
  - { name: half, nodes: { percent: 50 }, approve: ${approve} }
  - { name: rest }
halt: { failed: 5% }
`
/** Debian's libfaketime, with which a process has another time. */
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

describe.skipIf(lacks !== '')(`a rollout on two servers whose clocks are ten minutes apart${lacks}`, () => {
  let group: ServerGroup
  let fleet: SimulatedFleet
  let commit: string

  beforeAll(async () => {
    group = await openServerGroup({
      ...{ name: 'rollout', count: 2, nodes: names },
      commit: (host) => {
        host.commit(
          'control',
          { 'manifests/site.pp': "notify { 'first': }", 'rollout.yaml': plan(false) },
          'production',
        )
      },
      settings: () => ({ compile_ahead_workers: '1' }),
      // The time that files have on the disk stays real.
      env: (index): Readonly<Record<string, string>> =>
        index === 1 && existsSync(fakeTime) ? { LD_PRELOAD: fakeTime, FAKETIME: '+10m', NO_FAKE_STAT: '1' } : {},
    })
    fleet = new SimulatedFleet(names, async (certname, { method, path, body, type }) => {
      const { once, close } = openNodeClient(group.authority, certname, group.balancer.port)
      try {
        return await once(method, path, body, type)
      } finally {
        close()
      }
    })
    await fleet.run()
  }, 300_000)
  afterAll(() => group?.close())

  const readState = (): EnvironmentRollout | undefined => {
    const text = group.postgres.psql('store', "select state from rollouts where environment = 'production'").trim()
    return text === '' ? undefined : parseRolloutState(text)
  }
  const stateWhen = (isReached: (state: EnvironmentRollout) => boolean) =>
    eventually(readState, (state) => state !== undefined && isReached(state))
  const startedWaves = (count: number) => (state: EnvironmentRollout) =>
    state.rollout?.to === commit && state.rollout.started.length === count
  const push = async (text: string, approve = false) => {
    group.host.commit(
      'control',
      { 'manifests/site.pp': `notify { '${text}': }`, 'rollout.yaml': plan(approve) },
      'production',
    )
    commit = group.host.git('control', 'rev-parse', 'production')
    await stateWhen(({ rollout }) => rollout?.to === commit)
  }
  const kill = async (...indexes: readonly number[]) => {
    for (const index of indexes) group.servers[index]!.process.kill('SIGKILL')
    await Promise.all(indexes.map((index) => group.servers[index]!.stop()))
  }
  /** Both servers serve the new commit or know that nodes must not receive it; all nodes run twice, at either server. */
  const runTwice = async (decide?: Parameters<SimulatedFleet['run']>[1]) => {
    await fleet.run(names, decide)
    return fleet.run(names, decide)
  }

  it('goes on when each of them, or both, are killed, and when PostgreSQL restarts', { timeout: 500_000 }, async () => {
    await push('second')
    await kill(0)
    await group.start(0)
    await stateWhen(startedWaves(1))
    await kill(1)
    await group.start(1)
    // Without reports, the next wave does not start.
    await eventually(async () => {
      await fleet.run(names, () => 'silent')
      return canary.every((name) => fleet.receiversOf(commit).includes(name))
    })
    expect(fleet.receiversOf(commit)).toEqual(canary)
    await fleet.run()
    await stateWhen(startedWaves(2))
    await kill(0, 1)
    await Promise.all([group.start(0), group.start(1)])
    await group.postgres.restart()
    await eventually(async () => (await runTwice()).every(({ status }) => status === 200))
    await stateWhen(({ rollout }) => (rollout?.started.length ?? 0) === 3)
    await eventually(async () => {
      await fleet.run()
      return readState()?.stable === commit
    })
    const runs = await runTwice()
    expect(new Set(runs.map(({ codeId }) => codeId))).toEqual(new Set([commit]))
  })

  it('is taken back by both, and a killed server does not give the commit again', { timeout: 500_000 }, async () => {
    const stable = readState()!.stable
    await push('third')
    await stateWhen(startedWaves(1))
    await eventually(async () => {
      await fleet.run(names, (codeId) => (codeId === commit ? 'failed' : 'unchanged'))
      return readState()?.rollout?.phase === 'halted'
    })
    expect(fleet.receiversOf(commit).filter((name) => !canary.includes(name))).toEqual([])
    // The other server reads the row once a second.
    await eventually(async () => (await runTwice()).every(({ codeId }) => codeId === stable))
    await kill(0, 1)
    await Promise.all([group.start(0), group.start(1)])
    expect(new Set((await runTwice()).map(({ codeId }) => codeId))).toEqual(new Set([stable]))
  })

  it('keeps its approvals and pauses through the end of both', { timeout: 500_000 }, async () => {
    const stable = readState()!.stable
    await push('fourth', true)
    await stateWhen(startedWaves(1))
    await runTwice()
    await kill(0, 1)
    await Promise.all([group.start(0), group.start(1)])
    const runs = await runTwice()
    expect(fleet.receiversOf(commit)).toEqual(canary)
    expect(runs.filter(({ codeId }) => codeId !== commit).every(({ codeId }) => codeId === stable)).toBe(true)
    expect(readState()!.rollout).toMatchObject({ phase: 'running', approved: [] })
  })

  it('measures its times with the clock of PostgreSQL', () => {
    const { rollout } = readState()!
    expect(Math.abs(rollout!.begun - Date.now())).toBeLessThan(300_000)
  })
})
