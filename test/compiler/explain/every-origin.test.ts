import { describe, expect, it } from 'vitest'
import { explaining, waysOf } from './explaining.ts'

/** Lines that all catalogs here begin with. */
const prelude = [
  "$top = 'text'",
  `$derived = "\${top} on \${facts['os']['family']}"`,
  'class own { $value = $top }',
  'include own',
  "notify { 'first': message => $osfamily }",
  "$settings_hash = { 'a' => $top, 'b' => { 'c' => $osfamily } }",
  "[$one, $two] = ['first', $top]",
]

const files = {
  'hiera.yaml': `version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}
  - {name: Family, path: '%{facts.os.family}.yaml'}
  - {name: Common, path: common.yaml}
`,
  'data/nodes/n1.yaml': 'per_node: own\nmerged: [one]\n',
  'data/Debian.yaml': '# of a family\nper_family: apt\n',
  'data/common.yaml': `---
plain: common
per_node: other
interpolated: "on %{facts.os.family}"
asks: "so %{lookup('plain')}"
merged:
  - two
structure: {inner: deep}
lookup_options:
  merged: {merge: unique}
`,
  'modules/m/hiera.yaml':
    'version: 5\nhierarchy: [{name: Defaults, path: d.yaml, datadir: data, data_hash: yaml_data}]\n',
  'modules/m/data/d.yaml': 'm::p: of the module\n',
  'modules/m/templates/t.epp': '<%- | $v, $w = $osfamily | -%>\n<%= $v %>\n<% if $w { %><%= $w %><% } %>\n',
  'modules/m/templates/free.epp': 'is <%= $top %>\n',
  'modules/m/templates/t.erb': "is <%= @osfamily %> <%= scope['top'] %>\n",
  'modules/m/files/f.txt': 'a file',
  'modules/m/functions/id.pp': 'function m::id($x) {\n  $y = $x\n  $y\n}\n',
  'modules/m/functions/other.pp': 'function m::other($x, $y = \'no\') {\n  return "${y}"\n}\n',
  'modules/m/lib/puppet/functions/m/rubyfn.rb':
    'Puppet::Functions.create_function(:"m::rubyfn") { dispatch(:run) { param "Any", :x }; def run(x); x; end }\n',
}

const known = {
  node: { name: 'n1', environment: 'production', parameters: { role: 'web' }, classes: [] },
  facts: { os: { family: 'Debian', release: { major: '12' } }, osfamily: 'Debian', disks: ['sda', 'sdb'] },
  trusted: { certname: 'n1', extensions: { pp_role: 'db' } },
  serverFacts: { environment: 'production', serverversion: '8' },
  settings: { certname: 'server' },
}

const top = 'variable $top :1 < literal :1'
const family = 'fact os.family (Debian)'
const legacy = 'fact osfamily (Debian)'
const common = (key: string, line: number) => `data ${key} (level "Common" of Environment) data/common.yaml:${line}`

