import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('catalog-check')
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const facts = write('facts.yaml', 'role: web\n')
const nodes = write('nodes.txt', 'web1\nweb2\nbroken\ndb1\n')
const factsDirectory = join(folder, 'facts')
mkdirSync(factsDirectory)
for (const node of ['web1', 'web2', 'broken', 'db1'])
  write(`facts/${node}.json`, JSON.stringify({ role: node.slice(0, 2) }))

const policies = `rules:
  no_world_writable:
    message: Files are not writable by everyone
    type: File
    parameters: { properties: { mode: { not: { pattern: '[2367]$' } } } }
  no_latest:
    message: Packages have a version
    severity: warning
    type: Package
    parameters: { properties: { ensure: { not: { const: latest } } } }
  role_is_told:
    message: The role is told
    function: policies::role_is_told
exceptions:
  - rule: no_world_writable
    resource: 'File[/srv/drop*]'
    nodes: web*
    until: 2026-12-31
    reason: The print shop drops files there (OPS-1)
`
const code = `function policies::role_is_told(Array[Hash] $resources) {
  notice("asked for \${facts['role']}")
  unless $resources.any |$each| { $each['title'] == '/etc/role' } { ["\${facts['role']} is not told"] }
}
`
const site = `file { '/srv/drop': ensure => directory, mode => '0777' }
package { 'nginx': ensure => latest }
if $trusted['certname'] == 'broken' { fail('as it is') }
`

