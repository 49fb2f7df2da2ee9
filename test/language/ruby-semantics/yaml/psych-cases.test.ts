import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { decodeLosslessUtf8, encodeLosslessUtf8 } from '../../../../src/base/text/byte-text.ts'
import { YamlError } from '../../../../src/language/ruby-semantics/yaml/yaml-error.ts'
import { Float } from '../../../../src/language/values/float.ts'
import { Hash } from '../../../../src/language/values/hash.ts'
import type { Value } from '../../../../src/language/values/value.ts'
import { parseYaml } from '../../../../src/language/values/yaml.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'

/** A text, and what Ruby's Psych says of it, as test/oracle/psych.rb writes it: its value, or its error. */
type Case = [text: string, value: Written | null, error?: string]
type Written = string | Written[] | { m: Written[][] }

const cases = readFileSync(join(import.meta.dirname, 'psych.cases'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

function written(value: Value): Written {
  if (value === undefined) return 'n'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'string')
    return value.isWellFormed() ? `s${value}` : `y${encodeLosslessUtf8(value).toString('hex')}`
  if (typeof value === 'number' || typeof value === 'bigint') return `i${value}`
  if (value instanceof Float) return `d${bits(value.value)}`
  if (Array.isArray(value)) return value.map(written)
  if (value instanceof Hash) return { m: [...value].map((pair) => pair.map(written)) }
  throw new Error('no value of YAML')
}

function bits(float: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(float)
  return bytes.toString('hex')
}

function said(text: string): Case {
  try {
    return [text, written(parseYaml(text))]
  } catch (error) {
    if (error instanceof YamlError) return [text, null, error.message]
    throw error
  }
}

/** The cases of which Ruby says something else. */
function otherwise(): unknown[] {
  const oracle = join(import.meta.dirname, '../../../oracle/psych.rb')
  const { stdout } = execaSync('ruby', [oracle], { input: JSON.stringify(cases.map(([text]) => text)) })
  const said = stdout.split('\n')
  expect(said).toHaveLength(cases.length)
  return said.filter((line, at) => line !== JSON.stringify(cases[at]))
}

const ruby = recordedAnswers(import.meta.filename, 'Ruby 3.1')

describe('YAML as Psych reads it, and refuses it', () => {
  it.each(cases.map((each) => [each[0], each] as const))('%j', (text, expected) => {
    expect(said(text)).toEqual(expected)
  })

  it('is what Ruby says', () => {
    expect(ruby.one('the cases it answers otherwise', cases, otherwise)).toEqual([])
  })
})

describe('a file that is not UTF-8', () => {
  it('is refused at its first other byte', () => {
    const text = decodeLosslessUtf8(Buffer.from('a: b\nc: x\xe4', 'latin1'))
    expect(() => parseYaml(text)).toThrow('invalid leading UTF-8 octet at line 2 column 5')
  })
})

describe('what no file of data needs is refused', () => {
  it.each([
    ['a: &x [*x]', 'The alias x is inside its own anchor'],
    [`${'['.repeat(300)}`, 'nested too deeply'],
    [bomb(), 'aliases expand to too many values'],
  ])('%j', (text, message) => {
    expect(() => parseYaml(text)).toThrow(message)
  })
})

/** A few lines that stand for 10^9 values. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(10)}]`)
  return ['a0: &a0 x', ...lines].join('\n')
}
