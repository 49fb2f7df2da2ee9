import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFacterDb } from '../../../src/workbench/systems/facterdb.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('plumb-test')
const gems = join(folder, 'gems')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--gem-path', gems]

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}

const facts = (family: string) => JSON.stringify({ os: { family }, networking: { fqdn: 'foo.example.com' } })
write('gems/gems/facterdb-2.0.0/facts/4.2/debian-12-x86_64.facts', facts('Debian'))
write('gems/gems/facterdb-2.0.0/facts/4.2/rocky-9-x86_64.facts', facts('RedHat'))
write('gems/gems/facterdb-2.0.0/facts/4.2/gentoo-x86_64.facts', facts('Gentoo'))
const systems = [
  { operatingsystem: 'Debian', operatingsystemrelease: ['12'] },
  { operatingsystem: 'Rocky', operatingsystemrelease: ['9'] },
]
write('bad/x_test.pp', '')
const module = dirname(write('mod/metadata.json', JSON.stringify({ name: 'me-mod', operatingsystem_support: systems })))
write('mod/manifests/init.pp', "class mod { if $facts['os']['family'] in ['RedHat', 'Gentoo'] { fail('no release') } }")
write('mod/manifests/part.pp', "# Part.\n#\n# @api private\nclass mod::part { fail('private') }")
const tests = write(
  'mod/manifests/init_test.pp',
  "test('one') || {\n  include mod\n}\ntest('two', { on => none }) || { notify { 'x': } expect_catalog('two') }",
)
// A link to the module itself, as in the fixtures of rspec-puppet.
mkdirSync(join(module, 'spec/fixtures/modules'), { recursive: true })
symlinkSync(module, join(module, 'spec/fixtures/modules/mod'))

