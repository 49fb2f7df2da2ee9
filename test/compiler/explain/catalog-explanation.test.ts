import { describe, expect, it } from 'vitest'
import type { CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { explaining, framesOf, waysOf } from './explaining.ts'

const facts = { os: { family: 'Debian' }, token: 's3cret' }

/** A parameter of a resource, and the ways from it to where it ends. */
type Expected = readonly [resource: string, parameter: string, ...ways: readonly string[]]

const cases: readonly (readonly [name: string, code: string, expected: readonly Expected[]])[] = [
  [
    'what an override replaces',
    "class a { notify { 'n': message => 'old' } }\nclass b inherits a {\n  Notify['n'] { message => 'new' }\n}\ninclude b",
    [['Notify[n]', 'message', 'override :3 < literal :3', 'replaced :1 < attribute :1 < literal :1']],
  ],
  [
    'what +> adds to',
    "$later = ['b']\nclass a { package { 'p': install_options => ['a'] } }\nclass b inherits a {\n  Package['p'] { install_options +> $later }\n}\ninclude b",
    [
      [
        'Package[p]',
        'install_options',
        'override :4 < variable $later :1 < literal :1',
        'added to :2 < attribute :2 < literal :2',
      ],
    ],
  ],
  [
    'an override of a resource default',
    "class a {\n  Notify { message => 'standard' }\n  notify { 'n': }\n}\nclass b inherits a { Notify['n'] { message => 'own' } }\ninclude b",
    [['Notify[n]', 'message', 'override :5 < literal :5', 'replaced :2 < resource default :2 < literal :2']],
  ],
  [
    'a collector that overrides another override',
    "class a { notify { 'n': message => 'old' } }\nclass b inherits a { Notify['n'] { message => 'new' } }\ninclude b\nNotify <| title == 'n' |> { message => 'last' }",
    [
      [
        'Notify[n]',
        'message',
        'override by a collector :4 < literal :4',
        'replaced :2 < override :2 < literal :2',
        'replaced :1 < attribute :1 < literal :1',
      ],
    ],
  ],
  [
    'the defaults beside a collector',
    "class a {\n  Notify { withpath => true }\n  Notify <| title == 'n' |> { message => 'm' }\n}\nclass b { @notify { 'n': } }\ninclude b\ninclude a",
    [
      ['Notify[n]', 'message', 'override by a collector :3 < literal :3'],
      ['Notify[n]', 'withpath', 'override by a collector :3 < resource default :2 < literal :2'],
    ],
  ],
  [
    'a body that says what its default says, too',
    "notify {\n  default: message => 'all', withpath => true;\n  'n': message => 'own'\n}",
    [
      ['Notify[n]', 'message', 'attribute :3 < literal :3'],
      ['Notify[n]', 'withpath', 'default of the expression :2 < literal :2'],
    ],
  ],
  [
    'the nearest of two defaults',
    "Notify { message => 'far' }\nclass a {\n  Notify { message => 'near' }\n  notify { 'n': }\n}\ninclude a",
    [['Notify[n]', 'message', 'resource default :3 < literal :3']],
  ],
  [
    'attributes from a hash in a variable',
    "$more = {\n  'message' => 'a',\n  'withpath' => $facts['os']['family'] == 'Debian',\n}\nnotify { 'n': * => $more }",
    [
      ['Notify[n]', 'message', 'attributes from a hash message :5 < variable $more :1 < literal :2'],
      ['Notify[n]', 'withpath', 'attributes from a hash withpath :5 < variable $more :1 < fact os.family (Debian)'],
    ],
  ],
  [
    'metaparameters of containers',
    "define f() {\n  notify { 'n': }\n  d { 'x': }\n}\ndefine d() { notify { 'in d': } }\nf { 'a': noop => true, loglevel => 'err' }",
    [
      ['Notify[n]', 'noop', 'container F[a] :6 < attribute :6 < literal :6'],
      ['Notify[in d]', 'loglevel', 'container D[x] :3 < container F[a] :6 < attribute :6 < literal :6'],
    ],
  ],
  [
    'arrows and attributes',
    "notify { 'a': before => Notify['c'] }\nnotify { ['b', 'c']: }\nNotify['a'] -> Notify['b']\nNotify['a'] ~> Notify['c']",
    [
      ['Notify[a]', 'before', 'attribute :1 < literal :1', 'statement -> :3'],
      ['Notify[a]', 'notify', 'statement ~> :4'],
    ],
  ],
  [
    'require()',
    "class b { notify { 'n': } }\nclass a {\n  require b\n}\ninclude a",
    [['Class[A]', 'require', 'statement require() :3']],
  ],
  [
    'titles',
    'define d() { notify { "n-${title}": message => "of ${name}" } }\nd { \'x\': }\nfile { \'/a\': }',
    [
      ['Notify[n-x]', 'message', 'attribute :1 < title D[x] :2'],
      ['File[/a]', 'path', 'title File[/a] :3'],
      ['Notify[n-x]', 'name', 'title Notify[n-x] :1'],
    ],
  ],
  [
    'what the type does where nobody says',
    "file { '/a': ensure => file }",
    [
      ['File[/a]', 'backup', 'type default File (false)'],
      ['File[/a]', 'owner', 'type default File'],
    ],
  ],
  [
    'elements of lists and hashes in the code',
    "[\n  'a',\n  'b',\n].each |$x| { notify { $x: message => $x } }\n$h = {\n  'c' => 'd',\n}\n$h.each |$k, $v| { notify { $k: message => $v } }",
    [
      ['Notify[b]', 'message', 'attribute :4 < argument $x of each() :4 < literal :3'],
      ['Notify[c]', 'message', 'attribute :8 < argument $v of each() :8 < variable $h :5 < literal :6'],
    ],
  ],
  [
    'elements of a list from elsewhere',
    "$list = [$facts['os']['family'], 'b']\n$list.each |$x| { notify { $x: message => $x } }",
    [['Notify[b]', 'message', 'attribute :2 < argument $x of each() :2 < variable $list :1 < literal :1']],
  ],
  [
    'create_resources with titles of its own',
    "$all = {\n  'a' => { 'message' => 'one' },\n  'b' => { 'message' => $facts['os']['family'] },\n}\ncreate_resources('notify', $all, { 'withpath' => true })",
    [
      ['Notify[a]', 'message', 'attributes from a hash create_resources() :5 < variable $all :1 < literal :2'],
      [
        'Notify[b]',
        'message',
        'attributes from a hash create_resources() :5 < variable $all :1 < fact os.family (Debian)',
      ],
      ['Notify[b]', 'withpath', 'attributes from a hash create_resources() :5 < literal :5'],
    ],
  ],
  [
    'ensure_resource of a module in Ruby',
    "$options = { 'message' => $facts['os']['family'] }\nm::ensure('notify', 'n', $options)",
    [
      [
        'Notify[n]',
        'message',
        'attributes from a hash m::ensure() :2 < variable $options :1 < fact os.family (Debian)',
      ],
    ],
  ],
  [
    'data of a class, its default and what is given',
    'class { "m": given => "g" }',
    [
      ['Class[M]', 'given', 'attribute :1 < literal :1'],
      ['Class[M]', 'known', 'data m::known (level "Common" of Environment) data/common.yaml:2'],
      ['Class[M]', 'other', 'parameter default m/manifests/init.pp:1 < literal m/manifests/init.pp:1'],
      [
        'Notify[m]',
        'message',
        'attribute m/manifests/init.pp:2 < parameter Class[M][given] :1 < attribute :1 < literal :1',
        'attribute m/manifests/init.pp:2 < parameter Class[M][known] :1 < data m::known (level "Common" of Environment) data/common.yaml:2',
        'attribute m/manifests/init.pp:2 < parameter Class[M][other] :1 < parameter default m/manifests/init.pp:1 < literal m/manifests/init.pp:1',
      ],
    ],
  ],
  [
    'a parameter that is undef by default',
    'class a($p = undef) { notify { "n": message => $p } }\ninclude a',
    [['Notify[n]', 'message', 'attribute :1 < parameter Class[A][p] < parameter default :1 < literal :1']],
  ],
  [
    'a value that goes through a class that inherits',
    "class a { $v = $facts['os']['family'] }\nclass b inherits a { notify { 'n': message => $v } }\ninclude b",
    [['Notify[n]', 'message', 'attribute :2 < variable $v :1 < fact os.family (Debian)']],
  ],
  [
    'a match',
    "if 'a-b' =~ /a-(.)/ { notify { 'n': message => $1 } }",
    [['Notify[n]', 'message', 'attribute :1 < match $1']],
  ],
]

const files = {
  'hiera.yaml': 'version: 5\nhierarchy: [{name: Common, path: common.yaml, datadir: data, data_hash: yaml_data}]\n',
  'data/common.yaml': '---\nm::known: from data\nsecret: hidden\nlookup_options: {secret: {convert_to: Sensitive}}\n',
  'modules/m/manifests/init.pp':
    'class m($given, $known, $other = 1) {\n  notify { "m": message => "${given} ${known} ${other}" }\n}\n',
  'modules/m/lib/puppet/functions/m/ensure.rb': `Puppet::Functions.create_function(:"m::ensure", Puppet::Functions::InternalFunction) do
  dispatch(:run) { scope_param; param 'String', :type; param 'String', :title; param 'Hash', :options }
  def run(scope, type, title, options) = scope.call_function('create_resources', [type, { title => options }])
end
`,
}

describe('origins of parameters', () => {
  it.each(cases)('%s', (_name, code, expected) => {
    const catalog = explaining(code, files, { facts })
    for (const [resource, parameter, ...ways] of expected)
      expect([resource, parameter, ...waysOf(catalog, resource, parameter)]).toEqual([resource, parameter, ...ways])
  })

  it('of a class that a classifier gives', () => {
    const node = { name: 'n1', environment: 'production', parameters: {}, classes: { m: { given: 'c' } } }
    const catalog = explaining('', files, { node })
    expect(waysOf(catalog, 'Class[M]', 'given')).toEqual(['classification given'])
    expect(framesOf(catalog, 'Class[M]')).toEqual(['classified Class[M]'])
  })

  it('of what another node exports', () => {
    const exported = { certname: 'n2', type: 'Notify', title: 'n', parameters: { message: 'hi' }, tags: [] }
    const searchExports = () => [exported] as unknown as ReturnType<NonNullable<CompileRequest['searchExports']>>
    const catalog = explaining('Notify { withpath => true }\nNotify <<| |>>', files, { searchExports })
    expect(waysOf(catalog, 'Notify[n]', 'message')).toEqual(['export n2'])
    expect(waysOf(catalog, 'Notify[n]', 'withpath')).toEqual(['resource default :1 < literal :1'])
    expect(framesOf(catalog, 'Notify[n]')).toEqual([
      'exported n2 in Class[main]',
      'collected <<| |>> in Class[main] :2',
    ])
  })
})

describe('statements that led to a resource', () => {
  it.each<readonly [name: string, code: string, resource: string, frames: readonly string[]]>([
    [
      'classes, includes and conditions',
      "node default {\n  if $facts['os']['family'] == 'Debian' {\n    include a\n  }\n}\nclass a {\n  contain b\n}\nclass b {\n  notify { 'n': }\n}",
      'Notify[n]',
      [
        'declared Notify[n] in Class[B] :10',
        'declared Class[B] by contain() in Class[A] :7',
        'declared Class[A] by include() in Node[default] :3',
        'condition if in Node[default] :2',
        'declared Node[default] :1',
      ],
    ],
    [
      'defines in defines, and iteration',
      "define d() { notify { $title: } }\ndefine f() {\n  ['n', 'o'].each |$x| {\n    d { $x: }\n  }\n}\nf { 'top': }",
      'Notify[n]',
      [
        'declared Notify[n] in D[n] :1',
        'declared D[n] in F[top] :4',
        'call each() in F[top] :3',
        'declared F[top] in Class[main] :7',
      ],
    ],
    [
      'a class that is inherited from',
      "class a { notify { 'n': } }\nclass b inherits a { }\ninclude b",
      'Notify[n]',
      [
        'declared Notify[n] in Class[A] :1',
        'inherited Class[B] :2',
        'declared Class[B] by include() in Class[main] :3',
      ],
    ],
    [
      'a function',
      "m::ensure('notify', 'n', {})",
      'Notify[n]',
      ['declared Notify[n] by m::ensure() in Class[main] :1'],
    ],
    [
      'a virtual resource that is realized',
      "@notify { 'n': }\nclass a { realize(Notify['n']) }\ninclude a",
      'Notify[n]',
      ['declared Notify[n] in Class[main] :1', 'collected realize() in Class[A] :2'],
    ],
  ])('%s', (_name, code, resource, frames) => {
    expect(framesOf(explaining(code, files, { facts }), resource)).toEqual(frames)
  })
})

describe('secrets', () => {
  it.each([
    ["Sensitive('s3cret')"],
    ['Sensitive("a ${facts[\'token\']}")'],
    ["Sensitive($facts['token'])"],
    ["lookup('secret')"],
    ['Sensitive($token)'],
  ])('of %s are not told', (expression) => {
    const catalog = explaining(`$own = 's3cret'\nuser { 'u': password => ${expression} }`, files, { facts })
    const explained = catalog.explain({ resource: 'User[u]', parameter: 'password' })
    expect(explained.parameters).toMatchObject([{ sensitive: true, value: null }])
    expect(JSON.stringify(explained)).not.toMatch(/s3cret|hidden/)
  })

  it('are those of a type, too', () => {
    const catalog = explaining("user { 'u': password => $facts['token'] }", files, { facts })
    expect(JSON.stringify(catalog.explain({ resource: 'User[u]', parameter: undefined }))).not.toContain('s3cret')
  })
})

it('ends where there is more than anybody reads', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `$v${index + 1} = "\${v${index}} \${v${index}}"[0, 3]`)
  const catalog = explaining(`$v0 = 'x'\n${lines.join('\n')}\nnotify { 'n': message => $v60 }`)
  expect(waysOf(catalog, 'Notify[n]', 'message').length).toBeLessThan(5000)
})

it.each([
  ['Notify[m]', undefined, 'There is no resource Notify[m] in the catalog of n1'],
  ['constructor', undefined, 'There is no resource constructor in the catalog of n1'],
  ['Notify[n]', 'mesage', "Notify[n] has no parameter 'mesage'"],
  ['Notify[n]', '__proto__', "Notify[n] has no parameter '__proto__'"],
])('refuses %s %s', (resource, parameter, message) => {
  expect(() => explaining("notify { 'n': }").explain({ resource, parameter })).toThrow(message)
})
