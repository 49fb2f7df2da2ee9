import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { FileLock } from '../../../src/machine/system/file-lock.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const site = `
file { '/etc': ensure => directory }
file { '/etc/motd': content => "From \${environment}\\n" }
file { '/etc/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
file { '/etc/exact': content => "\${facts['exact']}\n" }
file { '/etc/secret': content => Sensitive('hidden') }
`

const folder = scratchFolder('agent')
const root = join(folder, 'root')
let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': site,
    'modules/demo/files/tree/a.txt': 'a\n',
    'modules/demo/files/tree/sub/b.txt': 'b\n',
    'modules/demo/lib/facter/one.rb': '# a fact\n',
    'modules/demo/facts.d/exact.json': '{"exact": {"10": 1.0, "9": 1152921504606846977, "1": [0.5, 2.0]}}\n',
    'modules/demo/facts.d/role.txt': 'role=web\n',
  })
  repository.push({}, 'staging')
  repository.push({}, 'production')
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
})

afterAll(async () => {
  await server?.stop()
})

async function agent(...words: string[]) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--agent_root', root]
  const who = ['--certname', 'node.example.test', '--keylength', '2048', '--server', 'localhost']
  const all = ['agent', '--test', ...places, ...who, '--serverport', String(server.port), ...words]
  const { exitCode, signal, stdout, stderr } = await execa(process.execPath, [plumbMain, ...all], { reject: false })
  if (signal !== undefined) throw new Error(`plumb agent ended by ${signal}:\n${stdout}\n${stderr}`)
  return { status: exitCode, out: stdout, err: stderr }
}

/** Pushes a manifest, and waits until it is served. */
async function deploy(manifest: string): Promise<void> {
  const commit = repository.push({ 'manifests/site.pp': manifest })
  const { stdout } = await plumb(['code', 'deploy', 'production', ...server.places])
  expect(stdout).toContain(commit)
}

const state = (name: string) => join(folder, 'var/state', name)

describe('plumb agent', () => {
  it('says under --noop what it would do, and does nothing', async () => {
    const { status, out } = await agent('--noop')
    expect(status).toBe(0)
    expect(out).toMatch(/File\[\/etc\/motd\]\/ensure: defined content as '\{sha256\}[0-9a-f]{64}' \(noop\)\n/)
    expect(out).not.toContain('Caching catalog')
    expect(existsSync(join(root, 'etc/motd'))).toBe(false)
  })

  it('applies its catalog below the root, with plug-ins and facts of modules', async () => {
    const { status, out, err } = await agent()
    expect(err).toBe('')
    expect(status).toBe(2)
    expect(readFileSync(join(root, 'etc/motd'), 'utf8')).toBe('From production\n')
    expect(readFileSync(join(root, 'etc/exact'), 'utf8')).toBe(
      '{10 => 1.0, 9 => 1152921504606846977, 1 => [0.5, 2.0]}\n',
    )
    expect(readFileSync(join(root, 'etc/tree/sub/b.txt'), 'utf8')).toBe('b\n')
    expect(readFileSync(join(folder, 'var/lib/facter/one.rb'), 'utf8')).toBe('# a fact\n')
    const modes = ['lib', 'public', 'state'].map((name) => statSync(join(folder, 'var', name)).mode & 0o777)
    expect(modes).toEqual([0o755, 0o755, 0o750])
    expect(out).toContain('File[/etc/secret]/ensure: changed [redacted] to [redacted]')
  })

  it('leaves a summary, a report and lists of names, and keeps secrets out of them', () => {
    const summary = parse(readFileSync(join(folder, 'var/public/last_run_summary.yaml'), 'utf8'))
    expect(summary.application).toMatchObject({ run_mode: 'agent', converged_environment: 'production' })
    expect(summary.events.failure).toBe(0)
    expect(statSync(join(folder, 'var/public/last_run_summary.yaml')).mode & 0o777).toBe(0o640)
    const report = readFileSync(state('last_run_report.yaml'), 'utf8')
    expect(parse(report)).toMatchObject({ status: 'changed', host: 'node.example.test', report_format: 12 })
    for (const file of ['last_run_report.yaml', 'transactionstore.yaml', 'state.yaml'])
      expect(readFileSync(state(file), 'utf8')).not.toContain('hidden')
    expect(readFileSync(state('classes.txt'), 'utf8')).toContain('settings')
    expect(readFileSync(state('resources.txt'), 'utf8')).toContain('file[/etc/motd]')
    expect(statSync(join(folder, 'var/client_data/catalog/node.example.test.json')).mode & 0o777).toBe(0o600)
  })

  it('has nothing left to do, and calls it corrective when somebody meddled', async () => {
    expect((await agent()).status).toBe(0)
    writeFileSync(join(root, 'etc/motd'), 'mine\n')
    const { status, out } = await agent()
    expect(status).toBe(2)
    expect(out).toMatch(/File\[\/etc\/motd\]\/content: content changed .* \(corrective\)/)
  })

  it('goes to another environment when told to', async () => {
    const { status, out } = await agent('--environment', 'staging')
    expect(status).toBe(2)
    expect(out).toContain("Using environment 'staging'")
    expect(readFileSync(join(root, 'etc/motd'), 'utf8')).toBe('From staging\n')
    expect((await agent()).status).toBe(2)
  })

  it('sends its facts once more when it is told to, and reports what it took, and what was not as it should be', async () => {
    const { status, out } = await agent('--resubmit_facts', '--job-id', '7', '--sourceaddress', '127.0.0.1')
    expect(status).toBe(0)
    expect(out).toContain('Info: Uploading facts for node.example.test to localhost')
    const { metrics, resource_statuses, job_id } = parse(readFileSync(state('last_run_report.yaml'), 'utf8'))
    const times = metrics.time.values.map(([name]: [string]) => name)
    expect(times).toEqual(expect.arrayContaining(['startup_time', 'resubmit_facts', 'plugin_sync', 'total']))
    expect([resource_statuses, String(job_id)]).toEqual([{}, '7'])
    await agent('--no-exclude_unchanged_resources')
    const all = parse(readFileSync(state('last_run_report.yaml'), 'utf8')).resource_statuses
    expect(Object.keys(all)).toContain('File[/etc/motd]')
  })

  it('does not run while it is disabled', async () => {
    await agent('--disable', 'for lunch')
    const { status, out } = await agent()
    expect(status).toBe(1)
    expect(out).toContain("administratively disabled (Reason: 'for lunch')")
    await agent('--enable')
    expect((await agent()).status).toBe(0)
  })

  it('does not run beside another run', async () => {
    const lock = new FileLock(state('agent_catalog_run.lock'))
    expect(await lock.tryAcquire()).toBe(true)
    const { status, out } = await agent()
    await lock.release()
    expect(status).toBe(1)
    expect(out).toContain('Run of Puppet configuration client already in progress; skipping')
  })

  it('says why there is no catalog, and falls back on the last one only when it may', async () => {
    await deploy("fail('broken on purpose')")
    const failed = await agent()
    expect(failed.err).toContain('broken on purpose')
    expect(failed.status).toBe(1)
    const { status, out } = await agent('--usecacheonfailure')
    expect(status).toBe(0)
    expect(out).toContain("Using cached catalog from environment 'production'")
  })

  it('says what the server advises, and where the code stands in the repository', async () => {
    await deploy('$port = 1\nnotify { "at ${prot}": }\n')
    const { err } = await agent()
    expect(err).toMatch(
      /Unknown variable: 'prot'.*\n {2}In production@[0-9a-f]{7}:manifests\/site\.pp, line 2\. Did you mean '\$port'\?\n/,
    )
  })

  it('runs the facts in Ruby that modules bring, in the run that fetches them', async () => {
    const fact = "Facter.add(:web_version) { confine kernel: 'Linux'; setcode { Facter.value('os.family') } }\n"
    repository.push({
      'modules/demo/lib/facter/web.rb': `${fact}Facter.add(:broken) { setcode { raise 'oops' } }\n`,
    })
    await deploy('notify { "family ${facts[\'web_version\']}": }\n')
    const { out, err, status } = await agent()
    expect(status).toBe(2)
    expect(out).toContain('family Debian')
    expect(err).toBe("Error: Facter: Error while resolving custom fact fact='broken', resolution='<anonymous>': oops")
  })

  it('says which code it applies, and in place of which', async () => {
    const before = repository.git('rev-parse', 'HEAD')
    await agent()
    await deploy(`${site} notify { 'new': }`)
    const commit = repository.git('rev-parse', 'HEAD')
    const said = `Notice: Applying code_id '${commit}' of environment 'production' in place of '${before}'`
    expect((await agent('--noop')).out).toContain(said)
    expect((await agent()).out).toMatch(new RegExp(`^Info: Applying configuration version '\\d+'\\n${said}$`, 'm'))
    const again = `Info: Applying code_id '${commit}' of environment 'production', as before`
    expect((await agent()).out).toContain(again)
    const { out } = await agent('--environment', 'staging')
    expect(out).toContain(` of environment 'staging' in place of '${commit}' of environment 'production'`)
    await agent()
  })

  it('fails a resource whose source is not there, and no other', async () => {
    rmSync(join(root, 'etc/motd'))
    await deploy(`${site}
      file { '/etc/lost': source => 'puppet:///modules/demo/nowhere' }
      file { '/etc/trees': recurse => true, source => 'puppet:///modules/demo/none' }
      notify { 'waits': require => File['/etc/lost'] }`)
    const { status, out, err } = await agent()
    expect(status).toBe(6)
    expect(out).toContain("File[/etc/motd]/ensure: defined content as '")
    expect(err).toContain(
      'Error: /Stage[main]/Main/File[/etc/lost]: Could not evaluate: Could not retrieve information from environment production source(s) puppet:///modules/demo/nowhere',
    )
    expect(err).toContain('information from environment production source(s) puppet:///modules/demo/none')
    expect(err).toContain('Notify[waits]: Skipping because of failed dependencies')
    expect(server.output()).toContain(
      'Could not get metadata for puppet:///modules/demo/nowhere, the source of File[/etc/lost] (file: ',
    )
  })

  it('fails the resource of a type that it does not have, and what depends on it, and applies the rest', async () => {
    repository.push({ 'modules/demo/lib/puppet/type/oddity.rb': 'Puppet::Type.newtype(:oddity) { newparam(:name) }' })
    await deploy(`file { '/etc': ensure => directory }
      file { '/etc/waits': ensure => file }
      oddity { 'x': before => File['/etc/waits'] }
      file { '/etc/other': ensure => file }`)
    const { status, out, err } = await agent('--no-pluginsync')
    expect(status).toBe(6)
    expect(err).toMatch(
      /Error: \/Stage\[main\]\/Main\/Oddity\[x\]: Could not evaluate: Resource type 'Oddity' was not found \(file: \S+\/manifests\/site\.pp, line: 3\)/,
    )
    expect(err).toContain('File[/etc/waits]: Skipping because of failed dependencies')
    expect(out).toContain('File[/etc/waits]: Dependency Oddity[x] has failures: true')
    expect(['waits', 'other'].map((name) => existsSync(join(root, 'etc', name)))).toEqual([false, true])
    const { status: said, resource_statuses } = parse(readFileSync(state('last_run_report.yaml'), 'utf8'))
    expect(said).toBe('failed')
    expect(resource_statuses['Oddity[x]']).toMatchObject({
      failed: true,
      skipped: false,
      provider_used: null,
      events: [
        { name: 'resource_error', status: 'failure', message: expect.stringMatching(/^Resource type 'Oddity'/) },
      ],
    })
    expect(resource_statuses['File[/etc/waits]']).toMatchObject({ failed: false, skipped: true, events: [] })
  })

  it('writes its lines where --logdest says', async () => {
    await deploy(site)
    const file = join(folder, 'agent.log')
    const { out, err } = await agent('--logdest', file)
    expect({ out, err }).toEqual({ out: '', err: '' })
    const lines = readFileSync(file, 'utf8')
    expect(lines).toMatch(/^[\d-]{10} [\d:]{8} [+-]\d{4} Puppet \(notice\): Applied catalog in \d+\.\d\d seconds$/m)
    expect(lines).toMatch(/ Puppet \(notice\): Applying code_id '\w{40}' of environment 'production' in place of /)
    expect((await agent('-l', `console,${file}`)).out).toContain('Notice: Applied catalog in')
  })

  it('finds its catalog, and keeps the last one, where routes.yaml says', async () => {
    const routes = join(folder, 'etc/routes.yaml')
    const cached = (path: string) => join(folder, 'var', path)
    const [json, yaml] = ['client_data/catalog', 'client_yaml/catalog'].map((path) =>
      cached(`${path}/node.example.test`),
    )
    rmSync(`${json}.json`)
    writeFileSync(routes, 'agent:\n  catalog:\n    cache: yaml\n')
    expect(await agent()).toMatchObject({
      ...{
        err: expect.stringMatching(/^Error: Facter: .* oops$/),
        out: expect.stringContaining('Caching catalog for node.example.test'),
      },
    })
    expect([`${json}.json`, `${yaml}.yaml`].map(existsSync)).toEqual([false, true])
    expect(statSync(`${yaml}.yaml`).mode & 0o777).toBe(0o600)

    await deploy("notify { 'newer': }")
    writeFileSync(routes, 'agent:\n  catalog:\n    terminus: yaml\n    cache: none\n')
    const { out } = await agent()
    expect(out).not.toMatch(/newer|Caching catalog/)
    writeFileSync(routes, 'agent:\n  catalog:\n    terminus: jsno\n')
    const wrong = await agent()
    expect(wrong.status).toBe(1)
    expect(wrong.err).toContain('Could not find terminus jsno for indirection catalog')
    rmSync(routes)

    const old = await agent('--use_cached_catalog')
    expect(old.out).toContain("Using cached catalog from environment 'production'")
    expect(old.out).not.toContain('newer')
    writeFileSync(`${yaml}.yaml`, readFileSync(`${yaml}.yaml`, 'utf8').replace('From production', 'From others'))
    const torn = await agent('--use_cached_catalog')
    expect(torn.err).toContain(`Could not retrieve catalog from cache: ${yaml}.yaml is damaged`)
    expect(torn.out).toContain('newer')
  })

  it('answers 4 for failures and 6 for failures and changes', async () => {
    await deploy(`${site} exec { '/bin/false': }`)
    expect((await agent()).status).toBe(4)
    rmSync(join(root, 'etc/motd'))
    expect((await agent()).status).toBe(6)
  })
})
