import { describe, expect, it } from 'vitest'
import { hasPuppetDb } from '../../support/real-puppetdb.js'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { compareStores } from './random/stores.js'

describe('random queries', () => {
  const folder = scratchFolder('random-queries')

  it.skipIf(!hasPuppetDb)(
    `are answered as PuppetDB answers them${hasPuppetDb ? '' : ' (PuppetDB is not installed)'}`,
    async () => {
      for (const { name, percent, failed } of await compareStores(folder, 1, 1500)) {
        expect([name, failed]).toEqual([name, []])
        expect(percent).toBeGreaterThanOrEqual(99)
      }
    },
    900_000,
  )
})
