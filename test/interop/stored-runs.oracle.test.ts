import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { askServer, plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const secret = 'Quod-erat-in-silva'

describe('runs of agents, in the store of their server', () => {
  const home = scratchFolder('stored-agents')
  const target = scratchFolder('stored-target')
  let repository: ControlRepository
  let server: RunningServer

  beforeAll(async () => {
    repository = controlRepository({
      'manifests/site.pp': `
node default {
  file { "${target}/\${trusted['certname']}": ensure => file, content => "yes\n" }
  notify { 'quiet': message => Sensitive('${secret}'), withpath => false }
  @@file { "${target}/of-\${trusted['certname']}": ensure => file, content => "\${facts['kernel']}\n", tag => 'shared' }
  File <<| tag == 'shared' |>>
}
`,
    })
    const auth_conf = join(home, 'auth.conf')
    writeFileSync(
      auth_conf,
      `authorization: { version: 1, rules: [
        { name: "pdb", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["localhost"] },
        { name: "all", sort-order: 2, match-request: { path: "/", type: path }, allow-unauthenticated: true } ] }`,
    )
    const settings = { store: 'sqlite', storeconfigs: 'true', autosign: 'true', auth_conf }
    server = await startServer({ repository: repository.bare, settings })
  })
  afterAll(async () => {
    await server?.stop()
  })

  async function rows(query: string): Promise<Record<string, unknown>[]> {
    const { status, text } = await askServer(server, `/pdb/query/v4?query=${encodeURIComponent(query)}`)
    expect(status, text).toBe(200)
    expect(text).not.toContain(secret)
    return JSON.parse(text) as Record<string, unknown>[]
  }

  /** What a run of the node has left in the store. */
  async function expectRun(certname: string): Promise<void> {
    const of = `certname = "${certname}"`
    await expect.poll(async () => (await rows(`reports { ${of} }`)).length).toBe(1)
    const [fact] = await rows(`facts[value]{ name = "kernel" and ${of} }`)
    expect(fact).toEqual({ value: 'Linux' })
    const [catalog] = await rows(`catalogs[code_id, transaction_uuid, catalog_uuid]{ ${of} }`)
    const [report] = await rows(`reports[code_id, transaction_uuid, catalog_uuid, status]{ ${of} }`)
    expect(catalog!['code_id']).toMatch(/^[0-9a-f]{40}$/)
    expect(report).toEqual({ ...catalog, status: 'changed' })
    const events = await rows(`events[status, property, new_value]{ resource_title = "${target}/${certname}" }`)
    expect(events).toEqual([{ status: 'success', property: 'ensure', new_value: expect.stringMatching(/file|sha256/) }])
    const [quiet] = await rows(`resources[parameters]{ title = "quiet" and ${of} }`)
    expect(quiet).toEqual({ parameters: { withpath: false } })
  }

  const where = (certname: string, names: readonly string[]) => [
    ...['--server', 'localhost', '--serverport', String(server.port), '--certname', certname],
    ...names.flatMap((name) => [`--${name}`, join(home, certname, name)]),
  ]
  const once = ['--onetime', '--no-daemonize', '--no-splay', '--waitforcert', '1', '--detailed-exitcodes']

  it.skipIf(!hasPuppet)(`are there of a real agent${withoutPuppet}`, async () => {
    const names = ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir']
    const words = ['agent', ...once, '--keylength', '2048', '--color', 'false', ...where('real.test', names)]
    const { all, exitCode } = await execa('puppet', words, { reject: false, all: true })
    expect(exitCode, all).toBe(2)
    await expectRun('real.test')
  })

  it('are there of ours, and a node collects what another exports', async () => {
    const words = ['agent', ...once, ...where('ours.test', ['confdir', 'vardir'])]
    const { stdout, stderr, exitCode } = await plumb(words)
    expect(exitCode, `${stdout}${stderr}`).toBe(2)
    await expectRun('ours.test')
    const collected = await rows(`resources[title]{ certname = "ours.test" and title ~ "/of-" order by title }`)
    const both = ['ours.test', ...(hasPuppet ? ['real.test'] : [])]
    expect(collected.map(({ title }) => title)).toEqual(both.map((name) => `${target}/of-${name}`))
  })
})
