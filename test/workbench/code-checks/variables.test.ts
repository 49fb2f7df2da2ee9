import { describe, expect, it } from 'vitest'
import { checkFiles, type Files } from './check-files.ts'

const inModule = (text: string, more: Files = {}): Files => ({ 'modules/m/manifests/init.pp': text, ...more })

const check = (files: Files, ...only: readonly string[]) =>
  checkFiles(files, only).map((line) => line.replace(/^modules\/m\/manifests\/init\.pp /, ''))

describe('unknown_variable', () => {
  it.each<[string, Files, readonly string[]]>([
    [
      'a misspelling',
      inModule('class m($server) { notice($sever) }'),
      ["1:28 unknown_variable: unknown variable '$sever'. Did you mean 'server'?"],
    ],
    ['in a string', inModule('class m { notice("${zzz}") }'), ["1:21 unknown_variable: unknown variable '$zzz'"]],
    [
      'of a class',
      inModule('class m($a) { }\nclass m::b { notice($m::zzz) }'),
      ["2:22 unknown_variable: unknown variable '$m::zzz'"],
    ],
    ['before it is set', inModule('class m { notice($x) $x = 1 }'), ["1:19 unknown_variable: unknown variable '$x'"]],
    [
      'of a lambda outside of it',
      inModule('class m { [1].each |$v| { } notice($v) }'),
      ["1:37 unknown_variable: unknown variable '$v'"],
    ],
    [
      'of a class outside of a function',
      inModule('class m { $x = 1 }', { 'modules/m/functions/f.pp': 'function m::f() { $x }' }),
      ["modules/m/functions/f.pp 1:20 unknown_variable: unknown variable '$x'"],
    ],
    ['metaparameters of the declaration', inModule('define m::d() { notice($notify, $require, $noop) }'), []],
    [
      'parameters, facts and matches',
      inModule(
        "class m($a, $b = $a) { notice($b, $facts['x'], $trusted, $title, $osfamily, $::zzz, $module_name) if $a =~ /(x)/ { notice($1) } }",
      ),
      [],
    ],
    [
      'inherited ones',
      inModule('class m inherits m::params { notice($x, $m::x) }', {
        'modules/m/manifests/params.pp': 'class m::params { $x = 1 }',
      }),
      [],
    ],
    ['ones that an absent class may set', inModule('class m inherits other::params { notice($x) }'), []],
    ['ones of an absent module', inModule('class m { notice($other::x) }'), []],
    [
      'ones of a site manifest',
      { 'manifests/site.pp': "$dc = 'a'\nnode default { $role = 'b' }", ...inModule('class m { notice($dc, $role) }') },
      [],
    ],
    [
      'custom facts',
      inModule('class m { notice($my_fact, $other_fact) }', {
        'modules/m/lib/facter/my_fact.rb': "Facter.add('other_fact') { }",
      }),
      [],
    ],
    ['lambda parameters', inModule('class m { $y = 1 [1].each |$v| { notice($v, $y) } }'), []],
    ['settings', inModule('class m { notice($settings::confdir) }'), []],
    [
      'classes that inherit each other',
      inModule('class m inherits m::a { notice($x) }', { 'modules/m/manifests/a.pp': 'class m::a inherits m { }' }),
      ["1:33 unknown_variable: unknown variable '$x'"],
    ],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unknown_variable')).toEqual(expected)
  })
})

