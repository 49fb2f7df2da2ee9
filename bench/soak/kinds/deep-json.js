// JSON of great depth, as facts, as a report, and in a form.
import { captured } from '../place.js'

const name = captured[2]
const depth = 200_000

export const deepJson = {
  every: 10,
  prepare() {
    const facts = `{"name":"${name}","values":{"deep":${'['.repeat(depth)}1${']'.repeat(depth)}}}`
    const report = `{"host":"${name}","deep":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
    const open = encodeURIComponent(`{"name":"${name}","values":{"deep":${'['.repeat(depth)}`)
    const form = `environment=production&facts_format=application%2Fjson&facts=${open}`
    const to = (indirection) => `/puppet/v3/${indirection}/${name}?environment=production`
    return [
      { method: 'PUT', path: to('facts'), type: 'application/json', body: facts },
      { method: 'PUT', path: to('report'), type: 'application/json', body: report },
      { method: 'POST', path: to('catalog'), type: 'application/x-www-form-urlencoded', body: form },
    ]
  },
  act: ({ together, ask, prepared }) =>
    together(prepared.length, async (number) => (await ask(name, prepared[number])).status),
}
