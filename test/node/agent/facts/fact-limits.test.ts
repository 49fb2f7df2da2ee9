import { describe, expect, it } from 'vitest'
import { type FactLimits, warnAboutLargeFacts } from '../../../../src/node/agent/facts/fact-limits.ts'
import { createLog } from '../../../../src/node/agent/log.ts'
import type { FactValues } from '../../../../src/node/facts/fact.ts'

const none: FactLimits = {
  fact_name_length_soft_limit: 0,
  fact_value_length_soft_limit: 0,
  top_level_facts_soft_limit: 0,
  number_of_facts_soft_limit: 0,
  payload_soft_limit: 0,
}

function said(values: FactValues, limits: Partial<FactLimits>): string[] {
  const lines: string[] = []
  const log = createLog({ write: ({ level, message }) => void lines.push(`${level}: ${message}`) })
  warnAboutLargeFacts({ name: 'n', values, timestamp: 't', expiration: 'e' }, { ...none, ...limits }, log)
  return lines
}

const facts: FactValues = { a: { b: ['x', 'yé'], '9': null }, c: 'value', d: {}, e: 1n }

describe('facts beyond a soft limit are warned of in the words of Puppet 8', () => {
  it.each<[keyof FactLimits, within: number, warnings: string[]]>([
    ['top_level_facts_soft_limit', 4, ['The current number of top level facts: 4 exceeds the top facts limit: 3']],
    ['number_of_facts_soft_limit', 5, ['The current total number of fact values: 5 exceeds the fact values limit: 4']],
    // 8 bytes, two for each of its three parts, and `ab0`.
    [
      'fact_name_length_soft_limit',
      17,
      ['a.b.0', 'a.b.1'].map((name) => `Fact ${name} with length: 17 exceeds the fact name length limit: 16`),
    ],
    [
      'fact_value_length_soft_limit',
      5,
      ['Fact c with value value with the value length: 5 exceeds the value length limit: 4'],
    ],
  ])('%s', (name, within, warnings) => {
    const counted = 'debug: The total number of facts registered is 5'
    expect(said(facts, { [name]: within })).toEqual([counted])
    const beyond = said(facts, { [name]: within - 1 })
    expect(beyond.filter((line) => line !== counted)).toEqual(warnings.map((line) => `warning: ${line}`))
  })

  it('payload_soft_limit, of the bytes that travel', () => {
    const sent = '{"name":"n","values":{"k":"é~ +"},"timestamp":"t","expiration":"e"}'
    const bytes = encodeURIComponent(sent).length
    const size = `debug: The size of the payload is ${bytes}`
    expect(said({ k: 'é~ +' }, { payload_soft_limit: bytes }).at(-1)).toBe(size)
    expect(said({ k: 'é~ +' }, { payload_soft_limit: bytes - 1 }).slice(-2)).toEqual([
      `warning: Payload with the current size of: ${bytes} exceeds the payload size limit: ${bytes - 1}`,
      size,
    ])
  })
})