describe('plumb catalog check', () => {
  let repository: ControlRepository
  let commit = ''
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const check = (...words: string[]) => runHere(['catalog', 'check', ...places, ...words])
  const checkOne = (...words: string[]) =>
    check('--repo', repository.bare, '--node', 'web1', '--facts', facts, ...words)
  const place = '(file: /etc/plumb/code/environments/production/manifests/site.pp, line: 1)'
  const packages = `warning no_latest: Packages have a version
  Package[nginx]: ensure is "latest", which is not allowed
    ${place.replace('line: 1', 'line: 2')}
`
  const role = (name: string) => `error role_is_told: The role is told\n  The catalog: ${name} is not told\n`

  beforeAll(() => {
    repository = controlRepository({
      'manifests/site.pp': site,
      'policies/rules.yaml': policies,
      'policies/code/role.pp': code,
    })
    commit = repository.git('rev-parse', 'HEAD')
    repository.push({ 'manifests/site.pp': "file { '/etc/role': mode => '0644' }" }, 'good')
  })

  it('prints what rules find, and what their functions log beside it', async () => {
    expect(await checkOne('--on', '2026-12-31')).toEqual({
      status: 1,
      out: `error no_world_writable: Files are not writable by everyone
  (excepted) File[/srv/drop]: mode is "0777", which is not allowed
    ${place}
    until 2026-12-31: The print shop drops files there (OPS-1)
${packages}${role('web')}1 catalog checked: 1 error, 1 warning, 1 excepted
`,
      err: 'Notice: Scope(Class[main]): asked for web\n',
    })
  })

  it('has no exception that has run out', async () => {
    const { out, status } = await checkOne('--on', '2027-01-01')
    expect(status).toBe(1)
    expect(out).toContain(`  File[/srv/drop]: mode is "0777", which is not allowed
    ${place}
    exception expired on 2026-12-31: The print shop drops files there (OPS-1)
`)
    expect(out).toContain('1 catalog checked: 2 errors, 1 warning, 0 excepted')
  })

  it('succeeds where nothing is found, or warnings alone', async () => {
    const good = await checkOne('--at', 'good')
    expect(good).toMatchObject({ status: 0, out: '1 catalog checked: 0 errors, 0 warnings, 0 excepted\n' })
    const warned = await checkOne('--code', "package { 'nginx': ensure => latest } file { '/etc/role': }")
    expect(warned).toMatchObject({ status: 0, out: expect.stringContaining('0 errors, 1 warning, 0 excepted') })
  })

  it('checks many nodes, and says once what they have in common', async () => {
    const words = ['--repo', repository.bare, '--nodes', nodes, '--facts-dir', factsDirectory, '--on', '2026-12-31']
    const { status, out } = await check(...words)
    expect({ status, out }).toEqual({
      status: 1,
      out: `! broken: Evaluation Error: Error while evaluating a Function Call, as it is (file: /etc/plumb/code/environments/production/manifests/site.pp, line: 3, column: 39) on node broken
!   In production@${commit.slice(0, 7)}:manifests/site.pp, line 3.
error no_world_writable: Files are not writable by everyone
  (excepted) File[/srv/drop]: mode is "0777", which is not allowed
    ${place} on web1, web2
    until 2026-12-31: The print shop drops files there (OPS-1)
  File[/srv/drop]: mode is "0777", which is not allowed
    ${place} on db1
${packages.replace('line: 2)', 'line: 2) on web1, web2, db1')}error role_is_told: The role is told
  The catalog: we is not told
    on web1, web2
  The catalog: db is not told
    on db1
3 catalogs checked, 1 failed to compile: 4 errors, 3 warnings, 2 excepted
`,
    })
    const json = JSON.parse((await check(...words, '--render-as', 'json')).out)
    expect(json).toMatchObject({
      environment: 'production',
      code_id: commit,
      checked: 3,
      errors: 4,
      warnings: 3,
      excepted: 2,
    })
    expect(json.failed).toMatchObject([{ node: 'broken' }])
    expect(json.findings).toHaveLength(9)
    expect(json.findings[0]).toEqual({
      rule: 'no_world_writable',
      severity: 'error',
      message: 'Files are not writable by everyone',
      detail: 'mode is "0777", which is not allowed',
      node: 'web1',
      resource: 'File[/srv/drop]',
      parameter: 'mode',
      file: '/etc/plumb/code/environments/production/manifests/site.pp',
      line: 1,
      exception: { until: '2026-12-31', reason: 'The print shop drops files there (OPS-1)', is_over: false },
    })
  })

  it('checks catalogs that are there', async () => {
    const { out: catalog } = await runHere([
      'catalog',
      'compile',
      '--repo',
      repository.bare,
      '--node',
      'db1',
      '--facts',
      facts,
      ...places,
    ])
    const file = write('db1.json', catalog)
    const own = await check('--repo', repository.bare, file)
    expect(own).toMatchObject({
      status: 1,
      out: expect.stringContaining('1 catalog checked: 2 errors, 1 warning, 0 excepted'),
    })
    const apart = join(folder, 'policies')
    mkdirSync(apart)
    write('policies/rules.yaml', 'rules: { no_drop: { message: Nothing is dropped, type: File, resource: false } }')
    expect(await check('--policies', apart, file)).toMatchObject({
      status: 1,
      out: `error no_drop: Nothing is dropped\n  File[/srv/drop]: is not allowed\n    ${place}\n1 catalog checked: 1 error, 0 warnings, 0 excepted\n`,
    })
  })

  it('shows nothing of Sensitive values', async () => {
    const manifest = `user { 'a': password => Sensitive('s3cret') }`
    const apart = join(folder, 'secret')
    mkdirSync(apart)
    write(
      'secret/rules.yaml',
      'rules: { no_password: { message: m, type: User, parameters: { properties: { password: { type: string } } } } }',
    )
    for (const format of ['text', 'json']) {
      const { out, err, status } = await checkOne('--code', manifest, '--policies', apart, '--render-as', format)
      expect(status).toBe(1)
      expect(out + err).toContain('[redacted]')
      expect(out + err).not.toContain('s3cret')
    }
  })

  it('shows control characters as text', async () => {
    const { out } = await checkOne('--code', `file { "/a\\u{1b}[31m": mode => "0777" }`)
    expect(out).toContain('File[/a\\x1b[31m]')
    expect(out).not.toContain('\u001b')
  })

  it.each([
    [['--on', 'tomorrow'], /--on requires a date such as 2026-12-31, not 'tomorrow'/],
    [['--on', '2026-02-30'], /--on requires a date/],
    [['--policies', '/nowhere'], /Could not read policies from \/nowhere: it is not a directory/],
    [['--at', 'nowhere'], /nowhere/],
    [['--code', 'include nope'], /Could not find class ::nope/],
  ])('refuses %j', async (words, message) => {
    const { status, out, err } = await checkOne(...words)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(message)
  })

  it('refuses options that would compile beside files of catalogs, and what is no catalog', async () => {
    expect((await checkOne(join(folder, 'db1.json'))).err).toMatch(/--node cannot be given with catalog files/)
    const text = write('text.json', 'hello')
    expect((await check('--repo', repository.bare, text)).err).toMatch(/Could not read a catalog from .*text\.json: /)
    const named = write('named.json', JSON.stringify({ name: '../../etc/passwd', resources: [] }))
    expect((await check('--repo', repository.bare, named)).err).toMatch(/Could not read a catalog from .*named\.json: /)
  })

  it('warns where there are no policies', async () => {
    const none = join(folder, 'none')
    mkdirSync(none)
    const { status, err } = await checkOne('--policies', none)
    expect({ status, err }).toEqual({
      status: 0,
      err: `Warning: No policies found in ${none}: nothing is checked\n`,
    })
  })

  it('goes on after a function that calls itself for ever', async () => {
    const apart = join(folder, 'endless')
    mkdirSync(apart)
    write('endless/rules.yaml', `rules: { endless: { message: m, function: 'policies::endless' } }`)
    write('endless/a.pp', 'function policies::endless($all) { policies::endless($all) }')
    const { status, out } = await checkOne('--policies', apart)
    expect({ status, out }).toMatchObject({ status: 1, out: expect.stringContaining('could not be checked') })
  })
})
