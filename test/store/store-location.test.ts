import { describe, expect, test } from 'vitest'
import { parseStoreSetting } from '../../src/store/store-location.ts'

const replica = 'postgresql://plumb@db2/plumb'

function parse(store: string, replicas: readonly string[]) {
  return parseStoreSetting({ store, store_replicas: replicas, server_datadir: '/data' })
}

describe('the settings store and store_replicas', () => {
  test.each(['sqlite', 'none', '', 'puppetdb'])('are rejected with replicas of "%s"', (store) => {
    expect(() => parse(store, [replica])).toThrow('The setting store_replicas requires a PostgreSQL server')
  })

  test('name a database and its replicas', () => {
    const url = 'postgres://plumb@db1/plumb'
    expect(parse(url, [replica])).toMatchObject({ database: { kind: 'postgresql', url, replicas: [replica] } })
    expect(parse('sqlite', [])).toMatchObject({ database: { kind: 'sqlite', file: '/data/store/store.db' } })
  })
})
