import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/base/json/json-text.ts'
import { printAst } from '../../../src/language/pcore-ast/print-ast.ts'
import { parseManifest } from '../../../src/language/syntax/parser/parser.ts'

const at = (name: string) => new URL(name, import.meta.url)
const read = (name: string) => readFileSync(at(name), 'utf8')

describe('an AST that real Puppet made of all.pp', () => {
  const code = printAst(parseJson(read('all.json')), read('all.json').length)

  it('becomes this code, each statement on its line', () => {
    if (process.env.UPDATE === '1') writeFileSync(at('all.code.pp'), code)
    expect(code).toBe(read('all.code.pp'))
  })

  it('which our parser reads, and which has no more lines', () => {
    expect(parseManifest({ file: undefined, text: code }).definitions).toHaveLength(5)
    expect(code.split('\n').length).toBeLessThanOrEqual(read('all.pp').split('\n').length)
  })
})

it('whose parts name each other grows no further than its text', () => {
  const doubled = Array.from({ length: 40 }, (_, index) => {
    const next = { __ptype: 'LocalRef', __pvalue: `$['values'][${index + 1}]` }
    return { __ptype: 'Puppet::AST::LiteralList', values: [next, next] }
  })
  const json = JSON.stringify({
    __ptype: 'Puppet::AST::LiteralList',
    values: [...doubled, { __ptype: 'Puppet::AST::LiteralUndef' }],
  })
  expect(() => printAst(parseJson(json), json.length)).toThrow('nodes')
})
