// Random questions asked of PuppetDB and of our store.
import { answerTo, namesOfHashes } from '../ask.js'

/** Differences that docs/store.md lists, by what a question contains. */
export const documented = [
  // PuppetDB without the enterprise extensions drops corrective changes.
  /corrective_change/,
  // Its query for `latest_report?` is `not in` a set with a NULL.
  /\["=","latest_report\?",false\]|\["not",\["=","latest_report\?",true\]\]/,
  // It compares lists and paths as arrays.
  /(?:min|max)(?:","|\()(?:path|tags|inputs|containment_path)\b/,
  // Internal numbers of rows.
  /report_id/,
  // It replaces a pattern in a path by the paths that match, and fails without any.
  /match\(/,
  // It takes a condition with an unknown operator for no condition, and answers all rows.
  /\["(?:!=|like|contains)",/,
]

/** Questions that are asked at the same time. */
const atOnce = 4

/**
 * @typedef {object} Comparison
 * @property {number} equal
 * @property {number} unanswered PuppetDB failed with 500, ours did not
 * @property {object[]} different
 * @property {object[]} listed differences that the documents list
 * @property {object[]} failed ours failed with 500
 */

/**
 * Asks PuppetDB, and each of our stores, the same questions.
 * @param {readonly import('../corpus/request.js').Question[]} questions
 * @param {string} real the address of PuppetDB
 * @param {readonly string[]} ours addresses of ours
 */
export async function compareAnswers(questions, real, ours) {
  const realNames = await namesOfHashes(real)
  const ourNames = await Promise.all(ours.map((url) => namesOfHashes(url)))
  const found = ours.map(() => ({ equal: 0, unanswered: 0, different: [], listed: [], failed: [] }))
  const statuses = {}
  const ask = async (question) => {
    const expected = await answerTo(real, question, realNames).catch(failure)
    statuses[expected.status] = (statuses[expected.status] ?? 0) + 1
    for (const [at, url] of ours.entries()) {
      const given = await answerTo(url, question, ourNames[at]).catch(failure)
      add(found[at], { question, expected, given })
    }
  }
  const waiting = questions.values()
  const work = async () => {
    for (const question of waiting) await ask(question)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { found, statuses }
}

/** The answer of a server that has not answered in time. */
function failure(error) {
  return { status: 500, type: null, text: String(error) }
}

function add(found, answers) {
  const { question, expected, given } = answers
  if (given.status === 500) found.failed.push(answers)
  else if (expected.status === 500) found.unanswered++
  else if (isSame(expected, given, question.order)) found.equal++
  else if (isDocumented(question)) found.listed.push(answers)
  else found.different.push(answers)
}

/** True of a question that the documents except from the comparison. */
export function isDocumented({ path, body = '' }) {
  const text = `${decodeURIComponent(path)}${body}`
  return documented.some((each) => each.test(text))
}

function isSame(expected, given, order) {
  if (expected.status === 302) return given.status === 404
  if (expected.status !== 200) return expected.status === given.status
  return comparable(expected, order) === comparable(given, order)
}

function comparable({ status, records, rows, count, value }, order) {
  const plain = rows?.map(withoutOrder)
  return JSON.stringify([
    status,
    records,
    count,
    order === 'rows' ? plain : plain?.sort(),
    value && withoutOrder(value),
  ])
}

/** Lists inside of rows have no order of their own; corrective changes are dropped by PuppetDB. */
function withoutOrder(json) {
  const text = json.replace(/(corrective_change":)(?:true|false)/g, '$1null')
  if (!text.includes('"data":[')) return text
  const row = JSON.parse(text)
  for (const field of Object.values(row))
    if (Array.isArray(field?.data)) field.data = field.data.map((each) => JSON.stringify(each)).sort()
  return JSON.stringify(row)
}
