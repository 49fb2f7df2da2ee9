import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NodeCertificates, nodeNames, rolloutWhen, SimulatedFleet } from '../../server/rollouts/simulated-fleet.ts'
import { type Serving, serve } from '../../server/serving.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type Answer, runHere } from '../../support/run-here.ts'

const plan = `
waves:
  - { name: canary, nodes: { certnames: ['n000*', 'n001*'] } }
  - { name: rest, approve: true }
`
let repository: ControlRepository
let serving: Serving
let fleet: SimulatedFleet
let commits = 0

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': `notify { 'first': }`, 'rollout.yaml': plan })
  serving = await serve({ code_repo: repository.bare, store: 'sqlite' })
  fleet = new SimulatedFleet(nodeNames(4), new NodeCertificates(() => serving).nodeCall)
  await fleet.run()
})
afterAll(() => serving?.stop())

const rollout = (...words: readonly string[]): Promise<Answer> => {
  const { confdir, vardir, rundir } = serving.settings
  return runHere(['rollout', ...words, '--confdir', confdir, '--vardir', vardir, '--rundir', rundir])
}
async function push(): Promise<string> {
  const commit = repository.push({ 'manifests/site.pp': `notify { 'change ${++commits}': }` })
  await serving.server.reload()
  await rolloutWhen(serving, ({ started }) => started === 1)
  return commit
}
/** Hints and errors, each on a line. */
const errors = ({ status, err }: Answer) => [status, err.trimEnd()]

describe('plumb rollout', () => {
  it('says that there is no rollout', async () => {
    expect(errors(await rollout('list'))).toEqual([2, expect.stringContaining('No environment has a rollout')])
    expect(errors(await rollout('show'))).toEqual([1, expect.stringContaining('No environment has a rollout')])
    expect(errors(await rollout('show', 'production'))).toEqual([
      1,
      expect.stringContaining("Environment 'production' has no rollout"),
    ])
  })

  it('prints, approves and watches', async () => {
    const commit = await push()
    expect((await rollout('list')).out).toMatch(/^production {3}1 {8}running {2}\w{12} {2}1\/2 canary {2}0\/4/m)
    expect(JSON.parse((await rollout('list', '--render-as', 'json')).out)).toMatchObject([
      { environment: 'production', rollout: { to: commit, phase: 'running' } },
    ])
    expect(errors(await rollout('show', 'prodution'))).toEqual([
      1,
      expect.stringContaining("Did you mean 'production'?"),
    ])
    expect(errors(await rollout('aprove'))).toEqual([1, expect.stringContaining('approve')])
    const approved = await rollout('approve', 'production', '--message', 'fine')
    expect([approved.status, approved.out]).toEqual([0, expect.stringContaining(`rollout 1 of ${commit} is running`)])
    const again = await rollout('approve')
    expect(errors(again)).toEqual([
      1,
      expect.stringContaining("The server rejected the request: No wave of the rollout of 'production' waits"),
    ])
    expect(again.err).toContain("A wave with 'approve: true' can be approved")
    const watched = rollout('watch', '--interval', '0.1')
    await fleet.run()
    await rolloutWhen(serving, ({ started }) => started === 2)
    await fleet.run()
    const { status, out } = await watched
    expect([status, out]).toEqual([0, expect.stringContaining(`rollout 1 of ${commit} is complete`)])
    expect(out).toMatch(/Z {2}approve wave 'rest' by \S+: fine\n/)
    expect((await rollout('show')).status).toBe(0)
  })

  it('pauses, resumes and aborts', async () => {
    const commit = await push()
    expect((await rollout('pause', 'production')).out).toContain(`rollout 2 of ${commit} is paused`)
    expect(errors(await rollout('pause'))).toEqual([1, expect.stringContaining('it is paused')])
    expect((await rollout('resume', '--render-as', 'json')).out).toContain('"phase": "running"')
    const watched = rollout('watch', 'production', '--interval', '0.1')
    expect((await rollout('abort', '--message', 'not now')).out).toContain(`rollout 2 of ${commit} is aborted: not now`)
    expect((await watched).status).toBe(1)
    const shown = await rollout('show')
    expect([shown.status, shown.out]).toEqual([1, expect.stringContaining('rolled back')])
    expect((await rollout('promote')).out).toContain(`rollout 2 of ${commit} is complete`)
  })

  it('ends a watch with 2 if a later push replaces the rollout', async () => {
    await push()
    const watched = rollout('watch', '--interval', '0.1')
    await push()
    expect((await watched).status).toBe(2)
  })

  it('names wrong values', async () => {
    expect(errors(await rollout('watch', '--interval', '0'))).toEqual([
      1,
      expect.stringContaining("Invalid number of seconds '0' for --interval"),
    ])
    expect(errors(await rollout('abort', '--message', 'x'.repeat(501)))).toEqual([
      1,
      expect.stringContaining('reason must be at most 500 characters long'),
    ])
  })

  it('records each step in the audit log', async () => {
    const { confdir, vardir } = serving.settings
    const { out } = await runHere(['audit', 'log', '--kind', 'rollout', '--confdir', confdir, '--vardir', vardir])
    expect(out).toMatch(/action=abort.* reason=not now/)
  })

  it('says that no server is running', async () => {
    expect(errors(await runHere(['rollout', 'list', '--rundir', '/nowhere']))).toEqual([
      1,
      expect.stringContaining('No server is running'),
    ])
  })
})

it('says that a server without a store has no rollouts', async () => {
  const bare = await serve({ code_repo: repository.bare })
  try {
    const answer = await runHere(['rollout', 'list', '--rundir', bare.settings.rundir])
    expect(errors(answer)).toEqual([1, expect.stringContaining('The running server has no rollouts')])
  } finally {
    await bare.stop()
  }
})
