// One and a half million facts, and as many in a list, as facts and with a request for a catalog.
import { captured } from '../place.js'

const name = captured[1]
const many = 1_500_000
let count = 0

export const millionFacts = {
  every: 20,
  prepare: () => [
    factsOf(`{${Array.from({ length: many }, (_, number) => `"f${number}":1`).join(',')}}`),
    factsOf(`{"list":[${'0,'.repeat(many)}0]}`),
  ],
  async act({ ask, prepared }) {
    const { facts, form } = prepared[count++ % prepared.length]
    const to = (indirection) => `/puppet/v3/${indirection}/${name}?environment=production`
    const put = await ask(name, { method: 'PUT', path: to('facts'), type: 'application/json', body: facts })
    const type = 'application/x-www-form-urlencoded'
    const post = await ask(name, { method: 'POST', path: to('catalog'), type, body: form })
    return [put.status, post.status]
  },
}

function factsOf(values) {
  const facts = `{"name":"${name}","timestamp":"2026-01-01T00:00:00Z","values":${values}}`
  const form = `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(facts)}`
  return { facts: Buffer.from(facts), form: Buffer.from(form) }
}