describe('unused_parameter and unused_variable', () => {
  it.each<[string, Files, readonly string[]]>([
    [
      'a parameter of a class',
      inModule('class m($a) { }'),
      ["1:10 unused_parameter: the parameter '$a' is never read"],
    ],
    [
      'a parameter of a defined type',
      inModule('define m($a) { }'),
      ["1:11 unused_parameter: the parameter '$a' is never read"],
    ],
    [
      'a parameter of a function',
      { 'modules/m/functions/f.pp': 'function m::f($a, $b) { $b }' },
      ["modules/m/functions/f.pp 1:16 unused_parameter: the parameter '$a' is never read"],
    ],
    [
      'a variable, once',
      inModule('class m { if $facts[x] { $a = 1 } else { $a = 2 } }'),
      ["1:27 unused_variable: the variable '$a' is never read"],
    ],
    [
      'one with the name of a variable elsewhere',
      inModule('define m($a) { $b = 1 }\nclass m::x($a) { notice($a) }'),
      [
        "1:11 unused_parameter: the parameter '$a' is never read",
        "1:17 unused_variable: the variable '$b' is never read",
      ],
    ],
    ['one that is read', inModule('class m($a) { $b = $a notice("${b}") }'), []],
    ['one that another class reads', inModule('class m($a) { }\nclass m::x { notice($m::a) }'), []],
    ['one that a subclass reads', inModule('class m($a) { }\nclass m::x inherits m { notice($a) }'), []],
    [
      'one read as a variable of a subclass',
      inModule('class m { $a = 1 }\nclass m::x inherits m { }\nclass m::y { notice($m::x::a) }'),
      [],
    ],
    [
      'one that a template reads',
      inModule("class m($a, $b) { file { '/x': content => template('m/x.erb') } }", {
        'modules/m/templates/x.erb': "<%= @a %><%= scope['m::b'] %>",
      }),
      [],
    ],
    [
      'one that a template may read',
      inModule("define m($a) { file { '/x': content => template('m/x.erb') } }", {
        'modules/m/templates/x.erb': '<% %w(a b).each do |x| %><%= scope.to_hash[x] %><% end %>',
      }),
      [],
    ],
    ['one that data interpolates', inModule('class m($a) { }', { 'data/x.yaml': 'x: "%{m::a}"\n' }), []],
    ['one in a name for getvar', inModule("class m($a, $b) { notice(getvar('m::a'), getvar('b')) }"), []],
    ['one for deprecation', inModule('# @param a\n#   Deprecated.\nclass m($a) { }'), []],
    ['placeholders', inModule('class m($_a) { $_b = 1 [1].each |$i| { } }'), []],
    ['variables of a node and of top scope', { 'manifests/site.pp': '$a = 1\nnode default { $b = 1 }' }, []],
    ['a folder that is no module', { 'modules/me-m/manifests/init.pp': 'class m($a) { $b = 1 }' }, []],
    ['arguments of a Hiera backend', { 'modules/m/functions/f.pp': 'function m::f($options, $context) { 1 }' }, []],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unused_parameter', 'unused_variable')).toEqual(expected)
  })
})

describe('unset_template_variable', () => {
  const template = (text: string) => ({ 'modules/m/templates/x.erb': text })
  const erb = (text: string, manifest = "class m($a) { $x = template('m/x.erb') }") =>
    inModule(manifest, template(text))
  const epp = (text: string, call: string) => ({
    ...inModule(`class m { $x = ${call} }`),
    'modules/m/templates/x.epp': text,
  })
  const problem = "1:29 unset_template_variable: the template 'm/x.erb' reads '@b', which is not set here"
  it.each<[string, Files, readonly string[]]>([
    ['ERB', erb('<%= @b %>'), [problem]],
    ['an interpolation in Ruby', erb('<%= "#{@b}" %>'), [problem]],
    ['parameters, facts, own variables', erb('<% @c = 1 %><%= @a %><%= @c %><%= @osfamily %><%= @facts %>'), []],
    ['text, comments and quotes', erb('@b <%# @b %><%% @b %><%= \'@b\' + "me@b" %><% # @b\n %>'), []],
    [
      'a caller that sets it',
      erb('<%= @b %>', "class m { $x = template('m/x.erb') }\nclass m::o($b) { $x = template('m/x.erb') }"),
      [],
    ],
    ['a name that occurs elsewhere', erb('<%= @b %>', "class m($t = 'm/x.erb') { $x = template('m/x.erb') }"), []],
    [
      'inherited variables',
      erb('<%= @b %>', "class m::p { $b = 1 }\nclass m inherits m::p { $x = template('m/x.erb') }"),
      [],
    ],
    [
      'EPP with parameters',
      epp('<%- | $a | -%><%= $a %><%= $b %>', "epp('m/x.epp')"),
      ["modules/m/templates/x.epp 1:29 unset_template_variable: '$b' is not set in this template"],
    ],
    [
      'EPP with arguments',
      epp('<%= $a %><%= $b %>', "epp('m/x.epp', { a => 1 })"),
      ["modules/m/templates/x.epp 1:15 unset_template_variable: '$b' is not set in this template"],
    ],
    ['EPP with unknown arguments', epp('<%= $a %>', "epp('m/x.epp', $h)"), []],
    [
      'EPP with local, global and qualified variables',
      epp(
        "<%- | $a | -%><% $c = 1 %><%= $c %><%= $facts['x'] %><%= $::y %><%= $m::z %><% [1].each |$i| { %><%= $i %><% } %>",
        "epp('m/x.epp')",
      ),
      [],
    ],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unset_template_variable')).toEqual(expected)
  })
})
