import { describe, expect, it } from 'vitest'
import type { ExactJson, ExactObject } from '../../src/base/json/exact-json.ts'
import type { ExportedResource } from '../../src/model/exported-resource.ts'
import type { ExportStore } from '../../src/store/exports/export-store.ts'

/** What every store of exported resources promises. */
export function keepsExports(name: string, open: () => ExportStore | Promise<ExportStore>): void {
  describe(`exports, kept ${name}`, () => {
    it('are found by their type, of all nodes but the one that asks', async () => {
      const store = await open()
      await store.replace('b.test', [file('b.test', '/b'), notify('b.test', 'b')])
      await store.replace('a.test', [file('a.test', '/a2'), file('a.test', '/a1')])
      await store.replace('c.test', [notify('c.test', 'c')])
      expect(await titles(store, 'File', 'z.test')).toEqual(['/a1', '/a2', '/b'])
      expect(await titles(store, 'File', 'a.test')).toEqual(['/b'])
      expect(await titles(store, 'Notify', 'b.test')).toEqual(['c'])
      expect(await titles(store, 'User', 'b.test')).toEqual([])
    })

    it('come back as they were', async () => {
      const store = await open()
      const parameters = {
        text: 'ü\n"',
        list: [1, 2n ** 70n, new Number(1), 1.5, null, true],
        hash: new Map<string, ExactJson>([
          ['10', 'a'],
          ['9', { deep: [] }],
        ]),
      }
      const resource = { ...file('a.test', '/a', parameters), tags: ['a', 'b', 'file'] }
      await store.replace('a.test', [resource])
      expect(await store.search({ type: 'File', except: 'b.test', query: undefined })).toEqual([resource])
    })

    it('are those of the last catalog', async () => {
      const store = await open()
      await store.replace('a.test', [file('a.test', '/old'), notify('a.test', 'old')])
      await store.replace('a.test', [file('a.test', '/new')])
      expect(await titles(store, 'File')).toEqual(['/new'])
      expect(await titles(store, 'Notify')).toEqual([])
      await store.replace('a.test', [])
      expect(await titles(store, 'File')).toEqual([])
      expect(await store.remove('a.test')).toBe(false)
    })

    it('go when their node goes, and come again with its next catalog', async () => {
      const store = await open()
      await store.replace('a.test', [file('a.test', '/a')])
      await store.replace('b.test', [file('b.test', '/b')])
      expect(await store.remove('a.test')).toBe(true)
      expect(await store.remove('a.test')).toBe(false)
      expect(await titles(store, 'File')).toEqual(['/b'])
      await store.replace('a.test', [file('a.test', '/a')])
      expect(await titles(store, 'File')).toEqual(['/a', '/b'])
    })

    it('are selected by a query', async () => {
      const store = await open()
      await store.replace('a.test', [file('a.test', '/a', { mode: '0644' }), file('a.test', '/b', { mode: '0600' })])
      const search = (query: Parameters<ExportStore['search']>[0]['query']) =>
        store
          .search({ type: 'File', except: 'z.test', query })
          .then((found) => found.map(({ title }) => title).join(' '))
      const a = { kind: '==', name: 'title', value: '/a' } as const
      const mode = { kind: '==', name: 'mode', value: '0600' } as const
      expect(await search(a)).toBe('/a')
      expect(await search({ kind: 'and', left: a, right: mode })).toBe('')
      expect(await search({ kind: 'or', left: a, right: mode })).toBe('/a /b')
      expect(await search({ kind: '!=', name: 'mode', value: '0600' })).toBe('/a')
      expect(await search({ kind: '==', name: 'tag', value: ['x', 'file'] })).toBe('/a /b')
    })

    it('are whole at every moment while many change them at once', async () => {
      const store = await open()
      const nodes = Array.from({ length: 40 }, (_, index) => `node${index}.test`)
      const round = (number: number) =>
        Promise.all(
          nodes.map(async (node) => {
            await store.replace(node, [notify(node, `${node} ${number} first`), notify(node, `${node} ${number} last`)])
            const found = await titles(store, 'Notify')
            expect(new Set(found).size).toBe(found.length)
            expect(found.filter((title) => title.startsWith(`${node} `))).toHaveLength(2)
          }),
        )
      await Promise.all([round(1), round(2), round(3)])
      const found = await titles(store, 'Notify')
      expect(found).toHaveLength(80)
      expect(found.every((title) => title.includes(' 3 '))).toBe(true)
    })
  })
}

async function titles(store: ExportStore, type: string, except = 'z.test'): Promise<string[]> {
  return (await store.search({ type, except, query: undefined })).map(({ title }) => title)
}

function file(certname: string, title: string, parameters: ExactObject = {}): ExportedResource {
  return { certname, type: 'File', title, tags: ['file'], parameters }
}

function notify(certname: string, title: string): ExportedResource {
  return { certname, type: 'Notify', title, tags: ['notify'], parameters: {} }
}
