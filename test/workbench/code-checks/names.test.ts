import { describe, expect, it } from 'vitest'
import { checkFiles, type Files } from './check-files.ts'

/** The module `m` with one manifest. */
const inModule = (text: string, more: Files = {}): Files => ({ 'modules/m/manifests/init.pp': text, ...more })

const check = (files: Files, only: string) =>
  checkFiles(files, [only]).map((line) => line.replace(/^modules\/m\/manifests\/init\.pp /, ''))

describe('unknown_class', () => {
  it.each<[string, Files, readonly string[]]>([
    ['include', inModule('class m { include m::x }'), ["1:19 unknown_class: unknown class 'm::x'"]],
    [
      'a misspelling',
      inModule('class m { include m::servce }', { 'modules/m/manifests/service.pp': 'class m::service { }' }),
      ["1:19 unknown_class: unknown class 'm::servce'. Did you mean 'm::service'?"],
    ],
    [
      'a file with another class',
      inModule('class m { include m::x }', { 'modules/m/manifests/x.pp': 'class m::y { }' }),
      ["1:19 unknown_class: unknown class 'm::x'"],
    ],
    ['inherits', inModule('class m inherits m::params { }'), ["1:18 unknown_class: unknown class 'm::params'"]],
    ['a resource', inModule("class m { class { 'm::x': } }"), ["1:20 unknown_class: unknown class 'm::x'"]],
    ['a reference', inModule("class m { Class['m::x'] -> Class['m'] }"), ["1:18 unknown_class: unknown class 'm::x'"]],
    ['an existing class', inModule('class m { contain m::x }', { 'modules/m/manifests/x.pp': 'class m::x { }' }), []],
    ['a class of init.pp', inModule('class m { include m::x }\nclass m::x { }'), []],
    [
      'a class of a parent file',
      inModule('class m { include m::a::b }', { 'modules/m/manifests/a.pp': 'class m::a { class b { } }' }),
      [],
    ],
    ['a module that is absent', inModule('class m { include other::x include third }'), []],
    ['a class of a site manifest', { 'manifests/site.pp': 'class role { }\ninclude role' }, []],
    [
      'a control repository with a metadata.json',
      { 'metadata.json': '{"name": "me-repository"}', 'manifests/site.pp': 'include repository' },
      [],
    ],
    ['an interpolation', inModule('class m($x) { include "m::${x}" }'), []],
    ['a leading ::', inModule('class m { include ::m }'), []],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unknown_class')).toEqual(expected)
  })
})

describe('unknown_type', () => {
  const metadata = (...names: readonly string[]) => ({
    'modules/m/metadata.json': JSON.stringify({ name: 'me-m', dependencies: names.map((name) => ({ name })) }),
  })
  it.each<[string, Files, readonly string[]]>([
    ['a defined type', inModule("class m { m::x { 'a': } }"), ["1:11 unknown_type: unknown type 'm::x'"]],
    ['a reference', inModule("class m { M::X['a'] -> File['b'] }"), ["1:11 unknown_type: unknown type 'm::x'"]],
    ['a data type', inModule('class m(M::X $x) { }'), ["1:9 unknown_type: unknown type 'm::x'"]],
    [
      'a misspelled type',
      inModule("class m { flie { '/x': } }", metadata()),
      ["1:11 unknown_type: unknown type 'flie'. Did you mean 'file'?"],
    ],
    [
      'a data type without a module',
      inModule('class m(Strng $x) { }', metadata()),
      ["1:9 unknown_type: unknown type 'strng'"],
    ],
    ['a missing dependency', inModule('class m(Strng $x) { flie { "x": } }', metadata('puppetlabs-stdlib')), []],
    ['a type of another system', inModule("class m { registry_value { 'x': } }", metadata()), []],
    [
      'types',
      inModule(
        "class m(M::X $x, Stdlib::Port $y, Array[Integer] $z, Type[File] $t) { m::y { 'a': } mount { 'b': } File { } }",
        {
          'modules/m/types/x.pp': 'type M::X = Integer',
          'modules/m/manifests/y.pp': 'define m::y { }',
        },
      ),
      [],
    ],
    [
      'a type in Ruby',
      inModule("class m { my_type { 'x': } My_type['x'] -> File['y'] }", {
        ...metadata(),
        'modules/m/lib/puppet/type/my_type.rb': 'Puppet::Type.newtype(:my_type) { }',
      }),
      [],
    ],
    ['a plan', { 'modules/m/plans/init.pp': 'plan m(TargetSpec $nodes) { run_task("x", $nodes) }' }, []],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unknown_type')).toEqual(expected)
  })
})

