import { describe, expect, it } from 'vitest'
import { formatFloat, formatInteger } from '../../../src/language/ruby-semantics/numbers/format.ts'
import { normalizeInteger } from '../../../src/language/ruby-semantics/numbers/integer.ts'
import { formatTime } from '../../../src/language/ruby-semantics/time/strftime.ts'
import { toLiteral, toText } from '../../../src/language/types/printing/text.ts'
import { compareValues } from '../../../src/language/values/comparison.ts'
import { isEqualValue } from '../../../src/language/values/equality.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { isSameKey } from '../../../src/language/values/hash-key.ts'
import { parseTimestamp } from '../../../src/language/values/parse-timestamp.ts'
import { SemVer, SemVerRange } from '../../../src/language/values/semver.ts'
import { formatTimespan, parseTimespan } from '../../../src/language/values/timespan-format.ts'
import { evaluateLiteral } from '../types/evaluate-literal.ts'

describe('equality', () => {
  it.each([
    ['1', '1.0', true, false],
    ["'A'", "'a'", true, false],
    ["'Ä'", "'ä'", false, false],
    ['1', "'1'", false, false],
    ["[1, 'A']", "[1.0, 'a']", true, false],
    ['{a => 1, b => 2}', '{b => 2, a => 1}', true, true],
    ["{'A' => 1}", "{'a' => 1}", false, false],
    ['/a/', '/a/', true, true],
    ['Integer[1]', 'Integer[1, default]', true, true],
    ['Variant[Integer, String]', 'Variant[String, Integer]', true, true],
    ["Sensitive('a')", "Sensitive('a')", true, true],
    ["Binary('aGk=')", "Binary('aGk=')", true, true],
    ['Timespan(60)', '60', true, false],
    ['undef', 'false', false, false],
    ["{1 => 'a'}", "{1.0 => 'a'}", false, false],
    ["SemVer('1.0.0')", "'1.0.0'", false, false],
  ])('%s == %s', (left, right, equal, same) => {
    const [a, b] = [evaluateLiteral(left), evaluateLiteral(right)]
    expect([isEqualValue(a, b), isSameKey(a, b)]).toEqual([equal, same])
  })

  it('compares keys by their content, however long and deep', () => {
    const nested = (inner: string) => {
      let key = Hash.of([[[inner.repeat(300)], 1]])
      for (let level = 0; level < 50; level++) key = Hash.of([[key, level]])
      return key
    }
    expect(isSameKey(nested('a'), nested('a'))).toBe(true)
    expect(isSameKey(nested('a'), nested('b'))).toBe(false)
    expect(Hash.of([[nested('a'), 1]]).get(nested('a'))).toBe(1)
  })

  it('keeps keys apart, whatever they look like', () => {
    const keys = ['1', '1', '1.0', '[1]', 'true', 'undef', "'undef'", "'[1]'", 'default', '/a/', 'Integer', '{a => 1}']
    const all = keys.map((key, index) => [index === 0 ? '1' : evaluateLiteral(key), index] as const)
    const hash = Hash.of(all)
    expect(hash.size).toBe(keys.length)
    expect(all.map(([key]) => hash.get(key))).toEqual(keys.map((_, index) => index))
  })
})

