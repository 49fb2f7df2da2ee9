import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isNight } from '../../support/nightly.ts'
import { hasPuppetDb, startPuppetDb } from '../../support/real-puppetdb.js'
import { datasetConfig, loadDataset } from '../dataset/load.js'
import { clientsAnswers } from './clients.js'
import { differencesOf } from './compare.js'
import { readAnswers } from './fixture.js'

it.skipIf(!hasPuppetDb || !isNight)(
  'is recorded as a real PuppetDB answers now',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'puppetdb-'))
    chmodSync(folder, 0o755)
    const database = await startPuppetDb(folder, { config: datasetConfig })
    try {
      await loadDataset(database.url)
      expect(await differencesOf(database.url)).toEqual([])
      expect(await differencesOf(database.url, readAnswers(clientsAnswers))).toEqual([])
    } finally {
      await database.stop()
      rmSync(folder, { recursive: true })
    }
  },
  1_800_000,
)
