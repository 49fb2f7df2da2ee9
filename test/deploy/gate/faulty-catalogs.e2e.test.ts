import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from './world.ts'

const web = `class web {
  file { '/etc/web.conf': source => 'puppet:///modules/web/web.conf' }
  file { '/srv/drop': ensure => directory, mode => '1777' }
  package { 'curl': ensure => installed }
}
`
const rules = `rules:
  no_world_writable:
    message: Files are not writable by everyone
    type: File
    parameters: { properties: { mode: { not: { pattern: '[2367]$' } } } }
  no_latest:
    message: Packages have a version
    severity: warning
    type: Package
    parameters: { properties: { ensure: { not: { const: latest } } } }
`
const base: Edit = {
  'manifests/site.pp': "node /^web/ { include web }\nnode default { notify { 'nothing': } }\n",
  'modules/web/manifests/init.pp': web,
  'modules/web/files/web.conf': 'a\n',
  'policies/baseline.yaml': rules,
  'hiera.yaml': 'version: 5\nhierarchy: [{ name: all, path: all.yaml }]\n',
  'data/all.yaml': 'limit: 10\n',
}

const inWeb = (line: string): Edit => ({ 'modules/web/manifests/init.pp': web.replace('{\n', `{\n  ${line}\n`) })
const byFunction = (body: string): Edit => ({
  'policies/more.yaml': 'rules:\n  few_files: { message: Not too many files, function: policies::few, type: File }\n',
  'policies/few.pp': `function policies::few(Array[Hash] $resources) {\n  ${body}\n}\n`,
})
const webLine2 = 'modules/web/manifests/init.pp, line: 2'

/** Commits that bring faults into catalogs, and what who pushes reads of each. */
const refused: Readonly<Record<string, readonly [edit: Edit, ...said: string[]]>> = {
  'a source that is not there': [
    inWeb("file { '/etc/a': source => 'puppet:///modules/web/none' }"),
    'File[/etc/a]: Could not retrieve information from environment production source(s) puppet:///modules/web/none',
    webLine2,
    '2 nodes: web1.test, web2.test: a file source does not exist',
    'The push is rejected: 2 nodes would have a faulty catalog (gate = refuse)',
  ],
  'a source in a module that is not there': [
    inWeb("file { '/etc/a': source => ['puppet:///modules/web/none', 'puppet:///modules/nowhere/a'] }"),
    'source(s) puppet:///modules/web/none, puppet:///modules/nowhere/a',
    'web1.test',
  ],
  'a source that is gone': [{ 'modules/web/files/web.conf': undefined }, 'File[/etc/web.conf]: Could not', 'web2.test'],
  'a resource that breaks a policy': [
    inWeb("file { '/tmp/x': ensure => file, mode => '0666' }"),
    '2 nodes: web1.test, web2.test: violates the policy no_world_writable',
    'File[/tmp/x]: Files are not writable by everyone: mode is "0666", which is not allowed',
    webLine2,
  ],
  'a policy that catalogs break': [
    {
      'policies/more.yaml':
        'rules:\n  no_curl: { message: No curl, type: Package, title: curl, resource: { not: {} } }\n',
    },
    'violates the policy no_curl',
    'Package[curl]: No curl',
    'web1.test',
  ],
  'a function of a policy that finds something': [
    byFunction('$resources.filter |$each| { $each["title"] == "/srv/drop" }'),
    'File[/srv/drop]: Not too many files',
    'web1.test',
  ],
  'policies that cannot be read': [
    { 'policies/more.yaml': 'rules: { no_curl: { message: No curl, colour: red } }\n' },
    'the policies cannot be evaluated',
    'policies/more.yaml',
    'nothing.test',
  ],
  'a function of a policy that is not there': [
    { 'policies/more.yaml': 'rules: { odd: { message: Odd, function: policies::none } }\n' },
    'violates the policy odd',
    'Could not find function policies::none',
    'nothing.test',
  ],
}

/** Commits that bring none, though they look like it. */
const passed: Readonly<Record<string, readonly [edit: Edit, ...said: string[]]>> = {
  'another fault than before, of a warning': [
    inWeb("package { 'vim': ensure => latest }"),
    '? 2 nodes: web1.test, web2.test: has a warning of the policy no_latest',
    'Package[vim]: Packages have a version: ensure is "latest", which is not allowed',
  ],
  'a fault that was there before, elsewhere in the file': [inWeb("# '/srv/drop' is writable by everyone")],
  'a source that another server has': [inWeb("file { '/etc/a': source => 'puppet://files.test/modules/web/none' }")],
  'a source of the web': [inWeb("file { '/etc/a': source => 'https://files.test/modules/web/none' }")],
  'a list of sources of which one is there': [
    inWeb("file { '/etc/a': source => ['puppet:///modules/web/none', 'puppet:///modules/web/web.conf'] }"),
  ],
  'a file that is taken away': [inWeb("file { '/etc/a': ensure => absent, source => 'puppet:///modules/web/none' }")],
  'a fault with an exception': [
    {
      ...inWeb("file { '/tmp/x': ensure => file, mode => '0666' }"),
      'policies/exceptions.yaml':
        "exceptions:\n  - { rule: no_world_writable, resource: 'File[/tmp/x]', until: 2999-12-31, reason: A test }\n",
    },
  ],
}

let world: GateWorld
beforeAll(() => {
  const nodes = { 'web1.test': {}, 'web2.test': {}, 'nothing.test': {} }
  world = new GateWorld(scratchFolder('faulty'), base, nodes)
}, 60_000)
afterEach(() => world.reset())

describe('a push that brings faults into catalogs', () => {
  it.each(Object.entries(refused))('is refused: %s', async (_, [edit, ...words]) => {
    const before = world.at()
    world.commit(edit)
    const { status, said } = await world.push()
    for (const word of words) expect(said).toContain(word)
    expect(said).toContain('pre-receive hook declined')
    expect({ status, at: world.at() }).toEqual({ status: 1, at: before })
  })

  it('is refused where only a function of a policy sees the change', async () => {
    world.commit(byFunction('$resources.filter |$each| { lookup("limit") < 5 }'))
    expect((await world.push()).status).toBe(0)
    world.commit({ 'data/all.yaml': 'limit: 3\n' })
    const { status, said } = await world.push()
    expect(said).toContain('File[/srv/drop]: Not too many files')
    expect(status).toBe(1)
    world.reset()
    world.commit({ 'policies/more.yaml': undefined, 'policies/few.pp': undefined })
    expect((await world.push()).status).toBe(0)
  })
})

describe('a push that brings no fault', () => {
  it.each(Object.entries(passed))('is taken: %s', async (_, [edit, ...words]) => {
    const before = world.at()
    world.commit(edit)
    const { status, said } = await world.push()
    for (const word of words) expect(said).toContain(word)
    expect({ status, moved: world.at() !== before }, said).toEqual({ status: 0, moved: true })
    expect(said).not.toContain('faulty catalog')
  })
})
