// A form of a million fields, where a catalog's is expected.
import { captured } from '../place.js'

const name = captured[0]
const million = 1_000_000
let count = 0

export const millionFields = {
  every: 15,
  prepare: () => [
    'a=&'.repeat(million),
    Array.from({ length: million }, (_, number) => `f${number}=`).join('&'),
    '&'.repeat(million),
  ],
  async act({ ask, prepared }) {
    const path = `/puppet/v3/catalog/${name}?environment=production`
    const body = prepared[count++ % prepared.length]
    return (await ask(name, { method: 'POST', path, type: 'application/x-www-form-urlencoded', body })).status
  },
}
