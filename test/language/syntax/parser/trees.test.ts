import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../../src/base/issue.ts'
import { parseSource } from '../../../../src/language/syntax/parser/parser.ts'
import { toPn } from '../../../../src/language/syntax/tree/pn.ts'
import { formatPn } from '../../../../src/language/syntax/tree/pn-text.ts'
import type { Answer } from '../../real-puppet.ts'
import { recordedCases } from '../../recorded.ts'

function answer(code: string, epp: boolean | undefined): Answer {
  try {
    return { tree: formatPn(toPn(parseSource({ file: undefined, text: code }, { epp: epp ?? false }).program)) }
  } catch (error) {
    if (error instanceof PuppetError) return { error: error.message }
    throw error
  }
}

for (const [family, cases] of recordedCases(import.meta.filename))
  describe(family, () => {
    it.each(cases.filter(({ crash }) => crash === undefined))('$code', ({ code, epp, tree, error }) => {
      expect(answer(code, epp)).toEqual(error === undefined ? { tree } : { error })
    })
  })

describe('where Puppet itself breaks', () => {
  it.each([
    ['a::', 'Illegal fully qualified name (line: 1, column: 4)'],
    ['$a::', 'Illegal fully qualified name (line: 1, column: 5)'],
    [
      '"\\u{110000}"',
      "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff (line: 1, column: 13)",
    ],
    ['@("X")\n  | ${ 0x }\n  | X\n', 'Not a valid hex number 0x (line: 2, column: 8)'],
  ])('%s', (code, error) => {
    expect(answer(code, false)).toEqual({ error })
  })

  it('shows parameters that take the rest', () => {
    expect(answer('with() |*$x| {}', false).tree).toBe(
      '(invoke {:functor (qn "with") :args [] :block (lambda {:params {:x {:splat true}}})})',
    )
  })
})
