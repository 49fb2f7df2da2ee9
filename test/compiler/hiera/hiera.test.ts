import { describe, expect, it } from 'vitest'
import { hieraHost, said } from './hiera-of.ts'

const files = {
  'hiera.yaml': `
version: 5
hierarchy:
  - name: family
    path: "%{facts.os.family}.yaml"
  - name: common
    path: common.yaml
`,
  'data/Debian.yaml': `
h1: {a: {x: 2, l: [2,3]}, c: 1}
u1: [b, [c]]
s1: other
deepk: {l: [3,4], h: [{b: 2}]}
ko: {l: [--b, d], m: {--x: 1}}
mh: {b: 3, c: 4}
rex: [2,1]
md: {l: [--b, z], k: --v}
`,
  'data/common.yaml': `
w: '%{facts.os.family}'
x: "%{lookup('w')}"
y: "%{alias('arr')}"
arr: [1,2,[3]]
lit: "%{literal('%')}{x}"
sc: "a%{scope('facts.os.family')}b"
undefd2: "x%{facts.nope}y"
undefd: "x%{nope}y"
bad: "x%{foo('a')}y"
bad2: "x%{alias('arr')}y"
loop1: "%{lookup('loop2')}"
loop2: "%{lookup('loop1')}"
nolook: "x%{lookup('zzz')}y"
empties: "x%{}%{::}y"
h1: {a: {x: 1, l: [1,2]}, b: 1}
u1: [a, b]
s1: str
deepk: {l: [1,2,3], h: [{a: 1}]}
ko: {l: [a,b,c], m: {x: 1}}
"dot.ted": 5
str2: "%{lookup('arr.2')}"
intkeys: {1: a, 2.5: b, true: c}
nn: {a: ~}
j: ~
inh: "%{lookup('h1.a.x')}"
hashin: "%{lookup('h1')}"
lookup_options:
  mh: {merge: hash}
  '^re': {merge: unique}
  cv: {convert_to: Sensitive}
  cv2: {convert_to: [Integer, 10]}
  cv3: {convert_to: Integer}
  md: {merge: {strategy: deep, knockout_prefix: '--'}}
mh: {a: 1, b: 2}
rex: [1]
cv: secret
cv2: '12'
cv3: 'x'
md: {l: [a,b,c], k: v}
n19: "%{facts.'os'.family} %{\\"facts\\".os.family}"
n20: "%{ facts.os.family }"
`,
}

const call = '! Evaluation Error: Error while evaluating a Function Call, '

