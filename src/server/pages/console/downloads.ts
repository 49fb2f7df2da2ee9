import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactJson, getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'
import type { Download, PageSources } from '../page.ts'
import { splitRows } from '../questions/row-splitter.ts'
import { createRootQuery } from './query-page.ts'

const most = budgets.pages.download.bound

/** The rows of a query as CSV. Throws INVALID_QUERY and QUERY_FAILED. */
export async function createCsvDownload(sources: PageSources, q: string): Promise<Download> {
  const pieces = formatCsvPieces(await readRowTexts(sources, q))
  return { contentType: 'text/csv;charset=utf-8', fileName: 'rows.csv', pieces }
}

/** The rows of a query as JSON. Throws INVALID_QUERY and QUERY_FAILED. */
export async function createJsonDownload(sources: PageSources, q: string): Promise<Download> {
  const pieces = formatJsonPieces(await readRowTexts(sources, q))
  return { contentType: 'application/json;charset=utf-8', fileName: 'rows.json', pieces }
}

async function readRowTexts({ store }: PageSources, q: string): Promise<AsyncIterable<string>> {
  const answer = await store.ask(createRootQuery(q))
  return limitRows(answer ? splitRows(answer.pieces) : yieldNothing())
}

async function* yieldNothing(): AsyncIterable<string> {}

async function* limitRows(rows: AsyncIterable<string>): AsyncIterable<string> {
  let left = most
  for await (const row of rows) {
    if (left-- === 0) return
    yield row
  }
}

async function* formatJsonPieces(rows: AsyncIterable<string>): AsyncIterable<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield before + row
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** CSV by RFC 4180. The keys of the first row are the columns. */
async function* formatCsvPieces(rows: AsyncIterable<string>): AsyncIterable<string> {
  let names: readonly string[] | undefined
  for await (const text of rows) {
    const row = parseJson(text)
    const members = new Map(isExactObject(row) ? getEntries(row) : [['value', row]])
    if (!names) {
      names = [...members.keys()]
      yield formatCsvLine(names)
    }
    yield formatCsvLine(names.map((name) => members.get(name)))
  }
}

function formatCsvLine(values: readonly (ExactJson | undefined)[]): string {
  return `${values.map(formatCsvField).join(',')}\r\n`
}

/** Spreadsheets evaluate text that begins with these characters as a formula, and nodes can send such text. */
const formula = /^[=+\-@\t\r]/

function formatCsvField(value: ExactJson | undefined): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value.replace(formula, "'$&") : formatExactJson(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
