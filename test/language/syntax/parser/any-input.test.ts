import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../../src/base/issue.ts'
import { parseSource } from '../../../../src/language/syntax/parser/parser.ts'
import { formatDump } from '../../../../src/language/syntax/tree/default-dump.ts'
import { toPn } from '../../../../src/language/syntax/tree/pn.ts'
import { formatPn } from '../../../../src/language/syntax/tree/pn-text.ts'
import { validateProgram } from '../../../../src/language/syntax/validation/validate.ts'
import { fc } from '../../../support/properties.ts'

const words = [
  ...['class', 'define', 'node', 'function', 'type', 'if', 'else', 'elsif', 'unless', 'case', 'default', 'undef'],
  ...['inherits', 'and', 'or', 'in', 'true', 'include', 'notice', 'a', 'b::c', 'A', 'B::C', '::a', '$a', '$::b', 'x-y'],
  ...['1', '0x1F', '017', '1.5', '"', "'", '"${', '}', '{', '(', ')', '[', ']', '|', '=>', '+>', '->', '~>', '<-'],
  ...['=', '==', '=~', '!', '!=', '<|', '|>', '<<|', '|>>', '<<', '>>', '<', '>', '+', '-', '*', '/', '%', '?', ':'],
  ...[';', ',', '.', '@', '@@', '@(X)', '@("Y"/L)', '\nX\n', '\n  | Y\n', '\n', ' ', '\\', '#', '/*', '*/', '$', '~'],
  ...['<%', '<%=', '<%-', '<%#', '%>', '-%>', '<%%', '%%>', '\\u{41}', '\\u', 'é', '\u{1F600}', '\ufeff', '\r'],
]
const code = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' ')),
)

/** Reads and checks; true, or an error that has a place. Any other error gets out. */
function isReadOrRefused(text: string, epp: boolean): boolean {
  try {
    validateProgram(parseSource({ file: 'x.pp', text }, { epp, tasks: text.length % 2 === 0 }).program)
    return true
  } catch (error) {
    if (error instanceof PuppetError) return error.diagnostic.span !== undefined
    throw error
  }
}

describe('any input', () => {
  it('is read, or refused with a place', () => {
    fc.assert(
      fc.property(code, fc.boolean(), (text, epp) => isReadOrRefused(text, epp)),
      { numRuns: 5000 },
    )
  })
})

describe('10,000 levels', () => {
  const deep = (open: string, inner: string, close = '') => open.repeat(10_000) + inner + close.repeat(10_000)
  it.each([
    ['parentheses', deep('(', '1', ')')],
    ['lists', deep('[', '1', ']')],
    ['hashes', deep('{a=>', '1', '}')],
    ['strings', deep('"${', '1', '}"')],
    ['calls', deep('f(', '1', ')')],
    ['minus', deep('-', '1')],
    ['not', deep('!', '1')],
    ['virtual', deep('@', 'a { b: }')],
    ['assignments', deep('$a = ', '1')],
    ['sums', deep('1 + ', '1')],
    ['methods', `1${'.a'.repeat(10_000)}`],
    ['relationships', deep('A -> ', 'A')],
    ['selectors', deep('$a ? { 1 => ', '1', '}')],
    ['conditions', deep('if 1 { ', '', '}')],
    ['else', `if 1 { }${' elsif 1 { }'.repeat(10_000)}`],
    ['classes', deep('class a { ', '', '}')],
    ['lambdas', deep('f() || { ', '1', '}')],
    ['resources', `a${' { b: }'.repeat(10_000)}`],
    ['collectors', `A${' <| |>'.repeat(10_000)}`],
    ['access', `$a${'[1]'.repeat(10_000)}`],
    ['types', `type A = ${deep('A[', 'A', ']')}`],
  ])('of %s are refused with a place', (_, text) => {
    expect(() => parseSource({ file: undefined, text })).toThrow(/^Code is nested too deeply \(line: 1, column: \d+\)$/)
  })

  it.each([
    ['parentheses', `${'('.repeat(300)}1${')'.repeat(300)}`],
    ['conditions', `${'if 1 { '.repeat(200)}${'}'.repeat(200)}`],
    ['sums', `${'1 + '.repeat(900)}1`],
    ['relationships', `${'A -> '.repeat(900)}A`],
  ])('of %s, when fewer, can be checked and shown', (_, text) => {
    const { program } = parseSource({ file: undefined, text })
    validateProgram(program)
    expect(formatPn(toPn(program), true).length + formatDump(program).length).toBeGreaterThan(text.length)
  })

  it('leaves what is long but flat', () => {
    const list = `[${'1, '.repeat(10_000)}]`
    const { program } = parseSource({ file: undefined, text: `$a = ${list}\n${'notice(1)\n'.repeat(10_000)}` })
    expect(program.body).toMatchObject({ kind: 'Block' })
  })
})
