import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

const functions = 'modules/t/lib/puppet/functions/t'
const tree = treeOf({
  [`${functions}/yaml.rb`]: `Puppet::Functions.create_function(:'t::yaml') do
  dispatch(:yaml) { param 'Any', :data }
  def yaml(data) = data.to_yaml
end
`,
  [`${functions}/twice.rb`]: `Puppet::Functions.create_function(:'t::twice') do
  dispatch(:twice) { param 'Any', :given }
  def twice(given)
    own = { 'n' => 1 }
    { 'a' => own, 'b' => own, 'c' => given, 'd' => [given] }
  end
end
`,
  [`${functions}/circle.rb`]: `Puppet::Functions.create_function(:'t::circle') do
  dispatch(:circle) { }
  def circle = [].tap { |list| list << list }
end
`,
  'modules/t/functions/literal.pp': "function t::literal() { { 'k' => [1, 2] } }",
  'modules/t/functions/same.pp': 'function t::same($x) { $x }',
  'modules/t/manifests/init.pp':
    'class t($x, $list = [], $hash = {}) { notice(t::yaml([$list, $list, $hash, $hash, $x, $x])) }',
  'modules/t/data/common.yaml': 'base: &b [one]\nt::x: { p: *b, q: *b }\n',
  'modules/t/hiera.yaml': 'version: 5\nhierarchy: [{ name: c, path: common.yaml }]\n',
})

function noticed(code: string): string[] {
  const environment = {
    ...{ name: 'production', tree, modulepath: [{ tree, path: 'modules' }], manifest: { text: code } },
    ...{ version: 1, globalHiera: undefined },
  }
  const { logs } = compile(plainRequest(environment, { facts: { os: { name: 'Debian' } } }))
  return logs.filter(({ level }) => level === 'notice').map(({ message }) => message)
}

/** Real Puppet's answers: Puppet 7.23 and stdlib's to_yaml. */
describe('YAML of Ruby', () => {
  it.each([
    ["t::yaml({ 'a' => $x, 'b' => $x })", `a: &1\n  "n":\n  - 1\n  - 2\nb: *1\n`],
    ["t::yaml([$x['n'], $x['n'], $x])", `- &1\n  - 1\n  - 2\n- *1\n- "n": *1\n`],
    ["t::yaml(['text', $s, $s])", '- text\n- s\n- s\n'],
    ['t::yaml([[], [], {}, {}])', '- []\n- []\n- {}\n- {}\n'],
    ['t::yaml([$e, $e])', '- &1 []\n- *1\n'],
    ['t::yaml([t::literal(), t::literal()])', '- k:\n  - 1\n  - 2\n- k:\n  - 1\n  - 2\n'],
    ["t::yaml([1, 2].map |$i| { ['c'] })", '- - c\n- - c\n'],
    ["t::yaml([1, 2].map |$i| { $x['n'] })", '- &1\n  - 1\n  - 2\n- *1\n'],
    ["t::yaml([$x + { 'z' => $x['n'] }, $x])", `- "n": &1\n  - 1\n  - 2\n  z: *1\n- "n": *1\n`],
    ['t::yaml([[$x] + [$x]])', `- - &1\n    "n":\n    - 1\n    - 2\n  - *1\n`],
    ['t::yaml(flatten([[$x], [[$x]]]))', `- &1\n  "n":\n  - 1\n  - 2\n- *1\n`],
    ['t::yaml([values($x), keys($x), $x])', `- - &1\n    - 1\n    - 2\n- - "n"\n- "n": *1\n`],
    ['t::yaml([t::same($x), t::same($x)])', `- &1\n  "n":\n  - 1\n  - 2\n- *1\n`],
    ["t::yaml([$facts['os'], $facts['os']])", '- &1\n  name: Debian\n- *1\n'],
    ['t::yaml(t::twice($x))', `a: &1\n  "n": 1\nb: *1\nc: &2\n  "n":\n  - 1\n  - 2\nd:\n- *2\n`],
    ['t::yaml([Sensitive($x), Sensitive($x)].map |$v| { $v.unwrap })', `- &1\n  "n":\n  - 1\n  - 2\n- *1\n`],
    [`inline_template('<%= {"a"=>@x, "b"=>@x}.to_yaml %>')`, `a: &1\n  "n":\n  - 1\n  - 2\nb: *1\n`],
    [`inline_template('<%= [@x, @y].to_yaml %>')`, `- &1\n  "n":\n  - 1\n  - 2\n- *1\n`],
    ['t::yaml([$x.filter |$k, $v| { true }, $x])', `- "n": &1\n  - 1\n  - 2\n- "n": *1\n`],
    ['t::yaml([[$x, $x][0, 2], $x])', `- - &1\n    "n":\n    - 1\n    - 2\n  - *1\n- *1\n`],
    ['t::yaml([with($x) |$w| { $w }, $x])', `- &1\n  "n":\n  - 1\n  - 2\n- *1\n`],
    ["t::yaml([dig($x, 'n'), $x.get('n'), $x['n']])", '- &1\n  - 1\n  - 2\n- *1\n- *1\n'],
    ['t::yaml([unique([$x, $x]), $x])', `- - &1\n    "n":\n    - 1\n    - 2\n- *1\n`],
    ['t::yaml([if true { $x } else { 1 }, $x ? { default => $x }])', `- &1\n  "n":\n  - 1\n  - 2\n- *1\n`],
    [
      "t::yaml([Hash($x), Hash([['a', $x]]), Array($x['n']), $x])",
      `- &1\n  "n": &2\n  - 1\n  - 2\n- a: *1\n- *2\n- *1\n`,
    ],
    ["t::yaml([lookup('t::x'), lookup('t::x')])", '- p:\n  - one\n  q:\n  - one\n- p:\n  - one\n  q:\n  - one\n'],
  ])('of %s has anchors for what is the same', (code, expected) => {
    const facts = `$x = { 'n' => [1, 2] }\n$y = $x\n$e = []\n$s = 's'\n`
    expect(noticed(`${facts}notice(${code})`)).toEqual([`---\n${expected}`])
  })

  it('has them for parameters, and not for aliases in data', () => {
    expect(noticed('include t')).toEqual([
      '---\n- &1 []\n- *1\n- &2 {}\n- *2\n- &3\n  p:\n  - one\n  q:\n  - one\n- *3\n',
    ])
  })

  it('gives what Ruby gave back as the same', () => {
    expect(noticed('$t = t::twice([1]) notice($t["a"] == $t["b"], $t["c"])')).toEqual(['true [1]'])
  })

  it('refuses a list that contains itself', () => {
    expect(() => noticed('t::circle()')).toThrow('Ruby returned a value that contains itself')
  })
})
