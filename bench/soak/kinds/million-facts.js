// One and a half million facts, and as many in a list, as facts and with a request for a catalog.
import { captured } from '../place.js'

const name = captured[1]
const many = 1_500_000
const facts = (values) => `{"name":"${name}","timestamp":"2026-01-01T00:00:00Z","values":${values}}`
const flat = facts(`{${Array.from({ length: many }, (_, number) => `"f${number}":1`).join(',')}}`)
const list = facts(`{"list":[${'0,'.repeat(many)}0]}`)
let count = 0

export const millionFacts = {
  every: 20,
  async act({ ask }) {
    const body = count++ % 2 === 0 ? flat : list
    const path = `/puppet/v3/facts/${name}?environment=production`
    const put = await ask(name, { method: 'PUT', path, type: 'application/json', body })
    const form = `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(body)}`
    const to = `/puppet/v3/catalog/${name}?environment=production`
    const post = await ask(name, { method: 'POST', path: to, type: 'application/x-www-form-urlencoded', body: form })
    return [put.status, post.status]
  },
}
