// JSON of great depth, as facts, as a report, and in a form.
import { captured } from '../place.js'

const name = captured[2]
const depth = 200_000
const shapes = [
  `${'['.repeat(depth)}1${']'.repeat(depth)}`,
  `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  '['.repeat(depth),
]

export const deepJson = {
  every: 10,
  act: ({ together, ask }) =>
    together(shapes.length, async (number) => {
      const facts = `{"name":"${name}","values":{"deep":${shapes[number]}}}`
      const form = `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(facts)}`
      const query = '?environment=production'
      const type = 'application/json'
      const calls = [
        { method: 'PUT', path: `/puppet/v3/facts/${name}${query}`, type, body: facts },
        {
          method: 'PUT',
          path: `/puppet/v3/report/${name}${query}`,
          type,
          body: `{"host":"${name}","deep":${shapes[number]}}`,
        },
        {
          method: 'POST',
          path: `/puppet/v3/catalog/${name}${query}`,
          type: 'application/x-www-form-urlencoded',
          body: form,
        },
      ]
      return (await ask(name, calls[number])).status
    }),
}
