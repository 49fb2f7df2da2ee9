import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, entriesOf, isExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'

/** The kinds of questions that code asks outside of its commit, each with the name that a store of catalogs knows it by. */
export const outsideKinds = {
  /** The body of a query to PuppetDB; answered by JSON, or by the words of who refuses it. */
  query: 'puppetdb_query',
  /** A program and its words; answered `{"output": TEXT}`. */
  generate: 'generate',
  /** A path in a folder outside; answered `{"text"}`, `{"base64"}`, `{"names": […]}` or `{"absent": true}`. */
  file: 'file',
  /** A name and a type of records; answered `{"records": […]}`, or `{"absent": true}` for a name that is not there. */
  dns: 'dns',
  /** A page; answered `{"status", "reason", "headers", "body"}`. */
  http: 'http',
} as const

/** A kind of question. */
export type OutsideKind = keyof typeof outsideKinds

/** A question as text: a JSON object of one member, by its kind. The same question is the same text. */
export function questionText(kind: OutsideKind, content: ExactJson): string {
  return printJson({ [kind]: content })
}

/** The kind and the content of a question; `undefined` for what is none. */
export function readQuestion(
  question: ExactJson,
): { readonly kind: OutsideKind; readonly content: ExactJson } | undefined {
  if (!isExactObject(question)) return undefined
  const [[kind, content] = [], ...more] = entriesOf(question)
  if (kind === undefined || content === undefined || more.length > 0 || !Object.hasOwn(outsideKinds, kind))
    return undefined
  return { kind: kind as OutsideKind, content }
}

/** As `readQuestion`, of the text. */
export function parseQuestion(text: string): ReturnType<typeof readQuestion> {
  const { bound: characters } = budgets.outside.answers
  return readQuestion(parseBoundedJson(text, { characters, items: characters }))
}
