// Asks a real PuppetDB all questions of the corpus, and writes its answers beside this file: README.md.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPuppetDb } from '../../support/real-puppetdb.js'
import { datasetConfig, loadDataset } from '../dataset/load.js'
import { answerTo, namesOfHashes } from './ask.js'
import { clients, clientsAnswers, questionsOf } from './clients.js'
import { corpus, keyOf } from './corpus/index.js'
import { readAnswers, writeAnswers } from './fixture.js'

const given = process.argv[2]
/** What was recorded before is kept: only new questions are asked. */
const known = new Map(
  process.argv.includes('--new')
    ? [...readAnswers(), ...readAnswers(clientsAnswers)].map((each) => [keyOf(each.question), each])
    : [],
)
const folder = given ? undefined : mkdtempSync(join(tmpdir(), 'puppetdb-'))
if (folder) chmodSync(folder, 0o755)
const database = folder && (await startPuppetDb(folder, { config: datasetConfig }))
const url = given ?? database.url
try {
  if (database) await loadDataset(url)
  const names = await namesOfHashes(url)
  const record = async (questions, file) => {
    const recorded = []
    for (const question of questions) {
      const before = known.get(keyOf(question))
      recorded.push(
        before && before.question.order === question.order
          ? before
          : { question, ...(await answerTo(url, question, names)) },
      )
    }
    writeAnswers(recorded, file)
    return recorded
  }
  await record(
    clients.flatMap((client) => questionsOf(client).map(({ question }) => question)),
    clientsAnswers,
  )
  const recorded = await record(corpus())
  const wrong = recorded.filter(({ status }) => status !== 200)
  console.log(`${recorded.length} answers, ${wrong.length} of them errors`)
} finally {
  await database?.stop()
  if (folder) rmSync(folder, { recursive: true })
}
