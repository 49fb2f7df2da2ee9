import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { recordedRuns } from '../../support/puppet-runs.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const environment = {
  'hiera.yaml': `
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - name: Family
    path: "%{facts.os.family}.yaml"
  - name: Missing
    path: missing.yaml
  - name: Globs
    glob: "g/*.yaml"
  - name: Mapped
    mapped_paths: [facts.many, one, "m/%{one}.yaml"]
  - name: Uri
    lookup_key: mm::luk
    uri: "http://x/%{facts.os.family}"
  - name: Dig
    data_dig: mm::dig
  - name: Common
    paths: [common.yaml, other.yaml]
`,
  'data/Debian.yaml': 'a: 1\nh: {x: 1, l: [1, 2]}\nu: [a, b]\ndeep: {l: [c, d], n: {k: v}}\n',
  'data/common.yaml': `
b: "os %{facts.os.family} and %{lookup('a')}"
h: {y: 2, l: [3]}
u: [b, c]
deep: {l: [a, b]}
al: "%{alias('h')}"
opt: {q: 1}
cv: '12'
s: "text\\nline \\"q\\" é"
n: ~
mm::o: {z: 1}
loop: "%{lookup('loop')}"
ind: "%{lookup('h.l.1')}"
lookup_options:
  opt: {merge: hash}
  cv: {convert_to: Integer}
  u: {merge: unique}
`,
  'data/other.yaml': 'opt: {r: 2}\n',
  'data/g/1.yaml': 'gg: 1\n',
  'data/m/a.yaml': 'mp: 1\n',
  'modules/mm/hiera.yaml': `
version: 5
hierarchy:
  - name: Mod
    path: common.yaml
default_hierarchy:
  - name: Def
    path: def.yaml
`,
  'modules/mm/data/common.yaml': `
mm::o: {y: 1}
lookup_options:
  mm::o: {merge: {strategy: deep, knockout_prefix: '--'}}
`,
  'modules/mm/data/def.yaml': 'mm::dd: from default\n',
  'modules/mm/functions/luk.pp': `
function mm::luk(String $key, Hash $options, Puppet::LookupContext $context) {
  $context.explain || { "asked for \${key}" }
  case $key {
    'lk': { 'fromlk' }
    'nested': { "\${lookup('a')} \${lookup('none', default_value => 'd')} \${lookup('u', merge => 'unique')}" }
    'round': { lookup('round') }
    default: { $context.not_found }
  }
}
`,
  'modules/mm/functions/dig.pp': `
function mm::dig(Array $key, Hash $options, Puppet::LookupContext $context) {
  if $key[0] == 'dd' { 'fromdd' } else { $context.not_found }
}
`,
  'modules/nodata/manifests/init.pp': 'class nodata { }\n',
  'manifests/site.pp': '$set = "by site.pp"\nnode default { }\n',
}

const folder = scratchFolder('lookup')
const facts = join(folder, 'facts.yaml')
const ofNode = 'os: {family: Debian, name: Debian}\nmany: [a, b]\n'
const places = [
  ...['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')],
  ...['--environmentpath', join(folder, 'environments'), '--strict', 'error', '--strict_variables'],
]
const node = ['--node', 'n.example.com', '--facts', facts]
const ours = (...words: string[]) => plumb(['lookup', ...places, ...node, ...words])

