import { describe, expect, it } from 'vitest'
import { lex } from '../../../src/language/syntax/lexer/lex.ts'
import { parseManifest } from '../../../src/language/syntax/parser/parser.ts'
import { readPieces } from '../../../src/workbench/format/pieces/pieces.ts'
import { type ReadManifest, verifySameCode } from '../../../src/workbench/format/verify.ts'

function read(text: string): ReadManifest {
  const source = { file: 'a.pp', text }
  return { source, program: parseManifest(source), pieces: readPieces(source, lex(source).tokens) }
}

const verify = (before: string, after: string) => () => verifySameCode(read(before), read(after))

describe('the comparison of a manifest with its formatted text', () => {
  it.each([
    ['spaces', '$a=1', '$a  =\n1'],
    ['quotes', '$a = "b"', "$a = 'b'"],
    ['a comma', '$a = [1]', '$a = [1,]'],
    ['braces', '"$a b"', '"${a} b"'],
    ['white space at the end of a comment', '# a  \n1', '# a\n1'],
  ])('permits other %s', (_, before, after) => {
    expect(verify(before, after)).not.toThrow()
  })

  it.each([
    ['$a = 1\n$b = [2]', '$a = 1\n$b = [3]', /: LiteralInteger \(file: a.pp, line: 2, column: 7\)/],
    ['notice(1)', 'notice(1, 2)', /CallNamedFunction/],
    ['$a = 1', '$a = "1"', /another syntax tree/],
    ['$a = 1', '$b = 1', /another syntax tree/],
    ["file { 'a': b => 1, c => 2 }", "file { 'a': c => 2, b => 1 }", /another syntax tree/],
    ['$a = 1', '$a += 1', /another syntax tree/],
    ['$a = 1', "$a = '1'\n1", /another syntax tree/],
  ])('rejects %s as %s', (before, after, message) => {
    expect(verify(before, after)).toThrow(message)
  })

  it.each([
    ['# one\n# two\n1', '# one\n1', "loses or moves this comment: '# two' (file: a.pp, line: 2, column: 1)"],
    ['# one\n# two\n1', '# two\n# one\n1', "loses or moves this comment: '# one' (file: a.pp, line: 1, column: 1)"],
    ['1 /* a */', '1 /* b */', "loses or moves this comment: '/* a */' (file: a.pp, line: 1, column: 3)"],
    ['1', '1 # new', "loses or moves this comment: '# new' (file: a.pp, line: 1, column: 3)"],
  ])('rejects the comments of %s as %s', (before, after, message) => {
    expect(verify(before, after)).toThrow(message)
  })
})
