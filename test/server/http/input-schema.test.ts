import { expect, it } from 'vitest'
import { anyText, complaintAbout, flag, type Schema } from '../../../src/server/http/input-schema.ts'

const schema: Schema = { kind: 'record', required: { certname: anyText }, optional: { prefer: flag } }
const record = (count: number) =>
  new Map<string, string>([
    ['certname', 'node'],
    ...Array.from({ length: count }, (_, index) => [`unknown${index}`, ''] as const),
  ])

it('names each key that is unknown, as Puppet Server does', () => {
  expect(complaintAbout(record(2), schema)).toBe('{"unknown0" disallowed-key, "unknown1" disallowed-key}')
})

it('names twenty of a hundred thousand keys that are unknown', () => {
  const complaint = complaintAbout(record(100_000), schema) ?? ''
  expect(complaint.match(/disallowed-key/g)).toHaveLength(20)
  expect(complaint).toMatch(/"unknown19" disallowed-key, …\}$/)
})