describe('plumb test', () => {
  it('prints progress, failures and a summary', async () => {
    const { status, out, err } = await runHere(['test', tests, ...places])
    expect({ status, err }).toEqual({ status: 1, err: '' })
    expect(out).toMatch(
      /^\.FF\n\nFailures:\n\n {2}1\) one on rocky-9-x86_64\n {5}.*no release\n {5}# .*mod\/manifests\/init.pp:1\n/,
    )
    expect(out).toContain("The golden catalog 'two' does not exist")
    expect(out).toMatch(/\nFinished in \d+\.\d\d seconds\n3 examples, 2 failures\n$/)
  })

  it('finds the tests of a folder once, without those of fixtures', async () => {
    const { out } = await runHere(['test', module, tests, '--format', 'json', ...places])
    const { examples, summary } = JSON.parse(out)
    expect(
      examples.map((each: { full_description: string; status: string }) => `${each.full_description} ${each.status}`),
    ).toEqual(['one on debian-12-x86_64 passed', 'one on rocky-9-x86_64 failed', 'two failed'])
    expect(summary).toMatchObject({ example_count: 3, failure_count: 2, pending_count: 0 })
  })

  it('writes JUnit and documentation', async () => {
    const { out } = await runHere(['test', tests, '--format', 'junit', '--example', 'one', ...places])
    expect(out).toContain('<testsuite name="plumb test" tests="2" failures="1" errors="0" skipped="0"')
    expect(out).toMatch(
      /<testcase classname=".*init_test.pp" name="one on rocky-9-x86_64" time="[\d.]+">\n {4}<failure message=/,
    )
    const report = join(folder, 'results.xml')
    const words = ['--format', 'junit', '--out', report, '--example', 'one', ...places]
    expect((await runHere(['test', tests, ...words])).out).not.toContain('testsuite')
    expect(readFileSync(report, 'utf8')).toContain('<testsuite name="plumb test" tests="2" failures="1"')
    const documented = await runHere(['test', tests, '--format', 'documentation', '--example', 'one', ...places])
    expect(documented.out).toMatch(/^ok one on debian-12-x86_64\nFAILED one on rocky-9-x86_64\n/)
  })

  it('writes golden catalogs', async () => {
    const golden = join(module, 'manifests/init_golden/two.json')
    const two = ['test', tests, '--example', 'two', ...places]
    expect((await runHere([...two, '--update'])).status).toBe(0)
    expect(JSON.parse(readFileSync(golden, 'utf8')).resources.at(-1)).toEqual({
      type: 'Notify',
      title: 'x',
    })
    expect((await runHere(two)).status).toBe(0)
    writeFileSync(golden, '{}')
    expect((await runHere(two)).status).toBe(1)
    expect(readFileSync(golden, 'utf8')).toBe('{}')
  })

  it('writes each format to its own output', async () => {
    const [xml, json] = [join(folder, 'a.xml'), join(folder, 'b.json')]
    const outputs = ['-f', 'progress', '-f', 'junit', '-o', xml, '-f', 'json', '-o', json]
    const { out } = await runHere(['test', tests, '--example', 'one', ...outputs, ...places])
    expect(out).toMatch(/^\.F\n\nFailures:/)
    expect(readFileSync(xml, 'utf8')).toContain('<testsuite')
    expect(JSON.parse(readFileSync(json, 'utf8')).summary.failure_count).toBe(1)
  })

  it.each([
    [
      'an unknown format',
      ['--format', 'docmentation'],
      /Unknown format 'docmentation'.*\n.*Did you mean 'documentation'/,
    ],
    ['an option of suites', ['--tag', 'slow'], /--tag is an option of rspec-puppet suites/],
    ['a file without a format', ['-f', 'json', '-o', 'a', '-o', 'b'], /--out needs a --format of its own/],
  ])('rejects %s', async (_, words, message) => {
    const { status, err } = await runHere(['test', tests, ...words, ...places])
    expect([status, err]).toEqual([1, expect.stringMatching(message)])
  })

  it('fails a test that would run on no system', async () => {
    const future = [{ operatingsystem: 'Debian', operatingsystemrelease: ['99'] }]
    write('future/metadata.json', JSON.stringify({ name: 'me-future', operatingsystem_support: future }))
    const { status, out } = await runHere(['test', write('future/x_test.pp', "test('x') || { }"), ...places])
    expect(status).toBe(1)
    expect(out).toContain('FacterDB contains no facts of the systems in metadata.json')
  })

  it('rejects a golden catalog that two tests write, and a folder that is a link', async () => {
    const two = "test('a', { on => none }) || { notify { 'a': } expect_catalog('x') }\n"
    const file = write('mod/manifests/twice_test.pp', `${two}${two.replaceAll("'a'", "'b'")}`)
    const { status, out } = await runHere(['test', file, '--update', ...places])
    expect(status).toBe(1)
    expect(out).toContain('Two tests with different catalogs write')
    symlinkSync(folder, join(module, 'manifests/linked_golden'))
    const linked = write('mod/manifests/linked_test.pp', two)
    expect((await runHere(['test', linked, '--update', ...places])).err).toContain('is a symbolic link')
    for (const name of ['twice_test.pp', 'linked_test.pp', 'linked_golden']) rmSync(join(module, 'manifests', name))
  })

  it('compiles each public class with the facts of all systems', async () => {
    const { status, out } = await runHere(['test', module, '--facts', 'fleet', ...places])
    expect(status).toBe(1)
    expect(out.replaceAll(folder, '')).toBe(`mod on rocky-9-x86_64
    Evaluation Error: Error while evaluating a Function Call, no release
    # /mod/manifests/init.pp:1

mod (not supported) on gentoo-x86_64
    Evaluation Error: Error while evaluating a Function Call, no release
    # /mod/manifests/init.pp:1

1 class on 3 systems: 1 fail on nodes or supported systems
`)
    const json = JSON.parse((await runHere(['test', module, '--facts', 'fleet', '--render-as', 'json', ...places])).out)
    expect(json).toMatchObject({
      classes: 1,
      systems: 3,
      failures: [{ class: 'mod', systems: ['rocky-9-x86_64'] }, {}],
    })
  })

  it('tests a control repository', async () => {
    write('control/environment.conf', 'modulepath = site:modules\n')
    write('control/hiera.yaml', 'version: 5\nhierarchy: [{ name: all, path: all.yaml }]\n')
    write('control/data/all.yaml', 'profile::web::port: 80\n')
    write('control/site/profile/manifests/web.pp', 'class profile::web(Integer $port) { notify { "port ${port}": } }')
    const file = write(
      'control/site/profile/manifests/web_test.pp',
      "test('has data') || { include profile::web expect_resource(Notify['port 80']) }\n" +
        "test('has its own data', { data => { 'profile::web::port' => 81 } }) || { include profile::web expect_resource(Notify['port 81']) }",
    )
    const { status, out } = await runHere(['test', file, ...places])
    expect({ status, out: out.split('\n')[0] }).toEqual({ status: 0, out: '..' })
  })

  it.each<readonly [what: string, words: readonly string[], message: RegExp]>([
    ['a folder without tests', [dirname(write('empty/x.pp', ''))], /No tests found in .*empty.*_test\.pp/s],
    ['a missing path', [join(folder, 'nowhere')], /Could not find .*nowhere/],
    ['a test outside of modules', [write('outside/x_test.pp', '')], /is not in a module or a control repository/],
    [
      'an invalid metadata.json',
      [join(dirname(write('bad/metadata.json', '{"name": 3}')), '../bad')],
      /Could not read .*bad.metadata.json: it names no module/,
    ],
    ['fleet outside of a module', [join(folder, 'empty'), '--facts', 'fleet'], /is not in a module/],
  ])('rejects %s', async (_, words, message) => {
    const { status, err } = await runHere(['test', ...words, ...places])
    expect(status).toBe(1)
    expect(err).toMatch(message)
  })

  it('names the remedy where FacterDB is absent', () => {
    const open = () => openFacterDb([join(folder, 'nowhere')])
    expect(open).toThrow(
      expect.objectContaining({
        diagnostic: expect.objectContaining({
          hint: expect.stringContaining('plumb facts db update'),
        }),
      }),
    )
  })
})
