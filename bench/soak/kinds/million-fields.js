// A form of a million fields, where a catalog's is expected.
import { captured } from '../place.js'

const name = captured[0]
const million = 1_000_000
const shapes = [
  'a=&'.repeat(million),
  Array.from({ length: million }, (_, number) => `f${number}=`).join('&'),
  '&'.repeat(million),
]
let count = 0

export const millionFields = {
  every: 15,
  async act({ ask }) {
    const path = `/puppet/v3/catalog/${name}?environment=production`
    const body = shapes[count++ % shapes.length]
    return (await ask(name, { method: 'POST', path, type: 'application/x-www-form-urlencoded', body })).status
  },
}
