import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mapConcurrently } from '../../../src/base/threads/concurrent-map.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { eventually } from '../../support/eventually.js'
import { openNodeClient } from '../../support/node-client.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { SimulatedFleet } from './simulated-fleet.ts'

const simulated = Array.from({ length: 200 }, (_, at) => `s${String(at).padStart(3, '0')}.test`)
const real = [
  'ours0.test',
  'ours1.test',
  'ours2.test',
  'ours3.test',
  'real0.test',
  'real1.test',
  'real2.test',
  'real3.test',
]
const canary = [...simulated.slice(0, 20), 'ours0.test', 'real0.test'].sort()
const all = [...simulated, ...real]
const others = all.filter((name) => !canary.includes(name))
const plan = `
waves:
  - { name: canary, nodes: { certnames: ['s00*', 's01*', ours0.test, real0.test] } }
  - { name: half, nodes: { percent: 50 } }
  - { name: rest }
halt: { failed: 5% }
`
/** A file on real nodes; simulated ones have no path for it. */
const site = (text: string, more = '') =>
  `if $facts['motd_path'] { file { $facts['motd_path']: content => '${text}' } } else { notify { '${text}': } } ${more}`

/** One of ten nodes. */
const isUnlucky = (certname: string) => /0\.test$/.test(certname)

