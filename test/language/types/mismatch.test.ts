import { describe, expect, it } from 'vitest'
import { createResourceType, createTypeAliasType } from '../../../src/language/types/constructors.ts'
import { parseType } from '../../../src/language/types/from-code/type-parser.ts'
import {
  describeCallMismatch,
  describeMismatch,
  describeParameters,
} from '../../../src/language/types/mismatch/mismatch.ts'
import type { CallableType } from '../../../src/language/values/type.ts'
import { evaluateLiteral } from './evaluate-literal.ts'
import { readCases } from './read-cases.ts'

const resolve = (name: string) => (name === 'File' ? createResourceType('file') : undefined)

describe('a value that is not what was expected', () => {
  it.each(readCases('mismatch.cases'))('%s', (code, said) => {
    const [type, value] = code.split(' <- ') as [string, string]
    const message = describeMismatch('assert_type():', parseType(type, resolve), evaluateLiteral(value))
    expect(message === '' && said === '-' ? '-' : message).toBe(said)
  })

  it('names aliases with what they stand for', () => {
    const port = createTypeAliasType('Port', () => parseType('Integer[0, 65535]'))
    expect(describeMismatch('x', port, 'a')).toBe('x expects a Port = Integer[0, 65535] value, got String')
  })
})

describe('a call', () => {
  const signature = (text: string) => parseType(`Callable[${text}]`) as CallableType
  const one = [signature('Integer, String, 1, 2')]
  it.each([
    [[], "'f' expects between 1 and 2 arguments, got none"],
    [[1, 'a', 2], "'f' expects between 1 and 2 arguments, got 3"],
    [['a'], "'f' parameter 'a' expects an Integer value, got String"],
    [[1, 2], "'f' parameter 'b' expects a String value, got Integer"],
  ])('%j', (args, said) => {
    expect(describeCallMismatch('f', one, [['a', 'b']], args)).toBe(said)
  })

  it('lists several signatures', () => {
    const several = [signature('Integer'), signature('String, String')]
    expect(describeCallMismatch('f', several, [['a'], ['b', 'c']], [true])).toBe(
      [
        "The function 'f' was called with arguments it does not accept. It expects one of:",
        '  (Integer a)',
        "    rejected: parameter 'a' expects an Integer value, got Boolean",
        '  (String b, String c)',
        '    rejected: expects 2 arguments, got 1',
      ].join('\n'),
    )
    expect(describeCallMismatch('f', several, [['a'], ['b', 'c']], [])).toBe(
      "'f' expects between 1 and 2 arguments, got none",
    )
  })

  it('asks for a block', () => {
    expect(describeCallMismatch('each', [signature('Integer, Callable[1, 1]')], [['a']], [1])).toBe(
      "'each' expects a block",
    )
  })

  it('speaks of a lambda as a block', () => {
    expect(describeCallMismatch('lambda', [signature('Integer')], [['x']], ['a'])).toBe(
      "block parameter 'x' expects an Integer value, got String",
    )
  })
})

describe('parameters of a class', () => {
  const parameters = [
    { name: 'port', type: parseType('Integer'), optional: false },
    { name: 'name', type: parseType('Optional[String]'), optional: true },
  ]
  it.each([
    [{ port: 1 }, undefined],
    [{ port: 'a' }, "Class[A]: parameter 'port' expects an Integer value, got String"],
    [{}, "Class[A]: expects a value for parameter 'port'"],
    [{ port: 1, x: 2 }, "Class[A]: has no parameter named 'x'"],
    [{ x: 2 }, "Class[A]:\n  has no parameter named 'x'\n  expects a value for parameter 'port'"],
    [{ port: 1, name: 1 }, "Class[A]: parameter 'name' expects a value of type Undef or String, got Integer"],
  ])('%j', (given, said) => {
    expect(describeParameters('Class[A]', parameters, new Map(Object.entries(given)))).toBe(said)
  })

  it('takes a Deferred for what it will be', () => {
    const given = new Map([['port', evaluateLiteral("Deferred('f')")]])
    expect(describeParameters('Class[A]', parameters, given)).toBeUndefined()
    const said = describeParameters('Class[A]', parameters, given, { returnTypeOf: () => parseType('String') })
    expect(said).toBe("Class[A]: parameter 'port' expects an Integer value, got String")
  })
})
