import { describe, expect, it } from 'vitest'
import { generalize } from '../../../src/language/types/generalize.ts'
import { infer, inferSet } from '../../../src/language/types/infer.ts'
import { isAssignable } from '../../../src/language/types/is-assignable.ts'
import { isInstance } from '../../../src/language/types/is-instance.ts'
import { typeAliasType } from '../../../src/language/types/make.ts'
import { parseType } from '../../../src/language/types/parse.ts'
import { printType } from '../../../src/language/types/print.ts'
import type { Type } from '../../../src/language/types/type.ts'
import type { Value } from '../../../src/language/values/value.ts'
import { evaluateLiteral } from './evaluate-literal.ts'
import { readCases } from './read-cases.ts'

const file = '../cases/types.cases'
const type = (text: string) => evaluateLiteral(text) as Type

describe('inference', () => {
  it.each(readCases(file, 'Inference'))('%s', (code, answer) => {
    const [, text, how] = /^type\((.*?)(?:, (generalized|reduced))?\)$/.exec(code)!
    const value = evaluateLiteral(text!)
    const inferred = how === undefined ? inferSet(value) : how === 'reduced' ? infer(value) : generalize(infer(value))
    expect(printType(inferred)).toBe(answer)
  })
})

describe.each(['Instances', 'Assignability'])('%s', (section) => {
  it.each(readCases(file, section))('%s', (code, answer) => {
    const [, list, operator, right] = /^(\[.*\])\.map \|\$x\| \{ \$x (=~|<=) (.*) \}$/.exec(code)!
    const judge = operator === '=~' ? isInstance : (to: Type, from: Value) => isAssignable(to, from as Type)
    const values = evaluateLiteral(list!) as readonly Value[]
    expect(values.map((value) => judge(type(right!), value))).toEqual(JSON.parse(answer))
  })
})

describe('aliases that name themselves', () => {
  const tree: Type = typeAliasType('Tree', () => parseType('Variant[Integer, Hash[String, Tree]]', () => tree))
  const other: Type = typeAliasType('Other', () => parseType('Variant[Integer, Hash[String, Other]]', () => other))
  const loop: Type = typeAliasType('Loop', () => parseType('Variant[Loop, Integer]', () => loop))

  it('have an end', () => {
    expect(isInstance(tree, evaluateLiteral('{a => {b => 1}}'))).toBe(true)
    expect(isInstance(tree, evaluateLiteral("{a => {b => 'x'}}"))).toBe(false)
    expect(isAssignable(tree, other)).toBe(true)
    expect(isAssignable(tree, parseType('Hash[String, String]'))).toBe(false)
    expect([isInstance(loop, 1), isInstance(loop, 'a')]).toEqual([true, false])
  })
})
