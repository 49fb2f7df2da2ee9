import { expect, it } from 'vitest'
import { buildCompileRequest, emptyClassification } from '../../src/cli/input/compile-options.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { CatalogError } from '../../src/compiler/request/catalog-error.ts'
import type { CompileResult } from '../../src/compiler/request/compile-request.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { diffCatalogs, formatCatalogDiff } from '../../src/model/catalog-diff.ts'

const settings = loadSettings({ given: {}, runMode: 'user' })

/** The secret is in no text of code: `$s` is Sensitive, and so is what `$deep` holds. */
function compiled(code: string, end = ''): CompileResult {
  const text = `$s = Sensitive("unmis\${'tak4ble'}${end}")\n$deep = { 'a' => ['b', { 'c' => $s }] }\n${code}\n`
  const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest: { text } })
  const request = buildCompileRequest(
    { node: 'vm', facts: undefined, classified: emptyClassification },
    environment,
    settings,
  )
  return compile({ ...request, facts: {}, debug: true, searchExports: () => [] })
}

/** All that a compilation says, whether it succeeds or not. */
function saidOf(code: string): string {
  try {
    const { logs, exports } = compiled(code)
    return JSON.stringify([logs, exports])
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error
    return JSON.stringify([error.message, error.diagnostic.hint, error.logs])
  }
}

it.each([
  // Messages.
  'notice($s) warning("${s}") debug($deep) err([$s]) notice(String($s)) notice(String($s, "%p"))',
  'fail($s)',
  'fail("x ${s} ${deep}")',
  'notice(type($s), inline_epp("<%= $x %>", { x => $s }), inline_template("<%= @s %><%= @deep %>"))',
  // Types that do not fit.
  ...[
    'Integer',
    'Enum[a]',
    'Pattern[/x/]',
    'Struct[{ k => Integer }]',
    'Sensitive[Integer]',
    'Sensitive[Enum[a]]',
  ].flatMap((type) => [
    `class a(${type} $x) {} class { 'a': x => $s }`,
    `define a(${type} $x) {} a { 't': x => $s }`,
    `function a(${type} $x) {} a($s)`,
    `[$s].each |${type} $x| {}`,
    `assert_type(${type}, $s)`,
  ]),
  'class a(Struct[{ a => Tuple[String, Struct[{ c => Integer }]] }] $x) {} class { "a": x => $deep }',
  'class a(Sensitive[Pattern[/^x/]] $x) {} class { "a": x => $s }',
  // Functions that are given it.
  ...[
    'Integer($s)',
    'sprintf("%d", $s)',
    'versioncmp($s, "1")',
    'split($s, "a")',
    'lookup($s)',
    'include $s',
    '$s.foo',
  ],
  ...[
    'lookup("x", Integer, first, $s)',
    'create_resources($s, {})',
    'realize($s)',
    'tag($s)',
    '$x = $s + 1',
    '$x = $s[a]',
  ],
  ...[
    'notice($s.unwrap.length)',
    '$x = "x" + $s',
    'case $s { "a": {} }',
    '$x = $s ? { "a" => 1 }',
    'regsubst($s, "a", "b")',
  ],
  // Templates and Ruby.
  'inline_epp("<%= $x + 1 %>", { x => $s })',
  'inline_epp("<%| Integer $x |><%= $x %>", { x => $s })',
  'inline_template("<%= @s.unwrap.foo %>")',
  'inline_template("<%= @s.foo %>")',
  'inline_template("<%= Integer(@s.unwrap) %>")',
  'inline_template("<%= @deep.foo %>")',
  'inline_template("<%= raise @s.unwrap %>")',
  'inline_template("<%= { k: @s.unwrap }.fetch(@s.unwrap) %>")',
  // Resources.
  'notify { $s: }',
  'file { $s: ensure => present }',
  'notify { "a": message => $s } notify { "a": message => "b" }',
  'notify { "a": message => $s } Notify["a"] { message => "b" }',
  'class x { notify { "a": message => Sensitive("b") } } include x Notify["a"] { message => $s }',
  '@notify { "a": message => $s } Notify<| message == "b" |>',
  'Notify<| message == $s |>',
  'notify { "a": nope => $s }',
  'nope { "a": nope => $s }',
  ...['tag', 'require', 'before', 'notify', 'subscribe', 'alias', 'stage'].map(
    (name) => `notify { "a": ${name} => $s }`,
  ),
  'notify { "a": require => Sensitive("File[${s.unwrap}]") }',
  // What others may collect.
  '@@file { "/a": path => Sensitive("/${s.unwrap}"), content => $s, mode => Sensitive("0644") }',
  '@@notify { "a": message => $deep, alias => $s }',
  '@@notify { "a": message => Deferred("sprintf", ["%s", $s]) }',
])('what is said of %s shows nothing of the secret', (code) => {
  expect(saidOf(code)).not.toContain('unmistak4ble')
})

it('what is taken out of its wrapper and shown by code is shown', () => {
  expect(saidOf('notice($s.unwrap)')).toContain('unmistak4ble')
})

it.each([
  'notify { "a": message => $s }',
  'notify { "a": message => $deep }',
  'notify { "a": message => [$s, "b"] }',
  'define d($x) {} d { "a": x => $deep }',
  'class c(Sensitive[String] $x) {} class { "c": x => $s }',
])('a diff of catalogs shows that a secret in %s changed, and not from what to what', (code) => {
  const [one, other] = ['', ' now'].map((end) => compiled(code, end).catalog) as [never, never]
  const text = formatCatalogDiff(diffCatalogs(one, other))
  expect(text).toMatch(/redacted [0-9a-f]{8}/)
  expect(text).not.toContain('unmistak4ble')
  expect(formatCatalogDiff(diffCatalogs(one, one))).not.toMatch(/redacted/)
})
