import { describe, expect, it } from 'vitest'
import { compileJavaPattern } from '../../../src/server/auth/java-pattern.ts'

/** True if OpenJDK 17 finds the pattern in the text. */
const cases: readonly (readonly [pattern: string, found: readonly string[], notFound: readonly string[]])[] = [
  [
    '^.$',
    ['a', '\u000b', '\u000e', '\u0084', '\u0086', '\u2027', '\u202a'],
    ['\n', '\r', '\u0085', '\u2028', '\u2029'],
  ],
  ['^(?s:.)x$', ['\nx', 'ax'], ['x']],
  ['(?s)^.(?-s).', ['\na'], ['\n\n']],
  ['^\\s$', ['\t', '\u000b', '\r', ' '], ['\u0008', '\u000e', '\u001f', '!', '\u00a0']],
  ['^\\S$', ['\u0008', 'a', '!'], ['\t', ' ']],
  ['^\\w$', ['0', '9', 'A', 'Z', '_', 'a', 'z'], ['/', ':', '@', '[', '^', '`', '{', 'é']],
  ['^\\W$', ['/', ':', '@', '[', '^', '`', '{', '\u{10ffff}'], ['0', '9', 'A', 'Z', '_', 'a', 'z']],
  ['^\\d$', ['0', '9'], ['/', ':', '٣']],
  ['^[^\\D]$', ['5'], ['x']],
  ['^\\t\\n\\r\\f\\a\\e$', ['\t\n\r\f\u0007\u001b'], ['tnrfae']],
  ['^\\x41\\u0042\\x{43}\\x{10ffff}$', ['ABC\u{10ffff}'], ['ABC']],
  ['^\\x{d7ff}[\\x{e000}]$', ['\ud7ff\ue000'], ['\ud7ff']],
  ['^\ud7ff\ue000$', ['\ud7ff\ue000'], ['\ud7ff']],
  ['^\\/\\-\\.$', ['/-.'], ['/-a']],
  ['^[a-]$', ['a', '-'], ['b', ']']],
  ['^[\\d-]$', ['5', '-'], ['a']],
  ['^[a-c\\-x]$', ['b', '-', 'x'], ['d', 'w']],
  ['^[a-a]$', ['a'], ['b', '-']],
  ['^[!-\\x26]$', ['!', '&'], ['-', "'", ' ']],
  ['^[a&]$', ['a', '&'], ['b']],
  ['^[!-&]$', ['!', '&'], ["'"]],
  ['^[\\]]$', [']'], ['\\']],
  ['^[^\\]a]$', ['b', '^', '\n'], [']', 'a']],
  ['(?i)^[Z-a]$', ['z', 'A', '_', 'Z', 'a'], ['y', 'B']],
  ['(?i)^a[^b]$', ['Ac'], ['ab', 'aB']],
  ['(?i)^k$', ['k', 'K'], ['\u212a']],
  ['(?i)^(?-i:a)b$', ['aB', 'ab'], ['AB']],
  ['(?is-i)^A.$', ['A\n'], ['a\n']],
  ['^(?:(?i)a)b$', ['Ab', 'ab'], ['aB']],
  ['^a{2}?b$', ['aab'], ['ab', 'aaab']],
  ['^a{2,}$', ['aa', 'aaaa'], ['a']],
  ['^a{1,2}$', ['a', 'aa'], ['', 'aaa']],
  ['^a{2,2}$', ['aa'], ['a', 'aaa']],
  ['^a??b+?c*?$', ['b', 'abbcc'], ['a', 'ac']],
  ['^\\Qa.b\\E+$', ['a.b', 'a.bbb'], ['aXb', 'a.ba.b']],
  ['^\\Q\\Ex\\Qy', ['xy'], ['y']],
  ['\\Aa|b\\z', ['ax', 'xb'], ['xa', 'bx']],
  ['^a\\Z', ['a'], ['ab']],
  ['^(?<n>a)(?<m1>b)$', ['ab'], ['a']],
]

describe('a pattern means what it means in Java', () => {
  it.each(cases)('%s', (source, found, notFound) => {
    const pattern = compileJavaPattern(source)
    const isFound = (text: string) => pattern.find(text) !== undefined
    expect([...found, ...notFound].filter(isFound)).toEqual(found)
  })

  it('has the groups of Java', () => {
    expect(compileJavaPattern('^(?<n>a)(?:b)(c)?(d)$').find('abd')).toEqual(['a', undefined, 'd'])
  })
})

describe('a pattern is refused', () => {
  it.each([
    ['[\\d-a]', 'a range cannot begin with a class of characters'],
    ['[a-\\d]', 'a range cannot end with a class of characters'],
    ['[b-a]', 'the end of a range is before its start'],
    ['[a&&b]', 'intersections of sets are not supported'],
    ['[!-&&]', 'intersections of sets are not supported'],
    ['[a[b]]', 'nested sets are not supported'],
    ['[a-[b]]', 'nested sets are not supported'],
    ['[]a]', 'a literal `]` in a set must be written as `\\]`'],
    ['[\\Qa\\E]', 'a quotation `\\Q…\\E` in a set is not supported'],
    ['(?<a>x)(?<a>y)', 'two groups are named a'],
    ['a{3,2}', 'bad repetition operator'],
    ['a++', 'possessive quantifiers are not supported'],
    ['a+*', 'a repetition cannot be repeated'],
    ['a+?{2}', 'a repetition cannot be repeated'],
    ['^*', 'an anchor cannot be repeated'],
    ['\\Q\\E+', 'an anchor cannot be repeated'],
    ['a{', 'a literal `{` must be written as `\\{`'],
    ['{', 'a literal `{` must be written as `\\{`'],
    ['(a', 'missing closing )'],
    ['a)', 'unmatched closing )'],
    ['\\', 'it is incomplete'],
    ['\\x{d800}', '\\x{d800} is not a character'],
    ['\\udfff', '\\udfff is not a character'],
    ['\\x{110000}', '\\x{110000} is not a character'],
    [String.fromCharCode(0xd800), 'it contains half of a surrogate pair'],
    [`a${String.fromCharCode(0xdfff)}`, 'it contains half of a surrogate pair'],
    ['(a)\\9', 'backreferences are not supported: `\\9`'],
    ['\\0', 'this escape sequence is not supported: `\\0`'],
    ['\\u004', 'this escape sequence is not supported: `\\u`'],
    ['(?<=a)b', 'lookaround is not supported: `(?<=`'],
    ['(?iss:a)', 'this group is not supported: `(?iss`'],
  ])('%s', (source, reason) => {
    expect(() => compileJavaPattern(source)).toThrow(`The regular expression '${source}' cannot be used: ${reason}`)
  })
})
