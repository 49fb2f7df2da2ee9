import { describe, expect, it } from 'vitest'
import { checkFiles, type Files } from './check-files.ts'

const inModule = (text: string, more: Files = {}): Files => ({ 'modules/m/manifests/init.pp': text, ...more })

const check = (files: Files, ...only: readonly string[]) =>
  checkFiles(files, only).map((line) => line.replace(/^modules\/m\/manifests\/init\.pp /, ''))

describe('dead_branch', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a constant',
      'class m { if false { } unless !(true) { } }',
      ['1:14 dead_branch: this condition is always false', '1:31 dead_branch: this condition is always false'],
    ],
    ['a constant part', 'class m($a) { if $a and false { } }', ['1:18 dead_branch: this condition is always false']],
    [
      'a repeated test',
      "class m($a) { if $a == 'x' { } elsif $a == 'y' { } elsif $a == 'x' { } }",
      ['1:58 dead_branch: this condition repeats an earlier one, so it never decides'],
    ],
    [
      'a comparison with a Boolean',
      "class m(Boolean $a) { if $a == 'true' { } }",
      ["1:26 dead_branch: this comparison is always false: '$a' is never 'true'"],
    ],
    [
      'an option that the type excludes',
      "class m(Enum['a', 'b'] $e) { case $e { 'A': { } 'c': { } default: { } } }",
      ["1:49 dead_branch: this option never matches: '$e' is never 'c'"],
    ],
    [
      'a repeated option',
      "class m($a) { $x = $a ? { 'on' => 1, 'On' => 2, default => 3 } }",
      ['1:38 dead_branch: this option repeats an earlier one and never matches'],
    ],
    ['code after fail', "class m { fail('x') notice(1) }", ['1:21 dead_branch: this code is never reached']],
    [
      'code after branches that end',
      "function m::f($a) { if $a { return(1) } else { fail('x') } notice(1) }",
      ['1:60 dead_branch: this code is never reached'],
    ],
    [
      'live code',
      "class m(Optional[String] $a, Variant[Boolean, Enum['x']] $b) { if $a == undef { } if $b == 'x' { } case $a { default: { } 'x': { } } if $a { fail('x') } notice(1) }",
      [],
    ],
    ['a value after fail', "class m { $x = [1].map |$i| { fail('x') '' } }", []],
    ['calls, which may differ', 'class m { if m::f() { } elsif m::f() { } }', []],
    ['a collector', "define m(Enum['a'] $table) { File <| title == table |> M <| table == $table |> }", []],
    ['a variable of a lambda', "class m(Boolean $a) { ['x'].each |$a| { if $a == 'x' { } } }", []],
    ['a definition after fail', "fail('x') class m { }", []],
  ])('%s', (_, text, expected) => {
    expect(check(inModule(text), 'dead_branch')).toEqual(expected)
  })
})

describe('missing_file', () => {
  const files = { 'modules/m/files/a': '', 'modules/m/templates/t.erb': '', 'modules/m/templates/e.epp': '' }
  it.each<[string, string, readonly string[]]>([
    [
      'a source',
      "class m { file { '/x': source => 'puppet:///modules/m/b' } }",
      ["1:34 missing_file: the module 'm' has no file 'files/b'"],
    ],
    [
      'templates',
      "class m { $x = template('m/x.erb') $y = epp('m/x.epp') $z = file('m/z') }",
      [
        "1:25 missing_file: the module 'm' has no file 'templates/x.erb'",
        "1:45 missing_file: the module 'm' has no file 'templates/x.epp'",
        "1:66 missing_file: the module 'm' has no file 'files/z'",
      ],
    ],
    [
      'a selector',
      "class m($a) { file { '/x': source => $a ? { 1 => 'puppet:///modules/m/a', default => 'puppet:///modules/m/b' } } }",
      ["1:86 missing_file: the module 'm' has no file 'files/b'"],
    ],
    [
      'existing files',
      "class m { file { '/x': source => 'puppet:///modules/m/a' } $x = template('m/t.erb') $y = epp('m/e') }",
      [],
    ],
    [
      'alternatives',
      "class m { file { '/x': source => ['puppet:///modules/m/b', 'puppet:///modules/m/a'] } $x = file('m/b', 'm/a') }",
      [],
    ],
    [
      'an absent module',
      "class m { file { '/x': source => 'puppet:///modules/other/b' } $x = template('other/x') }",
      [],
    ],
    [
      'other places',
      "class m($a) { file { '/x': source => \"puppet:///modules/m/${a}\"; '/y': source => '/b' } $x = template('/x') }",
      [],
    ],
  ])('%s', (_, text, expected) => {
    expect(check(inModule(text, files), 'missing_file')).toEqual(expected)
  })
})

describe('duplicate_declaration', () => {
  const problem = (column: number, title: string) =>
    `1:${column} duplicate_declaration: ${title} is already declared on line 1`
  it.each<[string, string, readonly string[]]>([
    ['in a class', "class m { file { '/x': } file { ['/y', '/x']: } }", [problem(40, "File['/x']")]],
    ['in a branch of the class', "class m($a) { user { 'x': } if $a { user { 'x': } } }", [problem(44, "User['x']")]],
    ['after a branch', "class m($a) { if $a { user { 'x': } } user { 'x': } }", [problem(46, "User['x']")]],
    [
      'in other branches',
      "class m($a) { if $a { user { 'x': } } else { user { 'x': } } case $a { 1: { user { 'y': } } 2: { user { 'y': } } default: { } } }",
      [],
    ],
    ['if it is not defined', "class m { user { 'x': } unless defined(User['x']) { user { 'x': } } }", []],
    ['in other definitions', "class m { user { 'x': } }\nclass m::b { user { 'x': } }", []],
    [
      'of other types, with other titles',
      "class m { user { 'x': } group { 'x': } user { 'X': } user { \"${title}\": } user { \"${title}\": } }",
      [],
    ],
  ])('%s', (_, text, expected) => {
    expect(check(inModule(text), 'duplicate_declaration')).toEqual(expected)
  })
})
