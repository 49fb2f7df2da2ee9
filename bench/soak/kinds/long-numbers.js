// Numbers of a million digits, and of an exponent that means as many.
import { captured } from '../place.js'

const name = captured[3]
const digits = 1_000_000

export const longNumbers = {
  every: 10,
  prepare() {
    const shapes = ['7'.repeat(digits), `1.${'0'.repeat(digits)}1`, '1e999999999', `-${'9'.repeat(digits)}e-${digits}`]
    const many = `[${'12345678901234567890,'.repeat(20_000)}0]`
    return shapes.map((long) => `{"name":"${name}","values":{"long":${long},"many":${many}}}`)
  },
  act: ({ together, ask, prepared }) =>
    together(prepared.length, async (number) => {
      const path = `/puppet/v3/facts/${name}?environment=production`
      return (await ask(name, { method: 'PUT', path, type: 'application/json', body: prepared[number] })).status
    }),
}
