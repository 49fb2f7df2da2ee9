import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareDependencies } from '../../../src/cli/module/code-dependencies.ts'
import { writeFiles } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

type Files = Readonly<Record<string, string>>

const stdlib: Files = {
  'stdlib/metadata.json': '{"name": "puppetlabs-stdlib"}',
  'stdlib/lib/puppet/functions/deep_merge.rb': '',
  'stdlib/lib/puppet/type/file_line.rb': '',
  'stdlib/types/port.pp': 'type Stdlib::Port = Integer\n',
}
const concat: Files = {
  'concat/metadata.json': '{"name": "puppetlabs-concat"}',
  'concat/manifests/init.pp': 'define concat() { }\n',
}

/** A module with dependencies, its files, and the modules in its fixtures. */
function createModule(dependencies: readonly string[], files: Files, fixtures: Files = {}): string {
  const root = scratchFolder('dependencies')
  const named = dependencies.map((name) => ({ name, version_requirement: '>= 1.0.0' }))
  const present = Object.entries(fixtures).map(([path, text]) => [`spec/fixtures/modules/${path}`, text])
  const metadata = JSON.stringify({ name: 'acme-web', version: '1.0.0', dependencies: named })
  writeFiles(root, { 'metadata.json': metadata, ...files, ...Object.fromEntries(present) })
  return root
}

function compare(dependencies: readonly string[], files: Files, fixtures: Files = {}): readonly string[] {
  const { problems, warnings } = compareDependencies(createModule(dependencies, files, fixtures), dependencies, [])
  return [...problems, ...warnings].map(({ message }) => message)
}

const missing = (module: string, place: string) =>
  `metadata.json does not name the module ${module}, which ${place} uses`
const init = 'manifests/init.pp'
const web = (body: string): Files => ({ [init]: `class web {\n${body}\n}\n` })

describe('modules that code uses', () => {
  it.each<readonly [what: string, files: Files, fixtures: Files, expected: readonly string[]]>([
    ['a class', web('include apt'), {}, [missing('apt', `${init}:2`)]],
    ['a class in a namespace', web('contain apt::update'), {}, [missing('apt', `${init}:2`)]],
    ['a defined type', web("apt::source { 'x': }"), {}, [missing('apt', `${init}:2`)]],
    ['a data type', { 'types/x.pp': 'type Web::X = Stdlib::Port\n' }, {}, [missing('stdlib', 'types/x.pp:1')]],
    ['a function in a namespace', web('$x = stdlib::ensure(true)'), {}, [missing('stdlib', `${init}:2`)]],
    ['a variable of a class', web('notice($apt::keep)'), {}, [missing('apt', `${init}:2`)]],
    ['a function of a fixture', web('$x = deep_merge({}, {})'), stdlib, [missing('stdlib', `${init}:2`)]],
    ['a type of a fixture', web("file_line { 'x': }"), stdlib, [missing('stdlib', `${init}:2`)]],
    ['a defined type of a fixture', web("concat { 'x': }"), concat, [missing('concat', `${init}:2`)]],
    [
      'a template',
      { ...web(''), 'templates/x.epp': '<%= stdlib::x() %>' },
      {},
      [missing('stdlib', 'templates/x.epp:1')],
    ],
    ['a function of unknown origin', web('$x = deep_merge({}, {})'), {}, []],
    [
      'names of Puppet',
      web("$x = merge_x\nfile { '/x': }\ncron { 'x': }\nnotice($settings::server, $facts['os'])"),
      {},
      [],
    ],
    ['names of its own', { ...web('include web::b'), 'manifests/b.pp': 'class web::b { notice($web::x) }\n' }, {}, []],
    [
      'a plan',
      { 'plans/x.pp': "plan web::x() { run_plan('facts') apply_prep('x') $y = aggregate::count() }\n" },
      {},
      [],
    ],
    ['code with a syntax error', { [init]: 'class web { include apt' }, {}, []],
  ])('%s', (_, files, fixtures, expected) => {
    expect(compare([], files, fixtures)).toEqual(expected)
  })

  it('may come from a dependency that is absent', () => {
    expect(compare(['acme-absent'], web('$x = deep_merge({}, {})'), stdlib)).toEqual([])
  })
})

describe('dependencies that no code uses', () => {
  const unused = ['No code uses the dependency puppetlabs-stdlib']
  it.each<readonly [what: string, files: Files, fixtures: Files, expected: readonly string[]]>([
    ['without any use', web(''), {}, unused],
    ['with a use', web('$x = stdlib::ensure(true)'), {}, []],
    ['with a use of its function', web('$x = deep_merge({}, {})'), stdlib, []],
    ['with a function of unknown origin, which may be its own', web('$x = deep_merge({}, {})'), {}, []],
    ['with a function of unknown origin, while it is present', web('$x = other({}, {})'), stdlib, unused],
    ['in Ruby code', { ...web(''), 'lib/puppet/provider/x.rb': 'Puppet::Type.type(:file_line)' }, stdlib, []],
    ['in a string', web("create_resources('stdlib::x', {})"), {}, []],
    ['in a template', { ...web(''), 'templates/x.erb': "<%= scope.call_function('Stdlib::x') %>" }, {}, []],
  ])('%s', (_, files, fixtures, expected) => {
    expect(compare(['puppetlabs-stdlib'], files, fixtures)).toEqual(expected)
  })

  it('are not those that the package of the agent contains', () => {
    expect(compare(['puppetlabs-cron_core'], web("cron { 'x': }"))).toEqual([])
  })

  it('may have any name', () => {
    expect(compare(['(a+)+$', 'x-', '__proto__', ''], web('')).length).toBeGreaterThan(0)
  })
})

describe('plumb module check', () => {
  it('fails for a missing dependency, and warns of an unused one', async () => {
    const root = createModule(['puppetlabs-concat'], web('include apt'))
    const run = (...words: string[]) => runHere(['module', 'check', root, '--offline', '--metadata-only', ...words])
    const { status, out, err } = await run()
    expect([status, err]).toEqual([1, 'Warning: dependency_unused: No code uses the dependency puppetlabs/concat\n'])
    expect(out).toContain(`dependency_missing: ${missing('apt', `${init}:2`)}\n`)
    expect(JSON.parse((await run('--render-as', 'json')).out)).toMatchObject({
      problems: expect.arrayContaining([{ check: 'dependency_missing', message: missing('apt', join(`${init}:2`)) }]),
      warnings: [{ check: 'dependency_unused', message: 'No code uses the dependency puppetlabs/concat' }],
    })
  })
})
