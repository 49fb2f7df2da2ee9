// What known clients ask, as tables of data: puppetboard.json, exporter.json (Prometheus) and bolt.json beside this file.
import { readFileSync } from 'node:fs'
import { get, post } from './corpus/request.js'

/** What a real PuppetDB answers to them. */
export const clientsAnswers = new URL('clients.jsonl.gz', import.meta.url)

/** The tables. */
export const clients = /** @type {const} */ (['puppetboard', 'exporter', 'bolt'])

/** What the names in braces stand for in the dataset; whoever asks another store has others. */
export const datasetNames = {
  environment: 'production',
  node: 'web01.example.com',
  'other node': 'db01.example.com',
  report: '<report web01.example.com 2026-11-20T06:03:00.000Z>',
  day: '2026-11-20',
  'next day': '2026-11-21',
  search: 'web0[12]',
  fact: 'osfamily',
  value: 'Debian',
  'structured fact': 'os',
  class: 'Profile::Base',
}

/**
 * The questions of a client, and on which of its pages it asks them.
 * @param {(typeof clients)[number]} client
 * @param {Readonly<Record<string, string>>} names
 * @returns {readonly { client: string, page: string, question: import('./corpus/request.js').Question }[]}
 */
export function questionsOf(client, names = datasetNames) {
  const table = JSON.parse(readFileSync(new URL(`${client}.json`, import.meta.url), 'utf8'))
  return filled(table, names).map(({ page, path, parameters, body, order }) => ({
    client,
    page,
    question: body === undefined ? get(path, parameters, order) : post(path, body, order),
  }))
}

/**
 * Data with its names in braces replaced; an unknown one is an error of the table.
 * @returns {any}
 */
function filled(data, names) {
  if (typeof data === 'string')
    return data.replace(/\{([a-z ]+)\}/g, (_, name) => {
      if (names[name] === undefined) throw new Error(`Nothing is known as {${name}}`)
      return names[name]
    })
  if (Array.isArray(data)) return data.map((each) => filled(each, names))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, filled(value, names)]))
}
