import { describe, expect, it } from 'vitest'
import { createResourceType } from '../../src/language/types/constructors.ts'
import { Float } from '../../src/language/values/float.ts'
import { Hash } from '../../src/language/values/hash.ts'
import { Regexp } from '../../src/language/values/regexp.ts'
import { Sensitive } from '../../src/language/values/sensitive.ts'
import { DEFAULT, type Value } from '../../src/language/values/value.ts'
import { type Crossings, toRuby, toRubyText } from '../../src/ruby/tagged-json.ts'

const values: Readonly<Record<string, Value>> = {
  undef: undefined,
  'a text': 'say "Grüße"\n\\ \u0000',
  'half a character': 'a\ud800',
  'a text that is not UTF-8': 'a\udcff',
  'an integer': -12,
  'a large integer': 2n ** 70n,
  'a float': new Float(1),
  'a boolean': false,
  default: DEFAULT,
  'a regexp': new Regexp('a"b'),
  'a reference': createResourceType('File', '/x'),
  'a secret': new Sensitive(['x']),
  'an empty list': [],
  'a list': ['a', [1, undefined], Hash.empty],
  'a hash': Hash.of([
    ['a', [true]],
    [1, Hash.from({ b: 'c' })],
    [undefined, DEFAULT],
  ]),
}

/** Nothing here is kept on either side. */
const crossings: Crossings = {
  keep: () => 0,
  kept: () => undefined,
  getScopeNumber: () => 0,
  block: () => expect.unreachable(),
  resolve: () => undefined,
}

describe('the text of a value for Ruby', () => {
  it.each(Object.entries(values))('is the JSON of the value: %s', (_, value) => {
    expect(toRubyText(value, crossings)).toBe(JSON.stringify(toRuby(value, crossings)))
  })
})