describe.skipIf(!hasPuppet)(`200 simulated nodes, four of ours and four of real Puppet 7.23${withoutPuppet}`, () => {
  const folder = scratchFolder('rollout-agents')
  const homes = scratchFolder('rollout-homes')
  let repository: ControlRepository
  let server: RunningServer
  let fleet: SimulatedFleet
  let first: string
  let second: string

  beforeAll(async () => {
    repository = controlRepository({ 'manifests/site.pp': site('first'), 'rollout.yaml': plan })
    first = repository.git('rev-parse', 'HEAD')
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--key_type', 'ec']
    for (const words of [
      ['setup', '--certname', 'localhost'],
      ['generate', '--certname', simulated.join(',')],
    ])
      expect((await plumb(['ca', ...words, ...places])).exitCode).toBe(0)
    server = await startServer({
      repository: repository.bare,
      folder,
      // Beside other suites, the background threads that predict the impact may have hardly any processor time.
      settings: { store: 'sqlite', key_type: 'ec', autosign: 'true', gate_budget: '30s' },
    })
    fleet = new SimulatedFleet(simulated, async (certname, { method, path, body, type }) => {
      const { once, close } = openNodeClient(server.confdir, certname, server.port)
      try {
        return await once(method, path, body, type)
      } finally {
        close()
      }
    })
    await run(all)
    expect(fleet.receiversOf(first)).toHaveLength(200)
    expect(real.map(contentOf)).toEqual(real.map(() => 'first'))
  }, 300_000)
  afterAll(() => server?.stop())

  const motdOf = (certname: string) => join(homes, certname, 'motd')
  const contentOf = (certname: string) => (existsSync(motdOf(certname)) ? readFileSync(motdOf(certname), 'utf8') : '')

  async function runReal(certname: string): Promise<void> {
    const home = join(homes, certname)
    const isOurs = certname.startsWith('ours')
    const names = ['confdir', 'vardir', 'rundir', ...(isOurs ? [] : ['ssldir', 'codedir', 'logdir', 'publicdir'])]
    const places = names.flatMap((name) => [`--${name}`, join(home, name)])
    const who = ['--server', 'localhost', '--serverport', String(server.port), '--certname', certname]
    const words = ['agent', '--onetime', '--no-daemonize', '--no-splay', '--no-usecacheonfailure', ...places, ...who]
    const env = { FACTER_motd_path: motdOf(certname) }
    const keys = isOurs ? ['--key_type', 'ec'] : ['--keylength', '2048']
    const run = isOurs ? [process.execPath, plumbMain, ...words] : ['puppet', ...words, ...noModules]
    await execa(run[0]!, [...run.slice(1), ...keys], { reject: false, env })
  }

  /** Runs nodes once; the simulated ones in groups of twenty. */
  async function run(names: readonly string[], decide?: Parameters<SimulatedFleet['run']>[1]): Promise<void> {
    const [ofFleet, ofAgents] = [
      names.filter((name) => name.startsWith('s')),
      names.filter((name) => real.includes(name)),
    ]
    const runFleet = async () => {
      for (let at = 0; at < ofFleet.length; at += 20) await fleet.run(ofFleet.slice(at, at + 20), decide)
    }
    await Promise.all([runFleet(), mapConcurrently(ofAgents, 2, runReal)])
  }

  interface Shown {
    readonly phase: string
    readonly reason?: string
    readonly to: string
    readonly started: number
    readonly stderr: string
  }

  async function show(): Promise<Shown> {
    const { stdout, stderr } = await plumb(['rollout', 'show', 'production', '--render-as', 'json', ...server.places])
    // Before the first rollout, the command fails.
    const { rollout } = JSON.parse(String(stdout) || '{}')
    const started = rollout?.waves.filter(({ state }: { state: string }) => state !== 'waiting').length ?? 0
    return { phase: rollout?.phase, reason: rollout?.reason, to: rollout?.to, started, stderr: String(stderr) }
  }

  /** The nodes to which the server sent a catalog of a commit, according to its audit log. */
  async function receiversOf(commit: string): Promise<readonly string[]> {
    const { stdout } = await plumb(['audit', 'log', '--kind', 'catalog', '--render-as', 'json', ...server.places])
    const records = String(stdout)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return [...new Set(records.filter(({ code_id }) => code_id === commit).map(({ node }) => node as string))].sort()
  }

  it('receive a good push in waves', { timeout: 600_000 }, async () => {
    second = repository.push({ 'manifests/site.pp': site('second') })
    await eventually(show, ({ started }) => started === 1)
    // The nodes of the canary wave report last, so that no other wave starts before.
    await run(others)
    expect(await receiversOf(second)).toEqual([])
    await run(canary)
    expect(await receiversOf(second)).toEqual(canary)
    await eventually(show, ({ started }) => started === 2)
    await run(others)
    await eventually(show, ({ started }) => started === 3)
    await run(others)
    await eventually(show, ({ phase }) => phase === 'complete')
    await run(all)
    expect(await receiversOf(second)).toHaveLength(208)
    expect(real.map(contentOf)).toEqual(real.map(() => 'second'))
  })

  it('of the canary wave receive a push that fails on one node in ten, which is then taken back', {
    timeout: 600_000,
  }, async () => {
    const failing = "if $trusted['certname'] =~ /0[.]test$/ { exec { 'broken': command => '/bin/false' } }"
    const third = repository.push({ 'manifests/site.pp': site('third', failing) })
    await eventually(show, ({ started }) => started === 1)
    await run(others)
    await run(canary, (codeId, certname) => (codeId === third && isUnlucky(certname) ? 'failed' : 'changed'))
    const { reason } = await eventually(show, ({ phase }) => phase === 'halted')
    // The last of the four may have reported after the halt.
    expect(reason).toMatch(
      /^[234] of 22 nodes \((?:(?:ours0|real0|s000|s010)\.test(?:, )?)+\) of wave 'canary' failed$/,
    )
    await run(all)
    // The rollout may be halted before the last node of the canary wave has requested its catalog.
    const received = await receiversOf(third)
    expect(received.length).toBeGreaterThan(1)
    expect(received.filter((name) => !canary.includes(name))).toEqual([])
    expect(real.map(contentOf)).toEqual(real.map(() => 'second'))
    const runs = fleet.runs.slice(-simulated.length)
    expect(new Set(runs.map(({ codeId }) => codeId))).toEqual(new Set([second]))
  })
})
