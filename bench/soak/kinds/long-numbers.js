// Numbers of a million digits, and of an exponent that means as many.
import { captured } from '../place.js'

const name = captured[3]
const digits = 1_000_000
const shapes = ['7'.repeat(digits), `1.${'0'.repeat(digits)}1`, '1e999999999', `-${'9'.repeat(digits)}e-${digits}`]

export const longNumbers = {
  every: 10,
  act: ({ together, ask }) =>
    together(shapes.length, async (number) => {
      const body = `{"name":"${name}","values":{"long":${shapes[number]},"many":[${'12345678901234567890,'.repeat(20_000)}0]}}`
      const path = `/puppet/v3/facts/${name}?environment=production`
      return (await ask(name, { method: 'PUT', path, type: 'application/json', body })).status
    }),
}
