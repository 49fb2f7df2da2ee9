import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatPublicSettings } from '../../../src/machine/settings/public-settings.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { openTestCode } from '../../../src/workbench/manifest-tests/test-code.ts'
import { runTestFile, type SuiteParts, type TestResult } from '../../../src/workbench/manifest-tests/test-suite.ts'
import { openFacterDb } from '../../../src/workbench/systems/facterdb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('manifest-tests')
const module = join(folder, 'puppet-motd')
const systems = {
  'debian-12': { os: { name: 'Debian', family: 'Debian' }, networking: { fqdn: 'foo.example.com' } },
  'rocky-9': { os: { name: 'Rocky', family: 'RedHat' }, networking: { fqdn: 'foo.example.com' } },
}
const metadata = {
  name: 'me-motd',
  operatingsystem_support: [
    { operatingsystem: 'Debian', operatingsystemrelease: ['11', '12'] },
    { operatingsystem: 'Rocky', operatingsystemrelease: ['9'] },
  ],
}
const manifest = `class motd(String[1] $text = 'hello', Enum['present', 'absent'] $ensure = 'present') {
  $package = $facts['os']['family'] ? { 'RedHat' => 'setup', default => 'base-files' }
  package { $package: ensure => installed }
  -> file { '/etc/motd': ensure => $ensure, content => "\${text} from \${trusted['certname']}", mode => '0644' }
  file { '/etc/motd.d': ensure => directory }
  file { '/etc/motd.d/a': }
}`

write(join(folder, 'gems/facterdb-3.0.0/facts/4.2/debian-12-x86_64.facts'), JSON.stringify({ os: 'older Facter' }))
for (const [name, facts] of Object.entries(systems))
  write(join(folder, `gems/facterdb-3.0.0/facts/4.10/${name}-x86_64.facts`), JSON.stringify(facts))
write(join(folder, 'puppet-motd/metadata.json'), JSON.stringify(metadata))
write(join(folder, 'puppet-motd/manifests/init.pp'), manifest)

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Runs the tests of a manifest in the module. */
async function run(text: string, options: Partial<SuiteParts> = {}): Promise<readonly TestResult[]> {
  const file = join(module, 'manifests/init_test.pp')
  write(file, text)
  const settings = loadSettings({
    given: { confdir: join(folder, 'etc'), vardir: join(folder, 'var') },
    runMode: 'user',
  })
  const code = await openTestCode(module, [], settings)
  const golden = new Map<string, string>()
  try {
    return [
      ...runTestFile(file, {
        code,
        only: [],
        openFacts: () => openFacterDb([join(folder, 'gems')]),
        createRequest: ({ certname, facts, trusted }, environment) => ({
          ...{ node: { name: certname, environment: 'production', parameters: {}, classes: [] }, facts, environment },
          ...{ trusted: { certname, ...trusted }, serverFacts: {}, staticChecksum: undefined },
          ...{ settings: formatPublicSettings(settings), strict: 'error', strictVariables: true },
        }),
        golden: {
          isUpdated: false,
          read: (name) => golden.get(name),
          write: (name, content) => golden.set(name, content),
        },
        ...options,
      }),
    ]
  } finally {
    code.close()
  }
}

/** The messages of all failures, with the line. */
const messagesOf = (results: readonly TestResult[]) =>
  results.flatMap(({ failures }) =>
    failures.map(({ line, message }) => `${line}: ${message.replaceAll(`${module}/manifests/`, '')}`),
  )

