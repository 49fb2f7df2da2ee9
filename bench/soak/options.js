// What a soak is told on the command line.
import { parseArgs } from 'node:util'
import { kinds } from './kinds/index.js'

/** @returns {{ type: 'string', default: string }} */
const number = (value) => ({ type: 'string', default: String(value) })

/** Names after --only are kinds, as many as there are. */
export function readOptions(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      minutes: number(30),
      'alone-minutes': number(3),
      agents: number(200),
      // Some half of what two cores can do: docs/performance.md.
      interval: number(25),
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      profile: { type: 'string' },
      loose: { type: 'boolean', default: false },
    },
  })
  const only = [...(values.only ?? []), ...positionals].flatMap((text) => text.split(','))
  for (const name of only)
    if (!Object.hasOwn(kinds, name)) throw new Error(`There is no kind '${name}', but ${Object.keys(kinds).join(', ')}`)
  return {
    minutes: Number(values.minutes),
    aloneMinutes: Number(values['alone-minutes']),
    agents: Number(values.agents),
    intervalMs: Number(values.interval) * 1000,
    kinds: only.length > 0 ? only : Object.keys(kinds),
    json: values.json,
    profile: values.profile,
    loose: values.loose,
  }
}
