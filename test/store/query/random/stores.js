// PuppetDB and both of our stores with the dataset, compared by random questions.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres } from '#built/store/database/postgresql.js'
import { openSqlite } from '#built/store/database/sqlite.js'
import { migrateDatabase } from '#built/store/schema/migrations.js'
import { startPuppetDb } from '../../../support/real-puppetdb.js'
import { datasetConfig, loadDataset } from '../../dataset/load.js'
import { compareAnswers } from './compare.js'
import { randomQuestions } from './questions.js'
import { fillDatabase, serveDatabase } from './servers.js'

/** Compares the answers to random questions; a result for each of our stores. */
export async function compareStores(folder, seed, count) {
  const running = []
  try {
    mkdirSync(folder, { recursive: true })
    const puppetDb = await startPuppetDb(folder, { config: datasetConfig })
    running.push(puppetDb.stop)
    await loadDataset(puppetDb.url)
    puppetDb.postgres.psql('postgres', 'create database store')
    const stores = {
      SQLite: openSqlite(join(folder, 'store.db')),
      PostgreSQL: await openPostgres(puppetDb.postgres.url('store')),
    }
    const urls = []
    for (const database of Object.values(stores)) {
      await migrateDatabase(database, Date.now())
      await fillDatabase(database)
      const { url, stop } = await serveDatabase(database)
      running.unshift(stop, () => database.close())
      urls.push(url)
    }
    const { found, statuses } = await compareAnswers(randomQuestions(seed, count), puppetDb.url, urls)
    return Object.keys(stores).map((name, at) => resultOf(name, found[at], statuses))
  } finally {
    for (const stop of running) await stop()
  }
}

function resultOf(name, found, statuses) {
  const answered = found.equal + found.different.length + found.listed.length
  return { name, statuses, ...found, percent: (100 * found.equal) / answered }
}
