import { expect, it } from 'vitest'
import { booleanSchema, findSchemaViolation, type Schema, stringSchema } from '../../../src/server/http/input-schema.ts'

const schema: Schema = { kind: 'record', required: { certname: stringSchema }, optional: { prefer: booleanSchema } }
const record = (count: number) =>
  new Map<string, string>([
    ['certname', 'node'],
    ...Array.from({ length: count }, (_, index) => [`unknown${index}`, ''] as const),
  ])

it('names each key that is unknown, as Puppet Server does', () => {
  expect(findSchemaViolation(record(2), schema)).toBe('{"unknown0" disallowed-key, "unknown1" disallowed-key}')
})

it('names twenty of a hundred thousand keys that are unknown', () => {
  const complaint = findSchemaViolation(record(100_000), schema) ?? ''
  expect(complaint.match(/disallowed-key/g)).toHaveLength(20)
  expect(complaint).toMatch(/"unknown19" disallowed-key, …\}$/)
})