beforeAll(() => {
  for (const [path, text] of Object.entries(environment)) {
    const file = join(folder, 'environments/production', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  writeFileSync(facts, ofNode)
})

/** What is compared with real Puppet: values, merges, explanations. */
const calls = [
  'h --render-as json',
  'u --render-as s',
  'nokey lk',
  'b --explain',
  'h.zz --explain',
  'cv --explain',
  'ind --explain',
  'loop --explain',
  'nested --explain',
  'nested --explain --compile',
  'round --explain',
  'mm::o --explain',
  'mm::dd --explain',
  'nodata::x --explain',
  'deep --explain --merge deep --sort-merged-arrays',
  'mm::o --explain-options',
  'u --explain --render-as json',
  'h.l.1',
  'deep.n --render-as json',
  'al --render-as s',
  'h --merge hash',
  'u --merge deep --sort-merged-arrays',
  'mp --merge unique --explain',
  'gg --explain',
  'opt --explain',
  'n --default other',
  'nokey --default other --explain',
  'cv --type String --explain',
]

describe('plumb lookup, beside puppet lookup', () => {
  const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
  let real: ReturnType<typeof recordedRuns>
  beforeAll(() => {
    const commands = calls.map((words) => [words, ['lookup', ...places, ...node, ...words.split(' ')]] as const)
    real = recordedRuns(puppet, Object.fromEntries(commands), [environment, ofNode])
  })

  it.each(calls)('%s', async (words) => {
    const { stdout, exitCode } = await ours(...words.split(' '))
    const expected = real[words]!
    expect({ stdout, exitCode }).toEqual({ stdout: expected.stdout.trimEnd(), exitCode: expected.exitCode })
  })
})

describe('plumb lookup', () => {
  it('asserts the type', async () => {
    expect((await ours('a', '--type', 'Integer')).stdout).toBe('--- 1')
    const { exitCode, stderr } = await ours('a', '--type', 'String')
    expect([exitCode, stderr]).toEqual([1, 'Error: Found value has wrong type, expects a String value, got Integer'])
  })

  it.each([
    [[], 'No keys were given to lookup.'],
    [['a', '--merge', 'nope'], "The --merge option only accepts 'first', 'unique', 'hash', or 'deep'"],
    [['a', '--sort-merged-arrays'], "are only available with '--merge deep'"],
    [['a', '--render-as', 'xml'], "Unknown rendering format 'xml'"],
    [['a', '--environment', 'nope'], "Could not find a directory environment named 'nope'"],
    [['a', '--type', 'Nope['], 'Error:'],
  ])('refuses %j', async (words, message) => {
    const { exitCode, stderr, stdout } = await ours(...words)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
  })

  it('wants facts', async () => {
    const { exitCode, stderr } = await plumb(['lookup', ...places, '--node', 'n.example.com', 'a'])
    expect([exitCode, String(stderr).split('\n')[0]]).toEqual([
      1,
      'Error: No facts available for target node: n.example.com',
    ])
  })

  it('takes the facts that the server keeps, and a part of who a node is only whole', async () => {
    const kept = join(folder, 'var/server_data/facts')
    mkdirSync(kept, { recursive: true })
    const values = { os: { family: 'Debian' }, many: ['a'] }
    writeFileSync(join(kept, 'kept.example.com.json'), JSON.stringify({ name: 'kept.example.com', values }))
    const asked = ['lookup', ...places, '--node', 'kept.example.com', 'a']
    expect((await plumb(asked)).stdout).toBe('--- 1')
    const part = join(folder, 'part.yaml')
    writeFileSync(part, 'fqdn: x\n')
    expect((await plumb([...asked, '--facts', part])).stderr).toContain('they must all be overridden')
  })

  it('has the variables of manifests with --compile, and looks into a commit', async () => {
    const code = controlRepository({
      'hiera.yaml': 'version: 5\nhierarchy: [{name: c, path: c.yaml}]\n',
      'data/c.yaml': 'v: "%{set}"\nw: old\n',
      'manifests/site.pp': '$set = "by site.pp"\n',
    })
    const first = code.git('rev-parse', 'HEAD')
    code.push({ 'data/c.yaml': 'v: "%{set}"\nw: new\n' })
    const own = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), ...node]
    const inCode = (...words: string[]) => plumb(['lookup', ...own, '--repo', code.bare, ...words])
    expect((await inCode('v', '--compile')).stdout).toBe('--- by site.pp')
    expect((await inCode('v')).stderr).toContain("Undefined variable 'set'")
    expect((await inCode('w')).stdout).toBe('--- new')
    expect((await inCode('w', '--at', first)).stdout).toBe('--- old')
    const revision = `production@${code.git('rev-parse', '--short=7', 'HEAD')}`
    const { stdout } = await inCode('w', '--explain')
    expect(stdout).toContain(`Using configuration "${revision}:hiera.yaml"`)
    expect(stdout).toContain(`Path "${revision}:data/c.yaml"`)
    expect((await inCode('w', '--explain', '--render-as', 'json')).stdout).toContain(`"path":"${revision}:data/c.yaml"`)
  })
})
