import { describe, expect, it } from 'vitest'
import { checkFiles, type Files } from './check-files.ts'

const inModule = (text: string, more: Files = {}): Files => ({ 'modules/m/manifests/init.pp': text, ...more })

const check = (files: Files, ...only: readonly string[]) =>
  checkFiles(files, only).map((line) => line.replace(/^modules\/m\/manifests\/init\.pp /, ''))

describe('wrong_type', () => {
  const port = { 'modules/m/types/port.pp': 'type M::Port = Integer[1, 65535]' }
  const define = { 'modules/m/manifests/d.pp': 'define m::d(M::Port $port = 1) { notice($port) }', ...port }
  it.each<[string, Files, readonly string[]]>([
    [
      'a value of a resource',
      inModule("class m { m::d { 'x': port => '80' } }", define),
      ["1:31 wrong_type: M::D: parameter 'port' expects a M::Port = Integer[1, 65535] value, got String"],
    ],
    [
      'a value of a class',
      inModule("class m(Array[String] $a = []) { class { 'm': a => 'x' } }"),
      ["1:52 wrong_type: Class[M]: parameter 'a' expects an Array value, got String"],
    ],
    [
      'a default',
      inModule("class m(Integer $a = 'x') { }"),
      ["1:22 wrong_type: the default of parameter 'a' expects an Integer value, got String"],
    ],
    [
      'a default in EPP',
      { 'modules/m/templates/x.epp': '<%- | Boolean $a = undef | -%>' },
      ["modules/m/templates/x.epp 1:20 wrong_type: the default of parameter 'a' expects a Boolean value, got Undef"],
    ],
    [
      'values of the type',
      inModule(
        "class m(Optional[Integer] $a = undef, Enum['x'] $b = x, Hash $h = {}) { m::d { 'x': port => 80; 'y': port => undef } }",
        define,
      ),
      [],
    ],
    ['a value that is not literal', inModule("class m($v, Integer $a = $v) { m::d { 'x': port => $v } }", define), []],
    ['a type that is not known', inModule("class m(Other::X $a = 'x', Array[Other::Y] $b = 'x') { }"), []],
    [
      'a type that contains itself',
      inModule('class m(M::Tree $a = [[]]) { }', { 'modules/m/types/tree.pp': 'type M::Tree = Array[M::Tree]' }),
      [],
    ],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'wrong_type')).toEqual(expected)
  })
})

describe('wrong_arguments', () => {
  const fun = {
    'modules/m/functions/f.pp': 'function m::f(Integer $a, String $b = "x", *$c) { $a }',
    'modules/m/functions/g.pp': 'function m::g(Integer $a) { $a }',
  }
  it.each<[string, string, readonly string[]]>([
    ['too few', 'class m { m::f() }', ["1:11 wrong_arguments: 'm::f' expects at least 1 argument, got 0"]],
    ['too many', 'class m { m::g(1, 2) }', ["1:11 wrong_arguments: 'm::g' expects 1 argument, got 2"]],
    [
      'a wrong literal',
      "class m { m::g('x') }",
      ["1:11 wrong_arguments: 'm::g': argument 1 expects an Integer value, got String"],
    ],
    [
      'a built-in function',
      "class m { $x = split('a b') }",
      ["1:16 wrong_arguments: 'split' expects 2 arguments, got 1"],
    ],
    ['a method', "class m { $x = 'a b'.split }", ["1:22 wrong_arguments: 'split' expects 2 arguments, got 1"]],
    ['the values of a list', 'class m($l) { m::g(*$l) m::f(1, *$l) }', []],
    [
      'accepted calls',
      "class m($v) { m::f(1, 'x', 2, 3) m::g($v) $x = split($v, ',') $y = $v.map |$i| { $i } include m notice(1, 2, 3) }",
      [],
    ],
  ])('%s', (_, text, expected) => {
    expect(check(inModule(text, fun), 'wrong_arguments')).toEqual(expected)
  })
})

describe('values and keys of Hiera data', () => {
  const hiera = { 'modules/m/hiera.yaml': 'version: 5\n' }
  const withData = (data: string, manifest = 'class m(Integer $a = 1, $b = 2) { notice($a, $b) }') => ({
    ...inModule(manifest, hiera),
    'modules/m/data/common.yaml': data,
  })
  const at = 'modules/m/data/common.yaml'
  it.each<[string, Files, readonly string[]]>([
    [
      'a key that nothing reads',
      withData('---\nm::zzz: 1\nm::a: 1\n'),
      [`${at} 2:1 unread_data_key: nothing reads the key 'm::zzz': Class[M] has no parameter 'zzz'`],
    ],
    [
      'a value of the wrong type',
      withData('m::a: x\n'),
      [`${at} 1:1 wrong_type: Class[M]: parameter 'a' expects an Integer value, got String`],
    ],
    ['values and keys that are right', withData('m::a: 1\nm::b: x\nlookup_options: {}\n'), []],
    ['an interpolation', withData('m::a: "%{lookup(\'m::n\')}"\nm::n: 1\n'), []],
    ['a value that is converted', withData("lookup_options:\n  'm::a':\n    convert_to: Integer\nm::a: '1'\n"), []],
    [
      'a lookup',
      withData('m::n: 1\nm::o: 1\nm::p_x: 1\n', 'class m($x) { lookup("m::n") lookup(["m::o"]) lookup("m::p_${x}") }'),
      [],
    ],
    ['a lookup of a variable', withData('m::n: 1\n', 'class m($x) { lookup($x) }'), []],
    ['invalid YAML', withData('m::a: [\n'), []],
    [
      'data of a control repository',
      {
        'hiera.yaml': 'version: 5\n',
        'data/common.yaml': 'm::zzz: 1\nother::x: 1\nfree: 2\n',
        ...inModule('class m { }'),
      },
      [
        "data/common.yaml 1:1 unread_data_key: nothing reads the key 'm::zzz': Class[M] has no parameter 'zzz'",
        "data/common.yaml 3:1 unread_data_key: nothing reads the key 'free'",
      ],
    ],
    [
      'a key that an absent module may look up',
      { 'hiera.yaml': 'version: 5\n', 'data/common.yaml': 'free: 2\n', Puppetfile: "mod 'me/other', '1.0.0'\n" },
      [],
    ],
    ['a YAML file that is no data', { ...inModule('class m { }'), 'data/common.yaml': 'm::zzz: 1\n' }, []],
  ])('%s', (_, files, expected) => {
    expect(check(files, 'unread_data_key', 'wrong_type')).toEqual(expected)
  })
})
