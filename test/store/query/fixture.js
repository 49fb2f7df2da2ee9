// The recorded answers: gzip of JSON lines. First a line for each distinct row or text, then a line for each question.
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

const answers = new URL('answers.jsonl.gz', import.meta.url)

/**
 * A question and what a real PuppetDB answered.
 * @typedef {object} Recorded
 * @property {import('./corpus/request.js').Question} question
 * @property {number} status
 * @property {string | null} type the content type
 * @property {number} [records] X-Records
 * @property {readonly string[]} [rows] canonical JSON of each row; sorted unless the question has the order `rows`
 * @property {number} [count] of rows, where only that is defined
 * @property {string} [value] canonical JSON of an answer that is no list
 * @property {string} [text] any other body
 */

/**
 * All that was recorded: of the corpus, or in another file.
 * @returns {readonly Recorded[]}
 */
export function readAnswers(file = answers) {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const strings = []
  const recorded = []
  for (const line of lines) {
    const data = JSON.parse(line)
    if (typeof data === 'string') strings.push(data)
    else recorded.push(unpacked(data, strings))
  }
  return recorded
}

function unpacked({ rows, value, text, ...rest }, strings) {
  return {
    ...rest,
    ...(rows && { rows: rows.map((at) => strings[at]) }),
    ...(value !== undefined && { value: strings[value] }),
    ...(text !== undefined && { text: strings[text] }),
  }
}

/** @param {readonly Recorded[]} recorded */
export function writeAnswers(recorded, file = answers) {
  const places = new Map()
  const place = (text) => {
    if (!places.has(text)) places.set(text, places.size)
    return places.get(text)
  }
  const packed = recorded.map(({ rows, value, text, ...rest }) => ({
    ...rest,
    ...(rows && { rows: rows.map(place) }),
    ...(value !== undefined && { value: place(value) }),
    ...(text !== undefined && { text: place(text) }),
  }))
  const lines = [...places.keys(), ...packed].map((each) => JSON.stringify(each))
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
}
