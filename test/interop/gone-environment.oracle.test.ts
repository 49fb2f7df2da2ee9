import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('gone-environment')
const classifier = join(folder, 'enc')
let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': 'notify { "in ${environment}": }\n',
    'modules/demo/lib/facter/one.rb': '# a fact\n',
  })
  writeFileSync(classifier, `#!/bin/sh\ncat ${join(folder, 'said')}\n`)
  chmodSync(classifier, 0o755)
  server = await startServer({
    repository: repository.bare,
    settings: { autosign: 'true', node_terminus: 'exec', external_nodes: classifier },
  })
})

afterAll(async () => {
  await server?.stop()
})

const classify = (yaml: string) => writeFileSync(join(folder, 'said'), `${yaml}\n`)

async function deploy(): Promise<void> {
  expect((await plumb(['code', 'deploy', ...server.places])).exitCode).toBe(0)
}

interface Agent {
  run(...words: string[]): Promise<{ readonly exitCode: number | undefined; readonly all: string }>
  /** What the summary of its last run says of environments. */
  lastEnvironments(): string
  /** Has the summary say that the last run ended in another environment. */
  endedIn(environment: string): void
}

function agentOf(name: string, program: readonly string[], places: readonly string[]): Agent {
  const own = ['--test', '--server', 'localhost', '--certname', name, '--keylength', '2048', '--color', 'false']
  const summary = join(folder, name, 'publicdir/last_run_summary.yaml')
  return {
    async run(...words) {
      const given = places.flatMap((place) => [`--${place}`, join(folder, name, place)])
      const [file = '', ...rest] = [...program, ...own, '--serverport', String(server.port), ...given, ...words]
      const { exitCode, all } = await execa(file, rest, { reject: false, all: true })
      return { exitCode, all: String(all) }
    },
    lastEnvironments: () =>
      /initial_environment[\s\S]*?converged_environment: \S+/.exec(readFileSync(summary, 'utf8'))![0],
    endedIn(environment) {
      const text = readFileSync(summary, 'utf8')
      writeFileSync(summary, text.replace(/converged_environment: \S+/, `converged_environment: ${environment}`))
    },
  }
}

const ours = agentOf('ours.test', [process.execPath, plumbMain, 'agent'], ['confdir', 'vardir', 'publicdir'])
const real = agentOf(
  'real.test',
  ['puppet', 'agent', ...noModules],
  ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir'],
)

describe.each([
  ['our agent', ours, true, ''],
  ['a real agent', real, hasPuppet, withoutPuppet],
] as const)('%s', (_, agent, isHere, leftOut) => {
  it.skipIf(!isHere)(`leaves an environment that was deleted${leftOut}`, async () => {
    repository.push({}, 'testing')
    await deploy()
    classify('environment: testing')
    expect((await agent.run()).all).toContain('in testing')
    expect(agent.lastEnvironments()).toMatch(/initial_environment: production\s+converged_environment: testing/)

    repository.git('push', '--quiet', 'origin', ':testing')
    await deploy()
    classify('environment: production')
    const { all } = await agent.run()
    expect(all).toContain("Environment 'testing' not found on server, skipping initial pluginsync.")
    expect(all).toContain('in production')
    expect(agent.lastEnvironments()).toMatch(/initial_environment: production\s+converged_environment: production/)
  })

  it.skipIf(!isHere)(`is not held by an environment that never was${leftOut}`, async () => {
    classify('environment: prodcution')
    const failed = await agent.run()
    expect(failed.all).toContain("Could not find a directory environment named 'prodcution' anywhere in the path")
    expect(failed.all).toContain('Could not retrieve catalog from remote server')
    classify('environment: production')
    expect((await agent.run()).all).toContain('in production')
  })

  it.skipIf(!isHere)(`comes back when its last run ended in an environment that never was${leftOut}`, async () => {
    agent.endedIn('prodcution')
    expect((await agent.run()).all).toContain('in production')
  })

  it.skipIf(!isHere)(`leaves it also where its classifier leaves that open${leftOut}`, async () => {
    classify('{}')
    agent.endedIn('gone')
    expect((await agent.run()).all).toContain('in production')
  })

  it.skipIf(!isHere)(`may not leave its environment in strict mode${leftOut}`, async () => {
    const { all } = await agent.run('--strict_environment_mode', '--environment', 'nope')
    expect(all).toContain("Environment 'nope' not found on server, aborting run.")
  })
})

describe('our agent', () => {
  it('says the hint of the server, once', async () => {
    classify('environment: prodcution')
    const { all } = await ours.run()
    expect(all.match(/ 500 on SERVER: .*\n {2}Did you mean 'production'\?/g)).toHaveLength(1)
  })
})