/** Asked of real Puppet 7.23 with these very files. */
const cases: readonly (readonly [code: string, worth: string])[] = [
  [`lookup('w')`, `'Debian'`],
  [`lookup('x')`, `'Debian'`],
  [`lookup('y')`, `[1, 2, [3]]`],
  [`lookup('lit')`, `'%{x}'`],
  [`lookup('sc')`, `'aDebianb'`],
  [`lookup('undefd2')`, `'xy'`],
  [`lookup('undefd')`, `${call}Undefined variable 'nope' (line: 2, column: 1)`],
  [`lookup('bad')`, `! Unknown interpolation method 'foo'`],
  [`lookup('bad2')`, `! 'alias' interpolation is only permitted if the expression is equal to the entire string`],
  [`lookup('loop1')`, `! Lookup of key 'loop1' failed: Recursive lookup detected in [loop1, loop2]`],
  [`lookup('nolook')`, `'xy'`],
  [`lookup('empties')`, `'xy'`],
  [`lookup('h1')`, `{'a' => {'x' => 2, 'l' => [2, 3]}, 'c' => 1}`],
  [`lookup('h1', Hash, hash)`, `{'a' => {'x' => 2, 'l' => [2, 3]}, 'b' => 1, 'c' => 1}`],
  [`lookup('h1', Hash, deep)`, `{'a' => {'x' => 2, 'l' => [1, 2, 3]}, 'b' => 1, 'c' => 1}`],
  [`lookup('u1', Array, unique)`, `['b', 'c', 'a']`],
  [`lookup('s1', Any, unique)`, `['other', 'str']`],
  [`lookup('s1', Any, hash)`, `! The first element of the merge has wrong type, expects a Hash value, got String`],
  [
    `lookup('h1', Any, unique)`,
    '! The second element of the merge has wrong type, expects a value of type Scalar or Array, got Struct',
  ],
  [`lookup('deepk', Any, deep)`, `{'l' => [1, 2, 3, 4], 'h' => [{'a' => 1}, {'b' => 2}]}`],
  [
    `lookup('deepk', Any, {strategy => deep, sort_merged_arrays => true})`,
    `${call}comparison of Hash with Hash failed (line: 2, column: 1)`,
  ],
  [
    `lookup('deepk', Any, {strategy => deep, merge_hash_arrays => true})`,
    `{'l' => [1, 2, 3, 4], 'h' => [{'a' => 1, 'b' => 2}]}`,
  ],
  [
    `lookup('ko', Any, {strategy => deep, knockout_prefix => '--'})`,
    `{'l' => ['a', 'c', 'd'], 'm' => {'x' => 1, '--x' => 1}}`,
  ],
  [
    `lookup('ko', Any, {strategy => deep, foo => 1})`,
    `${call}The merge options has wrong type, unrecognized key 'foo' (line: 2, column: 1)`,
  ],
  [
    `lookup('ko', Any, {foo => 1})`,
    `${call}The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy' (line: 2, column: 1)`,
  ],
  [`lookup('zzz', Any, nope)`, `${call}Unknown merge strategy: 'nope' (line: 2, column: 1)`],
  [`lookup('h1.a.x')`, '2'],
  [`lookup('h1.a.l.1')`, '3'],
  [`lookup('h1.a.l.9')`, `! Function lookup() did not find a value for the name 'h1.a.l.9'`],
  [
    `lookup('s1.a')`,
    `! Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'a' from key 's1.a'`,
  ],
  [`lookup('"dot.ted"')`, '5'],
  [`lookup('dot.ted')`, `! Function lookup() did not find a value for the name 'dot.ted'`],
  [`lookup('str2')`, `'[3]'`],
  [
    `lookup('intkeys')`,
    `! Value for key 'intkeys', in hash returned from data_hash function 'yaml_data', when using location '/code/production/data/common.yaml', has wrong type, expects Puppet::LookupValue, got Hash[ScalarData, Enum['a', 'b', 'c'], 3, 3]`,
  ],
  [`lookup('nn')`, `{'a' => undef}`],
  [`lookup('nn.a')`, 'undef'],
  [`lookup('j')`, 'undef'],
  [`lookup('j', Any, unique)`, '[undef]'],
  [`lookup('inh')`, `'2'`],
  [`lookup('hashin')`, `'{"a"=>{"x"=>2, "l"=>[2, 3]}, "c"=>1}'`],
  [`lookup('lookup_options')`, `! Function lookup() did not find a value for the name 'lookup_options'`],
  [`lookup('mh')`, `{'a' => 1, 'b' => 3, 'c' => 4}`],
  [`lookup('rex')`, '[2, 1]'],
  [`lookup('cv')`, '#<Sensitive [value redacted]>'],
  [`lookup('cv2')`, '12'],
  [
    `lookup('cv3')`,
    `! The convert_to lookup_option for key 'cv3' raised error: 'new' The string 'x' cannot be converted to Integer`,
  ],
  [`lookup('md')`, `{'l' => ['a', 'c', 'z'], 'k' => ''}`],
  [`lookup('a..b')`, `! Syntax error in key: 'a..b'`],
  [
    `lookup('j', Integer)`,
    `${call}Found value has wrong type, expects an Integer value, got Undef (line: 2, column: 1)`,
  ],
  [`lookup('zzz', Integer, first, 3)`, '3'],
  [`lookup('::w')`, `! Function lookup() did not find a value for the name '::w'`],
  [`lookup('nomod::a')`, `! Function lookup() did not find a value for the name 'nomod::a'`],
  [`lookup({name => 'w', override => {w => 5}})`, '5'],
  [`lookup({name => ['zz', 'w']})`, `'Debian'`],
  [`lookup('u1', Any, deep)`, `['a', 'b', ['c']]`],
  [`lookup('s1', Any, deep)`, `'other'`],
  [`lookup('n19')`, `'Debian Debian'`],
  [`lookup('n20')`, `'Debian'`],
]

describe('lookup', () => {
  it.each(cases)('%s', (code, worth) => {
    expect(said(code, hieraHost(files))).toBe(worth)
  })
})

describe('an unknown variable in data', () => {
  // The answers of Puppet 7.23, whose messages end in a note about the missing place.
  it.each([
    ['off', `'xy'`, []],
    ['warning', `'xy'`, ["Undefined variable 'nope'"]],
    ['error', `${call}Undefined variable 'nope' (line: 2, column: 1)`, []],
  ] as const)('with strict = %s', (strict, worth, warnings) => {
    for (const strictVariables of [true, false]) {
      const host = Object.assign(hieraHost(files), { strict, strictVariables })
      expect(said(`lookup('undefd')`, host)).toBe(worth)
      expect(host.warnings.map(({ message }) => message)).toEqual(warnings)
    }
  })
})
