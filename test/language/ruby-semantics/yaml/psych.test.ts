import { describe, expect, it } from 'vitest'
import { toLiteral } from '../../../../src/language/types/printing/text.ts'
import type { Hash } from '../../../../src/language/values/hash.ts'
import { parseYaml } from '../../../../src/language/values/yaml.ts'

/** Asked of Ruby 3.1's Psych, as Puppet 7.23 calls it. */
const scalars: readonly (readonly [yaml: string, value: string])[] = [
  ['yes', 'true'],
  ['on', 'true'],
  ['Off', 'false'],
  ['y', "'y'"],
  ['0644', '420'],
  ['0777_7', '4095'],
  ['08', "'08'"],
  ['0o17', "'0o17'"],
  ['0x1f', '31'],
  ['-0x1f', '-31'],
  ['0b101', '5'],
  ['1_000', '1000'],
  ['1,000', '1000'],
  ['1__0', "'1__0'"],
  ['+12', '12'],
  ['12:30:45', '45045'],
  ['1:30', '5400'],
  ['190:20:30.15', '685230.15'],
  ['1.5', '1.5'],
  ['1.', '1.0'],
  ['.5', '0.5'],
  ['1e3', "'1e3'"],
  ['1.0e+3', '1000.0'],
  ['1.2e3', "'1.2e3'"],
  ['1.2.3', "'1.2.3'"],
  ['.inf', 'Infinity'],
  ['~', 'undef'],
  ['Null', 'undef'],
  ['"yes"', "'yes'"],
  ["'0644'", "'0644'"],
  ['=', "'='"],
  ['2001-1-1x', "'2001-1-1x'"],
  ['!!str 5', "'5'"],
  ['!!int "5"', '5'],
  ['!!binary aGVsbG8=', "'hello'"],
  ['!foo bar', "'bar'"],
]

const documents: readonly (readonly [yaml: string, value: string])[] = [
  [
    'base: &b {p: 1, q: 2}\nm: {q: 9, <<: *b, r: 3}',
    "{'base' => {'p' => 1, 'q' => 2}, 'm' => {'q' => 2, 'p' => 1, 'r' => 3}}",
  ],
  ['base: &b {p: 1, q: 2}\nm: {<<: *b, q: 9}', "{'base' => {'p' => 1, 'q' => 2}, 'm' => {'p' => 1, 'q' => 9}}"],
  ['d: 1\nd: 2', "{'d' => 2}"],
  [':symk: 1', "{'symk' => 1}"],
  ['a: |\n  x\n  y\n', '{\'a\' => "x\\ny\\n"}'],
  ['a: >-\n  x\n  y\n', "{'a' => 'x y'}"],
  ['', 'undef'],
  ['---\n...\n', 'undef'],
]

describe('YAML is read as Psych reads it', () => {
  it.each(scalars)('%s', (yaml, value) => {
    expect(toLiteral((parseYaml(`a: ${yaml}`) as Hash).get('a'))).toBe(value)
  })

  it.each(documents)('%j', (yaml, value) => {
    expect(toLiteral(parseYaml(yaml))).toBe(value)
  })

  it.each([
    ['a: 2001-01-01', 'Tried to load unspecified class: Date'],
    ['a: 2001-01-01T10:00:00Z', 'Tried to load unspecified class: Time'],
  ])('%s is no data', (yaml, message) => {
    expect(() => parseYaml(yaml)).toThrow(message)
  })

  it('says where it went wrong', () => {
    expect(() => parseYaml('a: "x\n')).toThrow(/at line \d+ column \d+$/)
  })
})
