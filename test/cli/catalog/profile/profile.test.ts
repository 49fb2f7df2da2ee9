import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ProfileReport } from '../../../../src/cli/catalog/profile/profile-report.ts'
import { controlRepository } from '../../../support/control-repository.ts'
import { plumbHere as plumb } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const folder = scratchFolder('profile')
const file = (name: string) => join(folder, name)

const code = {
  'manifests/site.pp': `
node 'a.example.com' {
  include demo
}`,
  'hiera.yaml': `---
version: 5
hierarchy:
  - { name: Common, path: common.yaml }
  - { name: By function, data_dig: demo::data }
`,
  'data/common.yaml': 'demo::port: 80\n',
  'modules/demo/manifests/init.pp': `
class demo($port, $host = 'h') inherits demo::base {
  [1, 2, 3].each |$n| { demo::site { "s\${n}": } }
  notify { 'epp': message => epp('demo/a.epp') }
  notify { 'erb': message => template('demo/b.erb') }
  notify { 'inline': message => inline_template('<%= @port %>') }
  notify { 'ruby': message => demo::shout('x') }
  notify { 'called': message => call('demo::twice', 'x') }
  Notify <| title == 'erb' |>
}`,
  'modules/demo/manifests/base.pp': 'class demo::base { }',
  'modules/demo/manifests/site.pp': 'define demo::site { notify { "site ${title}": } }',
  'modules/demo/functions/data.pp': `
function demo::data(Array $path, Hash $options, Puppet::LookupContext $context) { $context.not_found }`,
  'modules/demo/functions/twice.pp': 'function demo::twice($text) { "${text}${text}" }',
  'modules/demo/templates/a.epp': 'a <%= inline_epp("b") %>',
  'modules/demo/templates/b.erb': "<%= scope.call_function('demo::twice', ['y']) %>",
  'modules/demo/lib/puppet/functions/demo/shout.rb': `
Puppet::Functions.create_function(:'demo::shout') { def shout(text) = text.upcase + ENV['HOME'].to_s }`,
}

