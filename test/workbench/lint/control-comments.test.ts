import { describe, expect, it } from 'vitest'
import { lintText, toRows } from './lint-text.ts'

const checks = ['double_quoted_strings', 'hard_tabs']

describe('control comments', () => {
  it.each<[string, string, readonly string[]]>([
    ['after code', '$a = "x" # lint:ignore:double_quoted_strings why', ['ignored']],
    [
      'around lines',
      '# lint:ignore:double_quoted_strings\n$a = "x"\n# lint:endignore\n$b = "y"',
      ['ignored', 'warning'],
    ],
    ['of another check', '$a = "x" # lint:ignore:hard_tabs', ['warning']],
    ['of two checks', '\t$a = "x" # lint:ignore:hard_tabs lint:ignore:double_quoted_strings', ['ignored', 'ignored']],
    [
      'nested',
      '# lint:ignore:a\n# lint:ignore:double_quoted_strings\n$a = "x"\n# lint:endignore\n# lint:endignore',
      ['ignored'],
    ],
    ['that are valid today', '$a = "x" # lint:ignore:double_quoted_strings until 2026-06-15', ['ignored']],
    ['in slashes', '$a = "x" // lint:ignore:double_quoted_strings', ['ignored']],
  ])('suppress problems: %s', (_, text, kinds) => {
    expect(lintText(text, { checks }).problems.map(({ kind }) => kind)).toEqual(kinds)
  })

  it('keep the reason', () => {
    const [problem] = lintText('$a = "x" # lint:ignore:double_quoted_strings for a reason', { checks }).problems
    expect(problem).toMatchObject({ kind: 'ignored', reason: 'for a reason' })
  })

  it('lose their effect after the last day, and are reported', () => {
    const text = '\n$a = "x" # lint:ignore:double_quoted_strings until 2026-06-14 JIRA-1'
    expect(toRows(lintText(text, { checks }))).toEqual([
      ['double_quoted_strings', 'warning', 2, 6, 'double quoted string containing no variables'],
      ['expired_ignore', 'warning', 2, 1, 'the comment that ignores double_quoted_strings expired on 2026-06-14'],
    ])
  })

  it('are not corrected where they suppress', () => {
    const text = '$a = "x" # lint:ignore:double_quoted_strings\n$b = "y"\n'
    expect(lintText(text, { checks, fix: true }).fixed).toBe(text.replace('"y"', "'y'"))
  })

  it('warn of missing partners', () => {
    expect(lintText('# lint:ignore:a\n\n# lint:ignore:b\n', { checks }).warnings).toEqual([
      'lint:ignore:a comment on line 1 with no closing lint:endignore comment',
      'lint:ignore:b comment on line 3 with no closing lint:endignore comment',
    ])
    expect(lintText('# lint:endignore\n', { checks }).warnings).toEqual([
      'lint:endignore comment with no opening lint:ignore:<check> comment found on line 1',
    ])
  })
})
