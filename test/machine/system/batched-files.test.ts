import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBatchedFiles } from '../../../src/machine/system/batched-files.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('batch')
const noted: string[] = []
const journal = { note: async (path: string) => void noted.push(path) }

it('syncs every new file and its folder once, when asked to settle', async () => {
  const synced: string[] = []
  const batch = createBatchedFiles({ ...localFiles, sync: async (path) => void synced.push(path) }, journal)
  const at = (name: string) => join(folder, name)
  for (const name of ['a', 'b']) await batch.files.write(at(name), name)
  await batch.files.write(at('staged'), 'c')
  await batch.files.rename(at('staged'), at('c'))
  expect(synced).toEqual([at('staged')])
  expect(readFileSync(at('c'), 'utf8')).toBe('c')
  await batch.settle()
  expect(synced.slice(1)).toEqual([at('a'), at('b'), at('c'), folder])
  expect(noted).toEqual([folder, folder, folder])
  await batch.settle()
  expect(synced).toHaveLength(5)
})

it('settles although something written is gone again, or became a link', async () => {
  const batch = createBatchedFiles(localFiles, journal)
  const [gone, link] = [join(folder, 'gone'), join(folder, 'link')]
  for (const path of [gone, link]) {
    await batch.files.write(path, 'x')
    await batch.files.remove(path)
  }
  await batch.files.link('nowhere', link)
  await expect(batch.settle()).resolves.toBeUndefined()
})