describe('plumb catalog compile --profile', () => {
  let repository = ''
  const compile = (...more: string[]) =>
    plumb([
      ...['catalog', 'compile', '--repo', repository, '--node', 'a.example.com', '--facts', file('facts.json')],
      ...more,
    ])
  const report = async (...more: string[]): Promise<ProfileReport> => {
    const { stdout, stderr, exitCode } = await compile('--profile', '--render-as', 'json', ...more)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    return JSON.parse(stdout)
  }

  beforeAll(() => {
    repository = controlRepository(code).bare
    writeFileSync(file('facts.json'), '{"role":"web"}')
  })

  it('reports each kind of work, with the number of calls', async () => {
    const { phases, classes, defined_types, functions, lambdas, templates, hiera_levels, ...rest } = await report()
    const calls = (costs: ProfileReport['phases']) =>
      Object.fromEntries(costs.map(({ name, calls }) => [name.replace(/\(file: .*?([^/]+), line/, '($1, line'), calls]))
    expect(calls(phases)).toMatchObject({ begin: 1, evaluate: 1, finish: 1, write: 1, 'start Ruby': 1, parse: 7 })
    expect(calls(classes.most_expensive)).toEqual({ main: 1, 'node a.example.com': 1, demo: 1, 'demo::base': 1 })
    expect(calls(defined_types.most_expensive)).toEqual({ 'demo::site': 3 })
    expect(calls(functions.most_expensive)).toEqual({
      ...{
        include: 1,
        each: 1,
        epp: 1,
        inline_epp: 1,
        template: 1,
        inline_template: 1,
        'demo::shout': 1,
        call: 1,
        not_found: 2,
      },
      'demo::twice': 2,
    })
    expect(calls(lambdas.most_expensive)).toEqual({ '(init.pp, line: 3, column: 18)': 3 })
    expect(calls(templates.most_expensive)).toEqual({
      'demo/a.epp': 1,
      'inline_epp (a.epp, line: 1, column: 7)': 1,
      'demo/b.erb': 1,
      'inline_template (init.pp, line: 6, column: 33)': 1,
    })
    expect(hiera_levels.most_expensive.map(({ name }) => name).sort()).toEqual([
      'Environment: By function (demo::data)',
      'Environment: Common (yaml_data)',
      'all levels',
    ])
    expect(rest).toMatchObject({ node: 'a.example.com', environment: 'production', runs: 1 })
  })

  it('gives time inside of work to this work, and each total to the total', async () => {
    const { phases, total_ms: total, classes } = await report()
    const of = (name: string) => phases.find((each) => each.name === name)!.total_ms
    expect(of('begin') + of('evaluate') + of('finish') + of('write')).toBeCloseTo(total, 1)
    for (const { own_ms, total_ms } of classes.most_expensive) expect(own_ms).toBeLessThanOrEqual(total_ms)
    expect(classes.most_expensive.find(({ name }) => name === 'main')!.total_ms).toBeLessThanOrEqual(of('evaluate'))
  })

  it('shows in a second compilation which Ruby calls are recalled, and why others are not', async () => {
    const { ruby_calls: calls, runs } = await report('--profile-runs', '3')
    expect({ calls, runs }).toEqual({
      calls: {
        ...{ calls: 3, recalled: 1, recorded: 0 },
        not_recalled: [
          {
            reason: 'asks the function demo::twice',
            calls: 1,
            labels: [{ label: "template('demo/b.erb')", calls: 1 }],
          },
          { reason: 'names ENV', calls: 1, labels: [{ label: 'demo::shout', calls: 1 }] },
        ],
      },
      runs: 3,
    })
  })

  it('prints tables instead of the catalog', async () => {
    const { stdout, stderr, exitCode } = await compile('--profile', '--profile-runs', '2')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(
      /^Catalog of a\.example\.com in environment production at [0-9a-f]{40}: \d+ resources in [\d.]+ ms, compilation 2 of this process$/m,
    )
    expect(stdout).toMatch(
      /^ {4}own ms {3}total ms {4}calls {2}defined type \(by own time\)\n +[\d.]+ +[\d.]+ +3 {2}demo::site$/m,
    )
    expect(stdout).toMatch(
      /Ruby calls: 3\. Recalled: 1\. Run and recorded for later catalogs: 0\. Not recallable: 2\n {3}calls {2}reason: functions and templates\n {7}1 {2}asks the function demo::twice: template\('demo\/b.erb'\)\n {7}1 {2}names ENV: demo::shout$/,
    )
  })

  it('lists the twenty most expensive functions of many', async () => {
    const all = Array.from({ length: 25 }, (_, at) => `function f${at}() { ${at} } notice(f${at}())`).join('\n')
    const { stdout } = await plumb(['catalog', 'compile', '--facts', file('facts.json'), '--code', all, '--profile'])
    expect(stdout).toContain('function (20 of 26, by own time)')
    expect(stdout).toContain('No Ruby code ran.')
  })

  it('does not change the catalog', async () => {
    const plain = await compile()
    await compile('--profile')
    expect(await compile()).toEqual(plain)
  })

  it('writes a flame graph and a speedscope profile', async () => {
    for (const name of ['profile.svg', 'profile.json']) {
      const { stdout, stderr, exitCode } = await compile('--profile', file(name))
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
      expect(stdout).toContain('demo::site')
    }
    expect(readFileSync(file('profile.svg'), 'utf8')).toMatch(/^<svg .*<title>class demo: .*<\/svg>\n$/s)
    expect(JSON.parse(readFileSync(file('profile.json'), 'utf8')).shared.frames).toContainEqual({ name: 'class demo' })
  })

  const wrong: Readonly<Record<string, readonly [options: readonly string[], message: string]>> = {
    'another format': [
      ['--profile', file('a.txt')],
      `Error: Cannot write a profile to ${file('a.txt')}: its name ends with neither .svg nor .json`,
    ],
    'a missing folder': [
      ['--profile', file('none/a.svg')],
      `Error: Could not write the profile ${file('none/a.svg')}: No such file or directory`,
    ],
    'a folder': [
      ['--profile', file('folder.svg')],
      `Error: Could not write the profile ${file('folder.svg')}: Is a directory`,
    ],
    'no number': [['--profile', '--profile-runs', 'x'], "Error: --profile-runs requires a positive integer, not 'x'"],
    'no run': [['--profile', '--profile-runs', '0'], "Error: --profile-runs requires a positive integer, not '0'"],
    'runs alone': [['--profile-runs', '2'], 'Error: --profile-runs requires --profile'],
    'a format of the store': [
      ['--profile', '--render-as', 'pdb-v9'],
      'Error: --profile cannot be given with --render-as pdb-v9',
    ],
    'several nodes': [['--profile', '--nodes', file('nodes')], 'Error: --profile cannot be given with --nodes'],
  }

  it.each(Object.entries(wrong))('rejects %s before it compiles', async (_, [options, message]) => {
    mkdirSync(file('folder.svg'), { recursive: true })
    const { stdout, stderr, exitCode } = await plumb([
      ...['catalog', 'compile', '--facts', file('facts.json'), '--code', "fail('compiled')", ...options],
    ])
    expect({ stdout, first: stderr.split('\n')[0], exitCode }).toEqual({ stdout: '', first: message, exitCode: 1 })
  })

  it('leaves no file behind, and an old one unchanged, if the catalog does not compile', async () => {
    writeFileSync(file('old.svg'), 'old')
    const before = readdirSync(folder)
    for (const name of ['old.svg', 'new.svg']) {
      const { exitCode } = await plumb([
        ...['catalog', 'compile', '--facts', file('facts.json'), '--code', 'fail("no")', '--profile', file(name)],
      ])
      expect(exitCode).toBe(1)
    }
    expect(readdirSync(folder)).toEqual(before)
    expect(readFileSync(file('old.svg'), 'utf8')).toBe('old')
  })
})
