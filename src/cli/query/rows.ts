import { type ExactJson, type ExactObject, isExactObject } from '../../base/json/exact-json.ts'
import { jsonRows } from '../../base/json/json-rows.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { Question } from '../../store/query/answer.ts'
import type { Asked } from './asked.ts'

/** A question by GET, its parameters as they are; the path's parts are encoded. */
export function questionAt(path: readonly string[], parameters: Readonly<Record<string, string>> = {}): Question {
  return {
    method: 'GET',
    path: path.map((part) => `/${encodeURIComponent(part)}`).join(''),
    search: String(new URLSearchParams(parameters)),
  }
}

/** A question of an entity, by its AST. */
export function questionOf(query: ExactJson): Question {
  return { method: 'POST', path: '', search: '', body: JSON.stringify({ query }) }
}

/** All rows of an answer, for answers that are short; none where nothing has such an address. */
export async function rowsOf(store: Asked, question: Question): Promise<readonly ExactObject[]> {
  const answer = await store.ask(question)
  if (answer?.status !== 200) return []
  const rows: ExactObject[] = []
  for await (const texts of jsonRows(answer.pieces))
    for (const text of texts) {
      const row = parseJson(text)
      if (isExactObject(row)) rows.push(row)
    }
  return rows
}

/** The object that an address answers with; `undefined` where there is none. */
export async function objectOf(store: Asked, question: Question): Promise<Record<string, ExactJson> | undefined> {
  const answer = await store.ask(question)
  let text = ''
  if (answer) for await (const piece of answer.pieces) text += piece
  if (answer?.status !== 200) return undefined
  const object = parseJson(text)
  return isExactObject(object) ? (plain(object) as Record<string, ExactJson>) : undefined
}

/** An object by its names; its order does not count. */
export function plain(object: ExactObject): Readonly<Record<string, ExactJson>> {
  return (object instanceof Map ? Object.fromEntries(object) : object) as Readonly<Record<string, ExactJson>>
}

/** Rows that are made here, as an answer's pieces. */
export async function* piecesOf(rows: AsyncIterable<object> | Iterable<object>): AsyncIterable<string> {
  let before = '['
  for await (const row of rows) {
    yield before + JSON.stringify(row)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
