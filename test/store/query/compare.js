// Asks a server all that was recorded; run by hand, it prints where the answers differ: node test/store/query/compare.js URL
import { isDeepStrictEqual } from 'node:util'
import { answerTo, namesOfHashes } from './ask.js'
import { readAnswers } from './fixture.js'

/**
 * Where a server answers otherwise than PuppetDB did. A failure of PuppetDB itself binds nobody.
 * @param {string} url
 * @param {readonly import('./fixture.js').Recorded[]} recorded
 */
export async function differencesOf(url, recorded = readAnswers()) {
  const names = await namesOfHashes(url)
  const differences = []
  for (const { question, ...expected } of recorded) {
    if (expected.status === 500) continue
    const answer = await answerTo(url, question, names)
    if (!isDeepStrictEqual(answer, expected)) differences.push({ question, expected, answer })
  }
  return differences
}

if (process.argv[1] === import.meta.filename) {
  const differences = await differencesOf(process.argv[2])
  for (const { question, expected, answer } of differences) {
    const shorten = (value) => JSON.stringify(value).slice(0, 1000)
    console.log(`${question.method} ${decodeURIComponent(question.path)} ${question.body ?? ''}`)
    console.log(`  PuppetDB: ${shorten(expected)}\n  here:     ${shorten(answer)}`)
  }
  console.log(`${differences.length} answers differ`)
}
