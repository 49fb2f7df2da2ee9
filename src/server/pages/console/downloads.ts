import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactJson, entriesOf, isExactObject } from '../../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../../base/json/json-text.ts'
import type { Download, PageSources } from '../page.ts'
import { rowsOf } from '../questions/rows-of.ts'
import { rootQuestion } from './query-page.ts'

const most = budgets.pages.download.bound

/** The rows of a query as CSV. Throws INVALID_QUERY and QUERY_FAILED. */
export async function csvOf(sources: PageSources, q: string): Promise<Download> {
  const pieces = csvPieces(await rowTexts(sources, q))
  return { contentType: 'text/csv;charset=utf-8', fileName: 'rows.csv', pieces }
}

/** The rows of a query as JSON. Throws INVALID_QUERY and QUERY_FAILED. */
export async function jsonOf(sources: PageSources, q: string): Promise<Download> {
  const pieces = jsonPieces(await rowTexts(sources, q))
  return { contentType: 'application/json;charset=utf-8', fileName: 'rows.json', pieces }
}

async function rowTexts({ store }: PageSources, q: string): Promise<AsyncIterable<string>> {
  const answer = await store.ask(rootQuestion(q))
  return bounded(answer ? rowsOf(answer.pieces) : nothing())
}

async function* nothing(): AsyncIterable<string> {}

async function* bounded(rows: AsyncIterable<string>): AsyncIterable<string> {
  let left = most
  for await (const row of rows) {
    if (left-- === 0) return
    yield row
  }
}

async function* jsonPieces(rows: AsyncIterable<string>): AsyncIterable<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield before + row
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** CSV by RFC 4180. The keys of the first row are the columns. */
async function* csvPieces(rows: AsyncIterable<string>): AsyncIterable<string> {
  let names: readonly string[] | undefined
  for await (const text of rows) {
    const row = parseJson(text)
    const members = new Map(isExactObject(row) ? entriesOf(row) : [['value', row]])
    if (!names) {
      names = [...members.keys()]
      yield line(names)
    }
    yield line(names.map((name) => members.get(name)))
  }
}

function line(values: readonly (ExactJson | undefined)[]): string {
  return `${values.map(field).join(',')}\r\n`
}

/** Spreadsheets evaluate text that begins with these characters as a formula, and nodes can send such text. */
const formula = /^[=+\-@\t\r]/

function field(value: ExactJson | undefined): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value.replace(formula, "'$&") : printJson(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
