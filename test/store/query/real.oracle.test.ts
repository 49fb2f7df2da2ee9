import { chmodSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNight } from '../../support/nightly.ts'
import { hasPuppetDb, startPuppetDb } from '../../support/real-puppetdb.js'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { datasetConfig, loadDataset } from '../dataset/load.js'
import { clientsAnswers } from './clients.js'
import { differencesOf } from './compare.js'
import { readAnswers } from './fixture.js'

it.skipIf(!hasPuppetDb || !isNight)(
  'is recorded as a real PuppetDB answers now',
  async () => {
    const folder = scratchFolder('puppetdb')
    chmodSync(folder, 0o755)
    const database = await startPuppetDb(folder, { config: datasetConfig })
    try {
      await loadDataset(database.url)
      expect(await differencesOf(database.url)).toEqual([])
      expect(await differencesOf(database.url, readAnswers(clientsAnswers))).toEqual([])
    } finally {
      await database.stop()
    }
  },
  1_800_000,
)
