import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localFiles } from '../../src/machine/system/files.ts'
import type { ExportedResource } from '../../src/model/exported-resource.ts'
import { JsonExports } from '../../src/store/exports/json-exports.ts'
import { createMemoryExports } from '../../src/store/exports/memory-exports.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { keepsExports } from './exports-contract.ts'

keepsExports('in memory', () => createMemoryExports())
keepsExports(
  'in files',
  () => new JsonExports({ directory: join(scratchFolder('exports'), 'exports'), files: localFiles }),
)
keepsExports(
  'in files, with memory for none of them',
  () => new JsonExports({ directory: scratchFolder('exports'), files: localFiles, mostCharacters: 1 }),
)

describe('files of exports', () => {
  const notify = (certname: string, title = 'n'): ExportedResource => ({
    certname,
    type: 'Notify',
    title,
    tags: [],
    parameters: {},
  })
  const all = { type: 'Notify', except: '', query: undefined }

  it('are read by the next process', async () => {
    const directory = scratchFolder('exports')
    await new JsonExports({ directory, files: localFiles }).replace('a.test', [notify('a.test')])
    writeFileSync(join(directory, '.a.test.json.0123.tmp'), '{"half')
    const next = new JsonExports({ directory, files: localFiles })
    expect(await next.search(all)).toEqual([notify('a.test')])
    await next.replace('a.test', [])
    expect(await new JsonExports({ directory, files: localFiles }).search(all)).toEqual([])
  })

  it('are written only when something changed, and not for nothing', async () => {
    const directory = scratchFolder('exports')
    const store = new JsonExports({ directory, files: localFiles })
    await store.replace('a.test', [notify('a.test')])
    await store.replace('b.test', [])
    const before = statSync(join(directory, 'a.test.json'))
    await store.replace('a.test', [notify('a.test')])
    expect(statSync(join(directory, 'a.test.json')).ino).toBe(before.ino)
    expect(before.mode & 0o777).toBe(0o640)
    expect(readdirSync(directory)).toEqual(['a.test.json'])
    rmSync(join(directory, 'a.test.json'))
    await store.replace('a.test', [notify('a.test')])
    expect(readdirSync(directory)).toEqual(['a.test.json'])
  })

  it('are read for a search only where the node exports the type', async () => {
    const directory = scratchFolder('exports')
    const writer = new JsonExports({ directory, files: localFiles })
    for (const name of Array.from({ length: 50 }, (_, index) => `n${index}.test`))
      await writer.replace(name, [{ ...notify(name), type: name === 'n7.test' ? 'User' : 'Notify' }])
    const read: string[] = []
    const readText = (path: string) => {
      read.push(path)
      return localFiles.readText(path)
    }
    const store = new JsonExports({ directory, files: { ...localFiles, readText }, mostCharacters: 1 })
    await store.search(all)
    read.length = 0
    expect(await store.search({ ...all, type: 'User' })).toHaveLength(1)
    expect(read).toEqual([join(directory, 'n7.test.json')])
    await store.search({ ...all, type: 'File' })
    expect(read).toHaveLength(1)
    await store.search({ ...all, except: 'n1.test' })
    expect(read).toHaveLength(49)
  })

  it('are kept in memory, the last ones used', async () => {
    const directory = scratchFolder('exports')
    const read: string[] = []
    const readText = (path: string) => {
      read.push(path)
      return localFiles.readText(path)
    }
    const store = new JsonExports({ directory, files: { ...localFiles, readText } })
    await store.replace('a.test', [notify('a.test')])
    await store.search(all)
    read.length = 0
    expect(await store.search(all)).toHaveLength(1)
    expect(read).toEqual([])
  })

  it('that others changed are seen after a refresh', async () => {
    const directory = scratchFolder('exports')
    const store = new JsonExports({ directory, files: localFiles })
    await store.replace('a.test', [notify('a.test')])
    expect(await store.search(all)).toHaveLength(1)
    const other = new JsonExports({ directory, files: localFiles })
    await other.remove('a.test')
    await other.replace('b.test', [notify('b.test')])
    await store.refresh()
    expect(await store.search(all)).toEqual([notify('b.test')])
  })

  it.each(['../a', 'a/b', '.hidden', '', 'a\n', 'x'.repeat(300)])('are not called %j', async (certname) => {
    const store = new JsonExports({ directory: scratchFolder('exports'), files: localFiles })
    await expect(store.replace(certname, [notify(certname)])).rejects.toThrow()
    await expect(store.remove(certname)).rejects.toThrow()
  })

  it('that are broken are named, and removing them is the way out', async () => {
    const directory = scratchFolder('exports')
    writeFileSync(join(directory, 'a.test.json'), '{"resources": [{"type": 1}]}')
    const store = new JsonExports({ directory, files: localFiles })
    await expect(store.search(all)).rejects.toThrow(
      `Could not read exported resources from ${directory}/a.test.json: exports.resource.type must be a string`,
    )
    await store.replace('b.test', [notify('b.test')])
    await expect(store.search(all)).rejects.toThrow('a.test.json')
    expect(await store.remove('a.test')).toBe(true)
    expect(await store.search(all)).toEqual([notify('b.test')])
  })

  it('that are broken are mended by the next catalog of their node', async () => {
    const directory = scratchFolder('exports')
    writeFileSync(join(directory, 'a.test.json'), '{')
    const store = new JsonExports({ directory, files: localFiles })
    await expect(store.search(all)).rejects.toThrow('a.test.json')
    await store.replace('a.test', [notify('a.test')])
    expect(await store.search(all)).toEqual([notify('a.test')])
  })
})