describe('a test manifest', () => {
  it('runs each test on the supported systems that FacterDB has', async () => {
    const results = await run(`
test('installs') || {
  include motd
  expect_resource(Package[$facts['os']['family'] ? { 'RedHat' => 'setup', default => 'base-files' }], { ensure => 'installed' })
}`)
    expect(results.map(({ test, system, failures }) => [test, system, failures])).toEqual([
      ['installs', 'debian-12-x86_64', []],
      ['installs', 'rocky-9-x86_64', []],
    ])
  })
  const onDebian = "{ on => ['debian-12'] }"
  it.each<readonly [what: string, body: string, messages: readonly string[]]>([
    ['finds a resource', "include motd expect_resource(File['/etc/motd'])", []],
    [
      'matches patterns and types',
      "include motd expect_resource(File['/etc/motd'], { content => /^hello/, mode => String, owner => undef })",
      [],
    ],
    [
      'compares strings exactly',
      "include motd expect_resource(File['/etc/motd'], { ensure => 'PRESENT' })",
      ["2: ensure of File[/etc/motd] is 'present'; expected 'PRESENT'"],
    ],
    [
      'misses a resource',
      "include motd expect_resource(File['/etc/mtd'])",
      ["2: File[/etc/mtd] is not in the catalog. Did you mean 'File[/etc/motd]'?"],
    ],
    [
      'rejects a resource',
      "include motd expect_no_resource(File['/etc/motd'])",
      ['2: File[/etc/motd] is in the catalog'],
    ],
    ['misses no resource', "include motd expect_no_resource(User['x'])", []],
    [
      'counts',
      'include motd expect_count(File, 3) expect_count(User, 1)',
      ['2: The catalog contains 0 resources of type User, not 1'],
    ],
    ['knows relationships', "include motd expect_order(Package['base-files'], File['/etc/motd'])", []],
    ['knows autorequires', "include motd expect_order(File['/etc/motd.d'], File['/etc/motd.d/a'])", []],
    [
      'knows containers',
      "include motd notify { 'x': require => Class['motd'] } expect_order(File['/etc/motd'], Notify['x'])",
      [],
    ],
    [
      'has no order',
      "include motd expect_order(File['/etc/motd'], File['/etc/motd.d'])",
      ['2: File[/etc/motd] is not required to be applied before File[/etc/motd.d]'],
    ],
    ['expects an error', "expect_error(/parameter 'text' expects/) class { 'motd': text => 1 }", []],
    [
      'expects another error',
      "expect_error('no such text') class { 'motd': text => 1 }",
      [
        "2: The error is \"Evaluation Error: Error while evaluating a Resource Statement, Class[Motd]: parameter 'text' expects a String value, got Integer\"; expected 'no such text'",
      ],
    ],
    [
      'fails without the error',
      "expect_error('x') include motd",
      ["2: The catalog compiled; expected an error with 'x'"],
    ],
    [
      'fails with an error',
      "class { 'motd': ensure => 'running' }",
      [
        "2: Evaluation Error: Error while evaluating a Resource Statement, Class[Motd]: parameter 'ensure' expects a match for Enum['absent', 'present'], got 'running'",
      ],
    ],
    [
      'fails with an invalid attribute',
      "file { '/x': mode => 'rw' }",
      [
        'undefined: Parameter mode failed on File[/x]: The file mode specification is invalid: "rw" (file: init_test.pp, line: 2)',
      ],
    ],
    [
      'fails with a missing relation',
      "file { '/x': require => File['/y'] }",
      ["undefined: Could not find resource 'File[/y]' in parameter 'require' (file: init_test.pp, line: 2)"],
    ],
    [
      'fails with a cycle',
      "file { '/x': before => File['/y'] } file { '/y': before => File['/x'] }",
      ['undefined: Found 1 dependency cycle:\n(File[/x] => File[/y] => File[/x])'],
    ],
  ])('%s', async (what, body, messages) => {
    expect(messagesOf(await run(`test('${what}', ${onDebian}) || {\n${body}\n}`))).toEqual(messages)
  })

  it.each<readonly [what: string, options: string, body: string]>([
    ['facts', "facts => { 'os' => { 'family' => 'RedHat' } }", "include motd expect_resource(Package['setup'])"],
    [
      'data',
      "data => { 'motd::text' => 'bye' }",
      "include motd expect_resource(File['/etc/motd'], { content => /^bye from/ })",
    ],
    [
      'trusted data',
      "trusted => { 'certname' => 'x.test' }",
      "include motd expect_resource(File['/etc/motd'], { content => /from x.test/ })",
    ],
    [
      'a certname',
      "certname => 'y.test'",
      "include motd expect_resource(File['/etc/motd'], { content => /from y.test/ })",
    ],
    ['a name of FacterDB', "on => ['rocky-9-x86_64']", "include motd expect_resource(Package['setup'])"],
    [
      'no system',
      "on => none, facts => { 'os' => { 'family' => 'x' } }",
      "include motd expect_resource(Package['base-files'])",
    ],
  ])('has %s', async (_, options, body) => {
    const results = await run(
      `test('x', { on => ['debian-12'], ${options} }) || { ${body} }`.replace("on => ['debian-12'], on", 'on'),
    )
    expect(results).toHaveLength(1)
    expect(messagesOf(results)).toEqual([])
  })

  it('runs only tests with a text in their name', async () => {
    const results = await run(`test('one', ${onDebian}) || { }\ntest('two', ${onDebian}) || { }`, { only: ['tw'] })
    expect(results.map(({ test }) => test)).toEqual(['two'])
  })

  it.each<readonly [what: string, text: string, messages: readonly string[]]>([
    ['a syntax error', "test('x' || {", ["1: Could not parse for environment production: Syntax error at '|'"]],
    [
      'a test in a test',
      "test('x', { on => none }) || {\n  test('y') || { } }",
      ["2: Evaluation Error: Test 'y' is inside another test"],
    ],
    ['an expectation outside', "expect_error('x')", ['1: Evaluation Error: expect_error() is called outside a test']],
    [
      'an unknown system',
      "test('x', { on => ['debian-13'] }) || { }",
      ["1: FacterDB contains no facts of 'debian-13'. Did you mean 'debian-12-x86_64'?"],
    ],
    [
      'a reference without a title',
      "test('x', { on => none }) || { expect_resource(File) }",
      ['1: File is not in the catalog'],
    ],
    [
      'a path as name of a golden catalog',
      "test('x', { on => none }) || { expect_catalog('../x') }",
      ["1: 'expect_catalog' parameter 'name' expects a match for Pattern"],
    ],
  ])('reports %s', async (_, text, messages) => {
    const found = messagesOf(await run(text)).map((each) =>
      each.replace(/Evaluation Error: Error while .*?, /s, '').replace(/(?<=a match for Pattern).*/s, ''),
    )
    expect(found).toEqual(messages)
  })

  it('reports more tests than a file may contain', async () => {
    const [message] = messagesOf(await run('Integer[1, 2001].each |$at| { test("n${at}") || { } }'))
    expect(message).toMatch(/A file contains more than 2000 tests$/)
  })

  it('compares golden catalogs, and writes them', async () => {
    const golden = new Map<string, string>()
    const files = {
      read: (name: string) => golden.get(name),
      write: (name: string, text: string) => void golden.set(name, text),
    }
    const text = (motd: string) =>
      `test('x', ${onDebian}) || { class { 'motd': text => '${motd}' } expect_catalog('small') }`
    expect(messagesOf(await run(text('a'), { golden: { ...files, isUpdated: false } }))).toEqual([
      "1: The golden catalog 'small' does not exist. Run 'plumb test --update' to write it.",
    ])
    expect(messagesOf(await run(text('a'), { golden: { ...files, isUpdated: true } }))).toEqual([])
    expect([...golden.keys()]).toEqual([join(module, 'manifests/init_golden/small.debian-12-x86_64.json')])
    expect([...golden.values()][0]).not.toContain(folder)
    expect(messagesOf(await run(text('a'), { golden: { ...files, isUpdated: false } }))).toEqual([])
    const [difference] = messagesOf(await run(text('b'), { golden: { ...files, isUpdated: false } }))
    expect(difference).toMatch(
      /differs from the golden catalog 'small':.*\n-.*a from foo.example.com.*\n\+.*b from foo.example.com/s,
    )
  })
})