/** Expressions, and the ways from each to where its value comes from; `:L` is the expression's own line. */
const sources: readonly (readonly [code: string, ...ways: readonly string[]])[] = [
  ["'text'", 'literal :L'],
  ['"text"', 'literal :L'],
  ['word', 'literal :L'],
  ['(5 + 3)', 'literal :L'],
  ["['a', 'b']", 'literal :L'],
  ['$top', top],
  ['$::top', 'variable $::top :1 < literal :1'],
  ['$derived', `variable $derived :2 < ${top}`, `variable $derived :2 < ${family}`],
  ['$own::value', `variable $own::value :3 < ${top}`],
  ['$settings_hash["a"]', `variable $settings_hash :6 < ${top}`],
  ['$settings_hash["b"]["c"]', `variable $settings_hash :6 < ${legacy}`],
  ['$one', 'variable $one :7 < literal :7'],
  ['$two', `variable $two :7 < ${top}`],
  ['"a ${top} b ${osfamily}"', top, legacy],
  ["\"a ${facts['os']['family']}\"", family],
  ["$facts['os']['family']", family],
  ["$facts['os']['release']['major']", 'fact os.release.major (12)'],
  ["$facts['disks'][1]", 'fact disks.1 (sdb)'],
  ["$facts['os']", 'fact os'],
  ["$facts.get('os.family')", family],
  ["$facts.dig('os', 'family')", family],
  ["getvar('facts.os.family')", family],
  ['$osfamily', legacy],
  ['$::osfamily', legacy],
  ["$os['family']", family],
  ["$trusted['certname']", 'trusted certname (n1)'],
  ["$trusted['extensions']['pp_role']", 'trusted extensions.pp_role (db)'],
  ["$server_facts['serverversion']", 'server fact serverversion (8)'],
  ['$environment', 'server fact environment (production)'],
  ['$role', 'node parameter role (web)'],
  ['$settings::certname', 'setting certname'],
  ["lookup('plain')", `function lookup() :L < ${common('plain', 2)}`],
  ["hiera('plain')", `function hiera() :L < ${common('plain', 2)}`],
  ["'plain'.lookup", `function lookup() :L < ${common('plain', 2)}`],
  ["lookup('structure.inner')", `function lookup() :L < ${common('structure', 8)}`],
  [
    "lookup('per_node')",
    'function lookup() :L < data per_node (level "Node" of Environment) data/nodes/n1.yaml:1 < trusted certname (n1)',
  ],
  [
    "lookup('per_family')",
    `function lookup() :L < data per_family (level "Family" of Environment) data/Debian.yaml:2 < ${family}`,
  ],
  ["lookup('interpolated')", `function lookup() :L < ${common('interpolated', 4)} < ${family}`],
  ["lookup('asks')", `function lookup() :L < ${common('asks', 5)} < ${common('plain', 2)}`],
  [
    "lookup('merged')",
    'function lookup() :L < data merged (level "Node" of Environment) data/nodes/n1.yaml:2 < trusted certname (n1)',
    `function lookup() :L < ${common('merged', 6)}`,
  ],
  ["lookup('m::p')", 'function lookup() :L < data m::p (level "Defaults" of Module "m") m/data/d.yaml:1'],
  ["lookup('none', String, 'first', $top)", `function lookup() :L < lookup default none :L < ${top}`],
  ["lookup('none', String, 'first', 'x')", 'function lookup() :L < lookup default none :L < literal :L'],
  ["lookup('none') |$key| { $osfamily }", `function lookup() :L < lookup default none :L < ${legacy}`],
  [
    "epp('m/t.epp', { 'v' => $top })",
    `template epp(m/t.epp) :L < argument $v of epp() :L < ${top}`,
    `template epp(m/t.epp) :L < condition m/templates/t.epp:3 < argument $w of epp() :L < ${legacy}`,
    `template epp(m/t.epp) :L < argument $w of epp() :L < ${legacy}`,
  ],
  ["epp('m/free.epp')", `template epp(m/free.epp) :L < ${top}`],
  ["inline_epp('is <%= $top %>')", `template inline_epp(in place) :L < ${top}`],
  ["template('m/t.erb')", `template template(m/t.erb) :L < ${legacy}`, `template template(m/t.erb) :L < ${top}`],
  ["inline_template('<%= @osfamily %>')", `template inline_template(in place) :L < ${legacy}`],
  ["file('m/f.txt')", 'file file(m/f.txt) :L'],
  ['m::id($top)', `function m::id() :L < variable $y m/functions/id.pp:2 < argument $x of m::id() :L < ${top}`],
  ['m::other($top, $osfamily)', `function m::other() :L < argument $y of m::other() :L < ${legacy}`],
  ['m::other($top)', 'function m::other() :L < argument $y of m::other() :L < literal m/functions/other.pp:1'],
  ['m::rubyfn($top)', `function m::rubyfn() :L < ${top}`],
  ['upcase($top)', `function upcase() :L < ${top}`],
  ['$top.upcase', `function upcase() :L < ${top}`],
  ["sprintf('%s', $osfamily)", `function sprintf() :L < ${legacy}`],
  ['String($top)', `function String() :L < ${top}`],
  ['[$top, $osfamily][0]', top],
  ["{ 'a' => $top, 'b' => $osfamily }['b']", legacy],
  ["({ 'a' => $top } + { 'b' => $osfamily })['b']", legacy],
  ["$facts['os']['family'] ? { 'Debian' => $top, default => 'no' }", `condition :L < ${family}`, top],
  ["if $osfamily == 'Debian' { $top } else { $role }", `condition :L < ${legacy}`, top],
  ["unless $osfamily == 'Debian' { $role } else { 'x' }", `condition :L < ${legacy}`],
  ["case $osfamily { 'Debian': { $top } default: { $role } }", `condition :L < ${legacy}`, top],
  ["Notify['first']['message']", `resource parameter Notify[first][message] :L < attribute :5 < ${legacy}`],
  ['$top =~ /e/', top],
  [
    'with($top) |$x| { "${x}!" }',
    `function with() :L < ${top}`,
    `function with() :L < argument $x of with() :L < ${top}`,
  ],
]

