import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createResourceType, createTypeAliasType } from '../../../src/language/types/constructors.ts'
import { parseType } from '../../../src/language/types/from-code/type-parser.ts'
import { printType, printWithDefinition } from '../../../src/language/types/printing/print.ts'
import { isSameKey } from '../../../src/language/values/hash-key.ts'
import { fc } from '../../support/properties.ts'
import { types } from '../values/arbitrary.ts'

/** Cases that real Puppet has answered, of one section of `types.cases`. */
function casesOf(section: string): [string, string][] {
  const text = readFileSync(join(import.meta.dirname, '../cases/types.cases'), 'utf8')
  const part = text.split(/^# == /m).find((each) => each.startsWith(section)) ?? ''
  const lines = part
    .split('\n')
    .slice(1)
    .filter((line) => line.includes(' ==> '))
  return lines.map((line) => line.split(' ==> ') as [string, string])
}

const resolve = (name: string) => (name === 'File' ? createResourceType('file') : undefined)

describe('printing', () => {
  const printed = casesOf('Printing').filter(([code, text]) => !text.startsWith('!') && !code.startsWith('TypeSet'))
  it.each(printed)('%s', (code, text) => {
    expect(printWithDefinition(parseType(code, resolve))).toBe(text)
  })

  it('expands aliases that name themselves once', () => {
    const list: ReturnType<typeof createTypeAliasType> = createTypeAliasType('List', () =>
      parseType('Variant[Integer, Array[List]]', () => list),
    )
    expect(printWithDefinition(list)).toBe('List = Variant[Integer, Array[List]]')
    expect(printWithDefinition(parseType('Array[List]', () => list))).toBe('Array[List]')
  })
})

describe('printing and parsing', () => {
  it('gives the type again', () => {
    fc.assert(
      fc.property(types, (type) => isSameKey(parseType(printType(type)), type)),
      { numRuns: 2000 },
    )
  })
})
