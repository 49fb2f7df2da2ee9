import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/store/database/sqlite.ts'
import { findOwnEnvironments } from '../../src/store/node-environments.ts'
import { createRowReader } from '../../src/store/node-rows.ts'
import { runQuery } from '../../src/store/query/execution.ts'
import { migrateDatabase } from '../../src/store/schema/migrations.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { aReport, commit, minute, someFacts, tell } from './history/a-past.ts'

const folder = scratchFolder('node-environments')
const day = 24 * 60

/** A run: its minute, its environment, `noop`, and `named` if the agent named the environment. */
type Run = readonly [at: number, environment: string, ...flags: ('noop' | 'named')[]]

it.each<[string, readonly Run[], object, string | undefined]>([
  ['an enforced run counts as it is', [[0, 'production']], {}, undefined],
  [
    'a noop run moves no node',
    [
      [0, 'production'],
      [30, 'try1', 'noop'],
    ],
    {},
    'production',
  ],
  [
    'a noop run of an environment that the agent names, neither',
    [
      [0, 'production'],
      [30, 'try1', 'noop', 'named'],
    ],
    {},
    'production',
  ],
  [
    'an environment that the agent names moves no node at once',
    [
      [0, 'production'],
      [30, 'try1', 'named'],
    ],
    {},
    'production',
  ],
  [
    'nor does a second run of it',
    [
      [0, 'production'],
      [30, 'try1', 'named'],
      [40, 'try1', 'named'],
    ],
    {},
    'production',
  ],
  [
    'it does after a day',
    [
      [0, 'production'],
      [30, 'try1', 'named'],
      [2 * day, 'try1', 'named'],
    ],
    {},
    'try1',
  ],
  [
    'a node whose puppet.conf names its environment is in it',
    [
      [0, 'staging', 'named'],
      [30, 'staging', 'named'],
    ],
    {},
    'staging',
  ],
  [
    'such a node comes back from a trial',
    [
      [0, 'staging', 'named'],
      [30, 'try1', 'named'],
      [60, 'staging', 'named'],
    ],
    {},
    'staging',
  ],
  [
    'a classifier moves a node at once',
    [
      [0, 'production'],
      [30, 'staging'],
    ],
    {},
    undefined,
  ],
  [
    'a node that never enforces has an environment',
    [
      [0, 'production', 'noop'],
      [30, 'production', 'noop'],
    ],
    {},
    'production',
  ],
  [
    'a deleted branch keeps no node',
    [
      [0, 'production'],
      [30, 'gone'],
    ],
    { served: new Set(['production']) },
    'production',
  ],
  [
    'runs before the time to live do not count',
    [
      [0, 'production'],
      [9 * day, 'try1', 'noop'],
    ],
    { ttl: 7 * day * 60_000 },
    'try1',
  ],
])('%s', async (name, runs, options, expected) => {
  const database = openSqlite(join(folder, `${name.replaceAll(' ', '-')}.db`))
  await migrateDatabase(database, Date.now())
  for (const [at, environment, ...flags] of runs) {
    const named = flags.includes('named') ? { agent_specified_environment: environment } : {}
    const report = {
      ...aReport('web1', at, 'unchanged'),
      environment,
      noop: flags.includes('noop'),
      code_id: commit(at),
    }
    await tell(database, [{ facts: someFacts('web1', at, { kernel: 'Linux', ...named }) }, { report }])
  }
  const now = Date.parse(minute(runs.at(-1)![0] + 1))
  const store = {
    async ask(question: Parameters<typeof runQuery>[1]) {
      const found = await runQuery(database, question, { now, nodePurgeTtl: 0 })
      return found && { ...found, total: found.total }
    },
  }
  const own = await findOwnEnvironments(createRowReader(store), { now, ttl: 0, ...options })
  expect(own.get('web1')?.environment).toBe(expected)
  await database.close()
})
