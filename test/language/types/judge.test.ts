import { describe, expect, it } from 'vitest'
import { createTypeAliasType } from '../../../src/language/types/constructors.ts'
import { parseType } from '../../../src/language/types/from-code/type-parser.ts'
import { generalizeType } from '../../../src/language/types/generalize.ts'
import { inferDetailedType, inferType } from '../../../src/language/types/infer.ts'
import { isAssignable } from '../../../src/language/types/is-assignable.ts'
import { isInstance } from '../../../src/language/types/is-instance.ts'
import { printType } from '../../../src/language/types/printing/print.ts'
import type { Type } from '../../../src/language/values/type.ts'
import type { Value } from '../../../src/language/values/value.ts'
import { evaluateLiteral } from './evaluate-literal.ts'
import { readCases } from './read-cases.ts'

const file = '../cases/types.cases'
const type = (text: string) => evaluateLiteral(text) as Type

describe('inference', () => {
  it.each(readCases(file, 'Inference'))('%s', (code, answer) => {
    const [, text, how] = /^type\((.*?)(?:, (generalized|reduced))?\)$/.exec(code)!
    const value = evaluateLiteral(text!)
    const inferred =
      how === undefined
        ? inferDetailedType(value)
        : how === 'reduced'
          ? inferType(value)
          : generalizeType(inferType(value))
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
  const tree: Type = createTypeAliasType('Tree', () => parseType('Variant[Integer, Hash[String, Tree]]', () => tree))
  const other: Type = createTypeAliasType('Other', () =>
    parseType('Variant[Integer, Hash[String, Other]]', () => other),
  )
  const loop: Type = createTypeAliasType('Loop', () => parseType('Variant[Loop, Integer]', () => loop))

  it('have an end', () => {
    expect(isInstance(tree, evaluateLiteral('{a => {b => 1}}'))).toBe(true)
    expect(isInstance(tree, evaluateLiteral("{a => {b => 'x'}}"))).toBe(false)
    expect(isAssignable(tree, other)).toBe(true)
    expect(isAssignable(tree, parseType('Hash[String, String]'))).toBe(false)
    expect([isInstance(loop, 1), isInstance(loop, 'a')]).toEqual([true, false])
  })
})

describe('Object types with parameters', () => {
  it.each([
    ["Error['a']", "Error['a']"],
    ["Error[{kind => 'a'}]", "Error['a']"],
    ["Error[default, 'b']", "Error[default, 'b']"],
    ["Error['a', 'b', 'c']", "Error['a', 'b']"],
  ])('%s', (code, printed) => {
    expect(printType(type(code))).toBe(printed)
  })

  it.each([
    ["Error('m', 'a')", "Error['a']", true],
    ["Error('m', 'b')", "Error['a']", false],
    ["Error('m', 'b')", 'Error[/b/]', true],
    ["Error('m', 'b')", "Error[Enum['b']]", true],
    ["Error('m')", 'Error[Undef]', true],
    ["Error('m', 'b')", 'Error', true],
  ])('%s =~ %s', (value, of, expected) => {
    expect(isInstance(type(of), evaluateLiteral(value))).toBe(expected)
  })

  it.each([
    ["Error['a']", 'Error', true],
    ['Error', "Error['a']", false],
    ["Error['a']", "Error['a', 'b']", false],
    ["Error['a', 'b']", "Error['a']", true],
  ])('%s <= %s', (from, to, expected) => {
    expect(isAssignable(type(to), type(from))).toBe(expected)
  })

  it('are inferred and checked', () => {
    expect(printType(inferDetailedType(evaluateLiteral("Error('m', 'a')")))).toBe("Error['a', undef]")
    expect(() => type('Error[1]')).toThrow(
      'type_parameter Error[kind] has wrong type, expects a value of type Undef, String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], or Type[Undef], got Integer',
    )
    expect(() => type("Deferred['a']")).toThrow('The Deferred-Type cannot be parameterized using []')
  })
})