describe('order', () => {
  it.each([
    ["'a'", "'B'", -1],
    ['1', '1.5', -1],
    ['2', '2', 0],
    ["SemVer('1.0.0-rc1')", "SemVer('1.0.0')", -1],
    ['Timespan(61)', '60', 1],
  ])('%s <=> %s', (left, right, expected) => {
    expect(Math.sign(compareValues(evaluateLiteral(left), evaluateLiteral(right)))).toBe(expected)
  })

  it.each([
    ["'a'", '1', 'A String is not comparable to a non String'],
    ['1', "'a'", 'A Numeric is not comparable to non Numeric'],
    ['[1]', '[2]', 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'],
  ])('%s <=> %s is refused', (left, right, message) => {
    expect(() => compareValues(evaluateLiteral(left), evaluateLiteral(right))).toThrow(message)
  })
})

describe('text', () => {
  it.each([
    ["[1, 'a', undef, [true]]", '[1, a, , [true]]', "[1, 'a', undef, [true]]"],
    ["{a => {1 => 'b'}}", '{a => {1 => b}}', "{'a' => {1 => 'b'}}"],
    ['1.0e20', '1.0e+20', '1.0e+20'],
    ['1.0e-5', '1.0e-05', '1.0e-05'],
    ['100000.0', '100000.0', '100000.0'],
    ['/a\\/b/', '/a\\/b/', '/a\\/b/'],
    ['"a\\n\'"', "a\n'", '"a\\n\'"'],
    ["Sensitive('x')", 'Sensitive [value redacted]', '#<Sensitive [value redacted]>'],
    ['Integer[1, 2]', 'Integer[1, 2]', 'Integer[1, 2]'],
  ])('%s', (code, text, literal) => {
    const value = evaluateLiteral(code)
    expect([toText(value), toLiteral(value)]).toEqual([text, literal])
  })
})

describe('integers', () => {
  it('are numbers while that is exact', () => {
    expect([normalizeInteger(5n), normalizeInteger(2n ** 60n), normalizeInteger(2 ** 60)]).toEqual([
      5,
      2n ** 60n,
      2n ** 60n,
    ])
  })
})

describe("Ruby's format", () => {
  const directive = (text: string) => {
    const [, flags, width, precision, letter] = /^%([-+ #0]*)(\d*)(?:\.(\d+))?(\w)$/.exec(text)!
    const number = (digits: string | undefined) => (digits ? Number(digits) : undefined)
    return { flags: flags!, width: number(width), precision: number(precision), letter: letter! }
  }
  it.each([
    ['%x', -255, '..f01'],
    ['%x', -256, '..f00'],
    ['%+x', -255, '-ff'],
    ['%b', -5, '..1011'],
    ['%#o', 8, '010'],
    ['%08.3d', 5, '     005'],
    ['%-6d', 5, '5     '],
    ['%+05d', 5, '+0005'],
  ])('%s of %d', (format, value, text) => {
    expect(formatInteger(directive(format), value)).toBe(text)
  })

  it.each([
    ['%.0f', 2.5, '2'],
    ['%.0f', 3.5, '4'],
    ['%.1f', 0.25, '0.2'],
    ['%.2f', 1.005, '1.00'],
    ['%e', 12345.678, '1.234568e+04'],
    ['%g', 0.0001, '0.0001'],
    ['%g', 0.00001, '1e-05'],
    ['%#g', 1, '1.00000'],
    ['%a', 0.1, '0x1.999999999999ap-4'],
    ['%08.2f', -1.5, '-0001.50'],
    ['%f', Number.POSITIVE_INFINITY, 'Inf'],
  ])('%s of %d', (format, value, text) => {
    expect(formatFloat(directive(format), value)).toBe(text)
  })
})

describe('versions', () => {
  it.each([
    ['>=1.0.0 <2.0.0', ['1.0.0', '1.9.9'], ['0.9.9', '2.0.0', '1.5.0-rc1']],
    ['~1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
    ['^0.2.3', ['0.2.3', '0.2.9'], ['0.3.0', '0.2.2']],
    ['1.x || 3.x', ['1.5.0', '3.0.0'], ['2.0.0']],
    ['1.2.3 - 2.0.0', ['1.2.3', '2.0.0'], ['2.0.1']],
    ['>=1.0.0-rc1', ['1.0.0-rc2', '1.0.0'], ['1.1.0-rc1']],
    ['>1.2', ['1.3.0'], ['1.2.9']],
  ])('%s', (range, inside, outside) => {
    const includes = (text: string) => SemVerRange.parse(range)!.includes(SemVer.parse(text)!)
    expect(inside.map(includes)).not.toContain(false)
    expect(outside.map(includes)).not.toContain(true)
  })

  it.each(['1.2', '01.2.3', '1.2.3-01', 'x'])('%s is none', (text) => {
    expect(SemVer.parse(text)).toBeUndefined()
  })
})

describe('time', () => {
  const moment = parseTimestamp('2020-01-02T03:04:05.006 UTC').nanoseconds
  it.each([
    ['%Y-%m-%d %H:%M:%S.%L %Z', '2020-01-02 03:04:05.006 UTC'],
    ['%a %b %e %-d %j %y %C', 'Thu Jan  2 2 002 20 20'],
    ['%I:%M %p %P %l', '03:04 AM am  3'],
    ['%s %N %3N %6N', '1577934245 006000000 006 006000'],
    ['%F %T %D %R %z %:z', '2020-01-02 03:04:05 01/02/20 03:04 +0000 +00:00'],
    ['%G-W%V-%u %U %W %w', '2020-W01-4 00 00 4'],
    ['%^a %^B %% %5d', 'THU JANUARY % 00002'],
  ])('%s', (format, text) => {
    expect(formatTime(moment, format)).toBe(text)
  })

  it('is written for other zones', () => {
    expect(formatTime(moment, '%F %T %z', -330)).toBe('2020-01-01 21:34:05 -0530')
  })

  it.each([
    ['1-02:03:04.5', undefined, '1-02:03:04.5'],
    ['90', '%M', '0-01:30:00.0'],
    ['-00:00:01', undefined, '-0-00:00:01.0'],
  ])('a span of %s', (text, format, written) => {
    expect(formatTimespan(parseTimespan(text, format))).toBe(written)
  })

  it.each([
    ['%H:%M', '26:03'],
    ['%D %H', '1 02'],
    ['%M', '1563'],
    ['%_5S', '93784'],
    ['%-S', '93784'],
    ['%S.%-L', '93784.5'],
  ])('a span as %s', (format, written) => {
    expect(formatTimespan(parseTimespan('1-02:03:04.5'), format)).toBe(written)
  })

  it('refuses a bad format', () => {
    expect(() => formatTimespan(1n, '%Y')).toThrow("Bad format specifier '%' in '%Y', at position 1")
  })
})
