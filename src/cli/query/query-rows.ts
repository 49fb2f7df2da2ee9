import { type ExactJson, type ExactObject, isExactObject } from '../../base/json/exact-json.ts'
import { splitJsonArray } from '../../base/json/json-rows.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { QueryRequest } from '../../store/query/execution.ts'
import type { NodeQueryStore } from './query-store.ts'

/** Builds a GET query; encodes the parts of the path. */
export function createGetQuery(
  path: readonly string[],
  parameters: Readonly<Record<string, string>> = {},
): QueryRequest {
  return {
    method: 'GET',
    path: path.map((part) => `/${encodeURIComponent(part)}`).join(''),
    search: String(new URLSearchParams(parameters)),
  }
}

/** Builds a POST query from its AST. */
export function createPostQuery(query: ExactJson): QueryRequest {
  return { method: 'POST', path: '', search: '', body: JSON.stringify({ query }) }
}

/** Reads all rows of a short reply into memory; empty if the path does not exist. */
export async function readQueryRows(store: NodeQueryStore, question: QueryRequest): Promise<readonly ExactObject[]> {
  const answer = await store.ask(question)
  if (answer?.status !== 200) return []
  const rows: ExactObject[] = []
  for await (const texts of splitJsonArray(answer.pieces))
    for (const text of texts) {
      const row = parseJson(text)
      if (isExactObject(row)) rows.push(row)
    }
  return rows
}

/** Runs a query for a single object; `undefined` if the path does not exist. */
export async function queryObject(
  store: NodeQueryStore,
  question: QueryRequest,
): Promise<Record<string, ExactJson> | undefined> {
  const answer = await store.ask(question)
  let text = ''
  if (answer) for await (const piece of answer.pieces) text += piece
  if (answer?.status !== 200) return undefined
  const object = parseJson(text)
  return isExactObject(object) ? (toPlainObject(object) as Record<string, ExactJson>) : undefined
}

/** Converts to a plain object; the order of keys may change. */
export function toPlainObject(object: ExactObject): Readonly<Record<string, ExactJson>> {
  return (object instanceof Map ? Object.fromEntries(object) : object) as Readonly<Record<string, ExactJson>>
}

/** Serializes rows as a JSON array, in pieces of text. */
export async function* streamJsonArray(rows: AsyncIterable<object> | Iterable<object>): AsyncIterable<string> {
  let before = '['
  for await (const row of rows) {
    yield before + JSON.stringify(row)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
