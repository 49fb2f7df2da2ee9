import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseJson } from '../../../src/base/json/json-text.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { databaseKinds, storeFor } from '../databases.ts'
import { aCatalog, commit, minute, tell, textOf } from './a-past.ts'

const [a, b] = ['/etc/conf.d/0', '/etc/conf.d/1'] as const
const sameResources = { turn: 0 }
const noChange = { added: 0, removed: 0, changed: 0, edges: false, resources: [] }
const changed = (...titles: string[]) => ({
  ...noChange,
  changed: titles.length,
  resources: titles.map((title) => ({ change: 'changed', type: 'File', title })),
})

describe.each(databaseKinds)('checksums of sourced files, on $title', (kind) => {
  describe.skipIf(kind.missing !== '')('of a node', () => {
    const store = storeFor(kind)
    const ask = async (path: string, parameters: Record<string, string> = {}) =>
      JSON.parse(await textOf(store.database, path, parameters))
    const counted = async () =>
      (await store.database.all<{ count: number }>(sql`select count(*) as count from sourced_files`))[0]!.count

    beforeAll(async () => {
      const catalog = (at: number, files?: Record<string, string>) =>
        aCatalog('web1', at, { ...sameResources, code: commit(at), ...(files && { files }) })
      await tell(store.database, [
        { catalog: catalog(1) },
        { catalog: catalog(2, { [a]: '{sha256}a1', [b]: '{sha256}b1' }) },
        { catalog: catalog(3, { [b]: '{sha256}b1', [a]: '{sha256}a2' }) },
        { catalog: catalog(4, { [a]: '{sha256}a2', [b]: '{sha256}b1' }) },
        { catalog: { ...catalog(4), producer_timestamp: minute(4.5) } },
        { catalog: catalog(5, { [a]: '{md5}a2', [b]: '{md5}b1' }) },
        { catalog: catalog(6) },
        { catalog: catalog(7, { [a]: '{sha256}a1', [b]: '{sha256}b1' }) },
        { catalog: aCatalog('web2', 8, { ...sameResources, files: { [a]: '{sha256}a1', [b]: '{sha256}b1' } }) },
        { catalog: aCatalog('web2', 9, { turn: 1, code: commit(9), files: { [a]: '{sha256}a2', '1': '{sha256}c' } }) },
      ])
    })

    test('show a change of content, and only where both catalogs have a checksum of the same type', async () => {
      const entries = (await ask('/node-history/web1')) as { code_id: string; changes: unknown }[]
      expect(entries.map(({ code_id, changes }) => [code_id, changes])).toEqual([
        [commit(7), noChange],
        [commit(6), noChange],
        [commit(5), noChange],
        [commit(4), noChange],
        [commit(3), changed(a)],
        [commit(2), noChange],
        [commit(1), null],
      ])
    })

    test('list a resource once that differs in its parameters, too', async () => {
      const [entry] = (await ask('/node-history/web2')) as { changes: { changed: number; resources: unknown } }[]
      expect(entry!.changes).toMatchObject({ changed: 2, resources: changed(a, b).resources })
    })

    test('are answered for the present and the past, by an address of their own', async () => {
      const query = '["=","certname","web1"]'
      const files = { [a]: '{sha256}a2', [b]: '{sha256}b1' }
      for (const code of [commit(3), commit(4)])
        expect(await ask('/sourced-files', { query, as_of: code })).toEqual([{ certname: 'web1', files }])
      expect(await ask('/sourced-files', { query, as_of: minute(6) })).toEqual([])
      expect(await ask('/sourced-files', { query })).toMatchObject([{ files: { [a]: '{sha256}a1' } }])
      expect(await ask('/sourced-files', { query: '["=","certname","web2"]' })).toEqual([
        { certname: 'web2', files: { [a]: '{sha256}a2', '1': '{sha256}c' } },
      ])
    })

    test('are stored once, and not part of the answers that PuppetDB gives', async () => {
      expect(await counted()).toBe(4)
      const catalog = (certname: string) => ask(`/catalogs/${certname}`)
      const { hash, ...rest } = await catalog('web1')
      expect(JSON.stringify(rest)).not.toContain('sha256')
      expect(Object.keys(rest)).not.toContain('sourced_files')
      expect((await ask('/catalogs/web1', { as_of: commit(6) })).hash).toBe(hash)
    })
  })
})

describe('the field of a command', () => {
  const { certname, ...catalog } = aCatalog('web1', 1)
  const read = (sourced_files: unknown) => {
    const payload = Buffer.from(JSON.stringify({ certname, ...catalog, sourced_files }))
    const command = readCommand({ name: 'replace catalog', version: 9, payload, received: minute(1) })
    return 'sourced_files' in command.payload ? command.payload.sourced_files : undefined
  }

  test.each([[{ [a]: '{sha256}a' }], [{}]])('is %j', (files) => {
    expect(read(files)).toEqual(parseJson(JSON.stringify(files)))
  })

  test.each([[undefined], [null], ['text'], [[1]], [{ [a]: 1 }], [{ [a]: { b: 'c' } }]])('is ignored: %j', (files) => {
    expect(read(files)).toBeUndefined()
  })
})
