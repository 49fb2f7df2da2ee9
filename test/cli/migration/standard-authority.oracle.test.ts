import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { runPuppetServer, startPuppetServer } from '../../../bench/server/puppet-server.js'
import { without } from '../../support/needs.ts'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
import { noModules } from '../../support/real-puppet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const notNow = without('Puppet Server 7.9.5', 'real Puppet 7.23')

const names = ['one', 'two', 'three'].map((name) => `${name}.example.test`)
const [one = '', two = '', three = ''] = names
const late = 'late.example.test'
const plumbNode = 'plumb.example.test'

/** The environment as Puppet's packages create it. */
const environment = {
  'environment.conf': '# modulepath = ./modules:$basemodulepath\n',
  'hiera.yaml':
    '---\nversion: 5\ndefaults:\n  # datadir: data\nhierarchy:\n  - name: "Per-node data (yaml version)"\n    path: "nodes/%{::trusted.certname}.yaml"\n  - name: "Other YAML hierarchy levels"\n    paths:\n      - "common.yaml"\n',
  'data/common.yaml': '--- {}\n',
}

describe.skipIf(notNow)(`the CA of puppetserver ca setup, its agents, and a migration${notNow}`, () => {
  const folder = scratchFolder('standard-authority')
  const home = join(folder, 'puppetserver')
  const code = join(folder, 'code')
  const ours = join(folder, 'ours')
  const port = freePort()
  let theirs: Awaited<ReturnType<typeof startPuppetServer>> | undefined
  let server: RunningServer | undefined

  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const manifest = (text: string) =>
    `file { "${folder}/\${trusted['certname']}.txt": content => '${text}' }\nif $never_set { notice('set') }\n`

  beforeAll(async () => {
    for (const [name, text] of Object.entries(environment)) put(`code/environments/production/${name}`, text)
    put('code/environments/production/manifests/site.pp', manifest('theirs'))
    put('ours/etc/puppet.conf', '# as it was\n')
    theirs = await startPuppetServer(folder, {
      ...{ codedir: code, port: await port, instances: 1, deployer: 'nobody.test', flush: () => undefined },
      settings: { strict: null, strict_variables: null },
      configured: () =>
        execFileSync('puppetserver', ['ca', 'setup', '--config', join(home, 'etc/puppet.conf')], { stdio: 'pipe' }),
    })
  }, 1_200_000)
  afterAll(async () => {
    await theirs?.stop()
    await server?.stop()
  })

  const placesOf = (certname: string) =>
    ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir'].flatMap((name) => [
      `--${name}`,
      join(folder, certname, name),
    ])
  const agentWords = async (certname: string) => [
    ...['agent', '--test', '--color', 'false', '--keylength', '2048', '--waitforcert', '0', ...placesOf(certname)],
    ...['--certname', certname, '--server', 'localhost', '--serverport', String(await port)],
  ]

  /** A run of a real agent, or of ours; the exit status and all it printed. */
  async function agent(certname: string, ...more: string[]) {
    const words = [...(await agentWords(certname)), ...more]
    if (certname !== plumbNode) {
      const { exitCode, all } = await execa('puppet', [...words, ...noModules], { reject: false, all: true })
      return { status: exitCode, said: String(all) }
    }
    const { exitCode, stdout, stderr } = await plumb(words)
    return { status: exitCode, said: `${stdout}\n${stderr}` }
  }
  async function expectRun(certname: string, status: number, content: string): Promise<void> {
    const run = await agent(certname)
    expect(run.status, run.said).toBe(status)
    expect(readFileSync(join(folder, `${certname}.txt`), 'utf8')).toBe(content)
  }

  const migrate = (...words: string[]) =>
    runHere([
      ...['migrate', 'puppetserver', '--confdir', join(ours, 'etc'), '--vardir', join(ours, 'var')],
      ...['--conf-d', join(home, 'conf.d'), '--r10k', 'none', ...words],
    ])
  const certificate = (certname: string) => readFileSync(join(folder, certname, `ssldir/certs/${certname}.pem`), 'utf8')
  const ca = async (...words: string[]) => {
    const answer = await plumb(['ca', ...words, ...server!.places])
    expect(answer.exitCode, String(answer.stderr)).toBe(0)
  }

  it('has two levels, and no folder of requests', () => {
    const blocks = (name: string) => readFileSync(join(home, 'etc/ca', name), 'utf8').split('-----BEGIN ').length - 1
    expect([blocks('ca_crt.pem'), blocks('ca_crl.pem')]).toEqual([2, 2])
  })

  it('enrolls three real agents, and ours beside them', async () => {
    for (const name of [...names, plumbNode]) await expectRun(name, 2, 'theirs')
  }, 600_000)

  it('is refused while it runs', async () => {
    const { status, err } = await migrate('--apply')
    expect([status, readdirSync(ours, { recursive: true })]).toEqual([1, ['etc', 'etc/puppet.conf']])
    expect(err).toContain(`A Puppet Server is running with these directories: process ${theirs?.pid}`)
  })

  let before: readonly (readonly string[])[]

  it('is migrated, and every agent goes on with its certificate', async () => {
    await theirs?.stop()
    theirs = undefined
    before = [home, code, ours].map(stateOf)
    const own = names.map(certificate)
    const preview = await migrate()
    expect(preview).toMatchObject({ status: 0, err: '' })
    expect(preview.out).toContain('Environment production: compiles for 4 of 4 nodes')
    expect([home, code, ours].map(stateOf)).toEqual(before)
    const applied = await migrate('--apply')
    expect(applied).toMatchObject({ status: 0, err: '' })
    expect(applied.out).toContain('Environment production: compiles for 4 of 4 nodes')
    expect([home, code].map(stateOf)).toEqual(before.slice(0, 2))

    const repository = join(ours, 'var/code.git')
    server = await startServer({ repository, folder: ours, settings: { serverport: String(await port) } })
    for (const name of [...names, plumbNode]) await expectRun(name, 0, 'theirs')
    push(repository, manifest('ours'))
    await runHere(['code', 'deploy', ...server.places])
    for (const name of [...names, plumbNode]) await expectRun(name, 2, 'ours')
    expect(names.map(certificate)).toEqual(own)
    // The server shows the certificate that the Puppet Server had.
    const shown = (at: string) => readFileSync(join(at, 'etc/ssl/certs/localhost.pem'), 'utf8')
    expect(shown(ours)).toBe(shown(home))
    const doctor = await plumb(['doctor', '--render-as', 'json', ...server.places])
    const findings = JSON.parse(String(doctor.stdout)).findings as { severity: string }[]
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  }, 900_000)

  it('signs a new certificate, and revokes one of before', async () => {
    await expectRun(late, 2, 'ours')
    await ca('revoke', '--certname', two)
    const refused = await agent(two)
    expect(refused.status, refused.said).not.toBe(0)
    expect(refused.said).toMatch(/revoked/)
    for (const name of [one, late, plumbNode]) await expectRun(name, 0, 'ours')
    // An agent whose files are lost gets another certificate of its name.
    await ca('clean', '--certname', three)
    const old = certificate(three)
    execFileSync('rm', ['-rf', join(folder, three, 'ssldir')])
    await expectRun(three, 0, 'ours')
    expect(certificate(three)).not.toBe(old)
  }, 900_000)

  it('is put back, and the Puppet Server goes on', async () => {
    await server?.stop()
    server = undefined
    const undone = await migrate('--undo')
    expect(undone.status, undone.err).toBe(0)
    expect(readFileSync(join(ours, 'etc/puppet.conf'), 'utf8')).toBe('# as it was\n')
    expect(existsSync(join(ours, 'etc/ca'))).toBe(false)
    expect(existsSync(join(ours, 'etc/ca.undone/signed', `${late}.pem`))).toBe(true)
    expect([home, code].map(stateOf)).toEqual(before.slice(0, 2))
    theirs = await runPuppetServer(home, { flush: () => undefined, port: await port })
    for (const name of [one, two, plumbNode]) await expectRun(name, 2, 'theirs')
  }, 1_200_000)
})
function push(repository: string, text: string): void {
  const git = (words: readonly string[], input = '') =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '--git-dir', repository, ...words], {
      input,
      encoding: 'utf8',
    }).trim()
  const blob = git(['hash-object', '-w', '--stdin'], text)
  const folder = git(['mktree'], `100644 blob ${blob}\tsite.pp\n`)
  const tree = git(['mktree'], `040000 tree ${folder}\tmanifests\n`)
  git(['update-ref', 'refs/heads/production', git(['commit-tree', tree, '-p', 'production', '-m', 'ours'])])
}

/** All that is to be seen of a folder. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = lstatSync(join(folder, name))
      const digest = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : ''
      return `${name} ${stat.mode.toString(8)} ${stat.uid}:${stat.gid} ${stat.mtimeMs} ${digest}`
    })
}