/** Code that sets `message` of `Notify[n]` to an expression, and what stands before the expression's own way. */
const setters: readonly (readonly [name: string, code: (expression: string) => readonly string[], way: string])[] = [
  ['an attribute', (e) => [`notify { 'n': message => ${e} }`], 'attribute :L < '],
  [
    'the default of an expression',
    (e) => [`notify { default: message => ${e}; 'n': }`],
    'default of the expression :L < ',
  ],
  ['a resource default', (e) => [`Notify { message => ${e} }`, "notify { 'n': }"], 'resource default :L < '],
  ['a hash', (e) => [`notify { 'n': * => { message => ${e} } }`], 'attributes from a hash message :L < '],
  [
    'create_resources',
    (e) => [`create_resources('notify', { 'n' => { 'message' => ${e} } })`],
    'attributes from a hash create_resources() :L < ',
  ],
  [
    'the defaults of create_resources',
    (e) => [`create_resources('notify', { 'n' => {} }, { 'message' => ${e} })`],
    'attributes from a hash create_resources() :L < ',
  ],
  [
    'a collector',
    (e) => [`Notify <| title == 'n' |> { message => ${e} }`, "@notify { 'n': }"],
    'override by a collector :L < ',
  ],
  [
    'a class that inherits',
    (e) => [`class b inherits a { Notify['n'] { message => ${e} } }`, "class a { notify { 'n': } }", 'include b'],
    'override :L < ',
  ],
  [
    'a parameter of a define',
    (e) => [`d { 'x': p => ${e} }`, "define d($p) { notify { 'n': message => $p } }"],
    'attribute :+1 < parameter D[x][p] :L < attribute :L < ',
  ],
  [
    'a parameter of a define in a define',
    (e) => [
      `f { 'x': q => ${e} }`,
      "define f($q) { d { 'y': p => $q } }",
      "define d($p) { notify { 'n': message => $p } }",
    ],
    'attribute :+2 < parameter D[y][p] :+1 < attribute :+1 < parameter F[x][q] :L < attribute :L < ',
  ],
  [
    'the default of a parameter',
    (e) => [`class c($p = ${e}) { notify { 'n': message => $p } }`, 'include c'],
    'attribute :L < parameter Class[C][p] < parameter default :L < ',
  ],
  [
    'a parameter of a class',
    (e) => [`class { 'c': p => ${e} }`, "class c($p = 'no') { notify { 'n': message => $p } }"],
    'attribute :+1 < parameter Class[C][p] :L < attribute :L < ',
  ],
  [
    'a lambda',
    (e) => [`[${e}].each |$v| { notify { 'n': message => $v } }`],
    'attribute :L < argument $v of each() :L < ',
  ],
  [
    'a variable',
    (e) => [`$local = ${e}`, "notify { 'n': message => $local }"],
    'attribute :+1 < variable $local :L < ',
  ],
]

const first = prelude.length + 1

/** All expressions set by an attribute; of the others, another quarter for each way to set. */
const cases = setters.map(([name, code, way], setter) => {
  const some = sources.filter((_, index) => setter === 0 || (index + setter) % 4 === 0)
  return [name, code, way, some] as const
})

it('are more than two hundred', () => {
  expect(cases.flatMap(([, , , some]) => some).length).toBeGreaterThan(200)
})

describe.each(cases)('%s', (_name, code, way, some) => {
  it.each(some)('%s', (expression, ...expected) => {
    const catalog = explaining([...prelude, ...code(expression), ''].join('\n'), files, known)
    const placed = (text: string) =>
      text.replace(/:L/g, `:${first}`).replace(/:\+(\d)/g, (_, lines) => `:${first + Number(lines)}`)
    expect(new Set(waysOf(catalog, 'Notify[n]', 'message'))).toEqual(
      new Set(expected.map((each) => placed(way + each))),
    )
  })
})
