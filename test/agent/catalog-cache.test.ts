import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { catalogCache } from '../../src/agent/catalog-cache.ts'
import type { CatalogWire } from '../../src/model/catalog.ts'
import { localFiles } from '../../src/system/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('cache')

it('keeps a catalog for its owner alone, also one that others could read before', async () => {
  const path = join(folder, 'catalog', 'a.test.json')
  await localFiles.makeDirectory(join(folder, 'catalog'))
  await localFiles.write(path, '{}', 0o644)
  const cache = catalogCache(localFiles, folder, 'a.test')
  await cache.save({ name: 'a.test' } as CatalogWire)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await cache.load()).toEqual({ name: 'a.test' })
})
