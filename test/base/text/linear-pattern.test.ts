import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { compileLinearPattern } from '../../../src/base/text/linear-pattern.ts'

describe('a regular expression from outside', () => {
  it.each<[source: string, text: string, groups: (string | undefined)[] | undefined]>([
    ['', '', []],
    ['b', 'abc', []],
    ['^b', 'abc', undefined],
    ['^/own/([^/]+)/(.*)$', '/own/a/b/c', ['a', 'b/c']],
    ['(a)|(b)', 'b', [undefined, 'b']],
    ['^(?:a|ab)(c|bcd)(d*)$', 'abcd', ['bcd', '']],
    ['(?i)WEB\\d+', 'a-web07', []],
    ['(?<role>\\w+)', '-db-', ['db']],
    ['^\\Qa.b(\\E$', 'a.b(', []],
    ['[^\\]/]', ']x', []],
    ['[]a]+', ']', []],
    ['\\/x\\-y\\.z', '/x-y.z', []],
    ['[a-z]{2,4}', 'a', undefined],
    ['a.c', 'a\nc', undefined],
  ])('%j in %j', (source, text, groups) => {
    expect(compileLinearPattern(source).find(text)).toEqual(groups)
  })

  it.each([
    ['(', 'missing closing )'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['(?=a)', 'lookaround is not supported: `(?=`'],
    ['(?<!a)b', 'lookaround is not supported: `(?<!`'],
    ['(?>a)', 'invalid or unsupported Perl syntax: `(?>`'],
    ['a++', 'invalid nested repetition operator: `++`'],
    ['(a)\\1', 'backreferences are not supported: `\\1`'],
    ['\\12', 'backreferences are not supported: `\\1`'],
    ['[a-z&&[^b]]', 'intersections of sets are not supported'],
    ['[a[bc]]', 'nested sets are not supported'],
    ['\\v', 'ambiguous escape sequence: `\\v`'],
    ['a\\Z', 'invalid escape sequence: `\\Z`'],
    ['(?U)a', 'unsupported flag: `U`'],
    ['(?iU:a)', 'unsupported flag: `U`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['.{1000}.{1000}.{1000}', 'its repetitions expand to more than 2000 steps'],
    ['a'.repeat(5000), 'it exceeds 4096 characters'],
  ])('%s is refused, with the reason', (source, reason) => {
    const read = () => compileLinearPattern(source)
    expect(read).toThrow(`cannot be used: ${reason}`)
    expect(hintOf(read)).toContain('use RE2')
  })

  it.each([
    ['(a+)+b', 'a'.repeat(16_000)],
    ['^(.*a){30}$', `${'a'.repeat(16_000)}b`],
    ['(x+x+)+y', 'x'.repeat(16_000)],
    ['^(\\w+\\s?)*$', `${'word '.repeat(3000)}!`],
    ['\\s+$', `${' '.repeat(16_000)}x`],
  ])('%s takes no longer than it is long, times the text', (source, text) => {
    const pattern = compileLinearPattern(source)
    expect(pattern.find(text)).toBeUndefined()
  })
})

function hintOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof PuppetError ? error.diagnostic.hint : undefined
  }
}
