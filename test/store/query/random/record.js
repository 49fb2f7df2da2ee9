// Records which random queries PuppetDB accepts and rejects: node test/store/query/random/record.js [URL]
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startPuppetDb } from '../../../support/real-puppetdb.js'
import { datasetConfig, loadDataset } from '../../dataset/load.js'
import { answerTo, namesOfHashes } from '../ask.js'
import { isDocumented } from './compare.js'
import { randomQuestions } from './questions.js'

const folder = mkdtempSync(join(tmpdir(), 'puppetdb-'))
chmodSync(folder, 0o755)
const given = process.argv[2]
const database = given ? undefined : await startPuppetDb(folder, { config: datasetConfig })
const url = given ?? database.url
try {
  if (database) await loadDataset(url)
  const { version } = await (await fetch(`${url}/pdb/meta/v1/version`)).json()
  const names = await namesOfHashes(url)
  const recorded = []
  for (const question of randomQuestions(7, 900)) {
    const { status, text } = await answerTo(url, question, names)
    if ((status !== 200 && status !== 400) || isDocumented(question)) continue
    recorded.push({ question, status, ...(status === 400 && { text }) })
  }
  const lines = [{ version, recorded: recorded.length }, ...recorded].map((each) => JSON.stringify(each))
  writeFileSync(new URL('statuses.jsonl.gz', import.meta.url), gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
  console.log(`${recorded.length} queries, ${recorded.filter(({ status }) => status === 400).length} of them rejected`)
} finally {
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