describe('unknown_function', () => {
  it.each<[string, Files, readonly string[]]>([
    ['a function of a module', inModule('class m { m::f(1) }'), ["1:11 unknown_function: unknown function 'm::f'"]],
    [
      'a method',
      inModule('class m { $x = [1].lenght }'),
      ["1:20 unknown_function: unknown function 'lenght'. Did you mean 'length'?"],
    ],
    [
      'built-in functions',
      inModule("class m { notice([1].map |$x| { $x }) $y = template('m/x') $z = Integer('1') }"),
      [],
    ],
    [
      'functions of modules',
      inModule('class m { m::f(1) m::g() old(2) m::h() }', {
        'modules/m/functions/f.pp': 'function m::f($x) { $x }',
        'modules/m/lib/puppet/functions/m/g.rb': '',
        'modules/m/lib/puppet/parser/functions/old.rb': '',
        'modules/m/lib/puppet/functions/m/h.rb': '',
      }),
      [],
    ],
    ['a function of a missing module', inModule('class m { other::f(1) }'), []],
    [
      'a function of a missing dependency',
      inModule('class m { merge({}, {}) }', {
        'modules/m/metadata.json': '{"name":"me-m","dependencies":[{"name":"puppetlabs/stdlib"}]}',
      }),
      [],
    ],
    [
      'a module missing from the Puppetfile',
      { 'manifests/site.pp': 'merge({}, {})', Puppetfile: "mod 'puppetlabs/stdlib', '9.0.0'\n" },
      [],
    ],
    ['an invalid metadata.json', inModule('class m { merge({}, {}) }', { 'modules/m/metadata.json': '{' }), []],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unknown_function')).toEqual(expected)
  })
})

describe('unknown_parameter', () => {
  const define = { 'modules/m/manifests/d.pp': 'define m::d(Integer $port, $other = 1) { notice($port, $other) }' }
  it.each<[string, Files, readonly string[]]>([
    [
      'of a defined type',
      inModule("class m { m::d { 'x': prt => 1 } }", define),
      ["1:23 unknown_parameter: M::D has no parameter 'prt'. Did you mean 'port'?"],
    ],
    [
      'of a class',
      inModule("class m($a = 1) { class { 'm': bb => 1 } }"),
      ["1:32 unknown_parameter: Class[M] has no parameter 'bb'"],
    ],
    [
      'of a built-in type',
      inModule("class m { file { '/x': ensur => file } }"),
      ["1:24 unknown_parameter: File has no parameter 'ensur'. Did you mean 'ensure'?"],
    ],
    [
      'of defaults, overrides and collectors',
      inModule("class m { File { a => 1 } File['x'] { b => 1 } M::D <| |> { c => 1 } }", define),
      [
        "1:18 unknown_parameter: File has no parameter 'a'",
        "1:39 unknown_parameter: File has no parameter 'b'",
        "1:61 unknown_parameter: M::D has no parameter 'c'",
      ],
    ],
    [
      'known ones',
      inModule(
        "class m { m::d { 'x': port => 1, tag => 'x', require => File['y'] } package { 'p': provider => gem } }",
        define,
      ),
      [],
    ],
    [
      'a type in Ruby',
      inModule("class m { my { 'x': anything => 1 } }", { 'modules/m/lib/puppet/type/my.rb': '' }),
      [],
    ],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unknown_parameter')).toEqual(expected)
  })
})

describe('missing_parameter', () => {
  const define = {
    'modules/m/manifests/d.pp': 'define m::d(Integer $port, Optional[String] $x, $y = 1) { notice($port, $x, $y) }',
  }
  const problem = "1:18 missing_parameter: M::D requires the parameter 'port'"
  it.each<[string, string, readonly string[]]>([
    ['a required one', "class m { m::d { 'x': } }", [problem]],
    ['all given', "class m { m::d { 'x': port => 1 } }", []],
    ['a hash', "class m($h) { m::d { 'x': * => $h } }", []],
    ['defaults', "class m { M::D { port => 1 } m::d { 'x': } }", []],
    ['a default body', "class m { m::d { default: port => 1; 'x': } }", []],
    ['a collector that sets it', "class m { m::d { 'x': } M::D <| |> { port => 1 } }", []],
    ['a class, whose values Hiera may have', "class m($a) { class { 'm': } }", []],
  ])('%s', (_, text, expected) => {
    expect(check(inModule(text, define), 'missing_parameter')).toEqual(expected)
  })
})
