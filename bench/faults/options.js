// What a run of faults is told on the command line.
import { parseArgs } from 'node:util'
import { kinds } from './kinds/index.js'

/** @returns {{ type: 'string', default: string }} */
const text = (value) => ({ type: 'string', default: String(value) })

/** Names after --only are kinds of work, as many as there are. */
export function readOptions(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      kills: text(200),
      seed: text(1),
      code: text('both'),
      store: text('sqlite'),
      servers: text(1),
      certificates: text(0),
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  const only = [...(values.only ?? []), ...positionals].flatMap((each) => each.split(','))
  for (const name of only)
    if (!Object.hasOwn(kinds, name)) throw new Error(`There is no kind '${name}', but ${Object.keys(kinds).join(', ')}`)
  const code = { both: ['repository', 'sources'], repository: ['repository'], sources: ['sources'] }[values.code]
  if (!code) throw new Error(`--code is 'repository', 'sources' or 'both', not '${values.code}'`)
  if (!['sqlite', 'postgresql'].includes(values.store))
    throw new Error(`--store is 'sqlite' or 'postgresql', not '${values.store}'`)
  return {
    store: values.store,
    hasSecond: count('servers', values.servers) > 1,
    kills: count('kills', values.kills),
    seed: count('seed', values.seed),
    code,
    certificates: count('certificates', values.certificates),
    kinds: only.length > 0 ? only : Object.keys(kinds),
    json: values.json,
    keep: values.keep,
  }
}

function count(name, value) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} is a number, not '${value}'`)
  return Number(value)
}
