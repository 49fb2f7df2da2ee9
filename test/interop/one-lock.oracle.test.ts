import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const inProgress = 'Run of Puppet configuration client already in progress; skipping'

describe.skipIf(!hasPuppet)(`the locks of a node with two agents${withoutPuppet}`, () => {
  const folder = scratchFolder('one-lock')
  const begun = join(folder, 'begun')
  const gate = join(folder, 'gate')
  const runLock = join(folder, 'agent_catalog_run.lock')
  const disabledLock = join(folder, 'agent_disabled.lock')
  let repository: ControlRepository
  let server: RunningServer

  beforeAll(async () => {
    const wait = `touch ${begun}; while [ ! -e ${gate} ]; do sleep 0.1; done; rm ${begun} ${gate}`
    repository = controlRepository({ 'manifests/site.pp': `exec { '${wait}': provider => shell, timeout => 100 }\n` })
    server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  })
  afterAll(async () => {
    await server?.stop()
  })

  const words = (kind: string) => {
    mkdirSync(join(folder, kind), { recursive: true })
    const places = ['confdir', 'vardir', 'ssldir', 'rundir', 'logdir', 'publicdir'].flatMap((name) => [
      `--${name}`,
      join(folder, kind, name),
    ])
    const locks = ['--agent_catalog_run_lockfile', runLock, '--agent_disabled_lockfile', disabledLock]
    const who = ['--certname', `${kind}.example.test`, '--server', 'localhost', '--serverport', String(server.port)]
    return ['agent', ...places, ...locks, ...who, '--keylength', '2048', '--color', 'false']
  }
  const agents = {
    puppet: (...more: string[]) =>
      execa('puppet', [...words('puppet'), ...noModules, ...more], { reject: false, all: true }),
    plumb: (...more: string[]) =>
      execa(process.execPath, [plumbMain, ...words('plumb'), ...more], { reject: false, all: true }),
  }

  it.each([
    ['puppet', 'plumb'],
    ['plumb', 'puppet'],
  ] as const)('a run of %s is not disturbed by one of %s', async (holder, other) => {
    const run = agents[holder]('--test')
    await expect.poll(() => existsSync(begun)).toBe(true)
    const held = readFileSync(runLock, 'utf8')
    const { all, exitCode } = await agents[other]('--test')
    expect(all).toContain(inProgress)
    expect(exitCode).toBe(1)
    expect(readFileSync(runLock, 'utf8')).toBe(held)
    expect(held).toBe(String(run.pid))
    await execa('touch', [gate])
    expect((await run).exitCode).toBe(2)
    expect(existsSync(runLock)).toBe(false)
  })

  it.each([
    ['puppet', 'plumb'],
    ['plumb', 'puppet'],
  ] as const)('what %s disables, %s leaves alone, and enables', async (one, other) => {
    await agents[one]('--disable', 'for lunch')
    await agents[other]('--disable', 'for dinner')
    expect(JSON.parse(readFileSync(disabledLock, 'utf8'))).toEqual({ disabled_message: 'for lunch' })
    expect((await agents[other]('--test')).all).toContain("administratively disabled (Reason: 'for lunch')")
    await agents[other]('--enable')
    expect(existsSync(disabledLock)).toBe(false)
  })

  it('says the same of a lock without a reason', async () => {
    await execa('touch', [disabledLock])
    for (const name of ['puppet', 'plumb'] as const) {
      expect((await agents[name]('--test')).all).toContain("administratively disabled (Reason: '')")
    }
    await plumb([...words('plumb'), '--enable'])
  })
})
