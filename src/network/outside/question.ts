import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'

/** The kinds of external requests that Puppet code makes, with the name of each kind in a store of catalog inputs. */
export const outsideKinds = {
  /** A PuppetDB query; the content is the body of the query. The response is JSON, or the error message. */
  query: 'puppetdb_query',
  /** A run of a program; the content is the program with its arguments. The response is `{"output": TEXT}`. */
  generate: 'generate',
  /**
   * A read of a path in an external folder; the response is `{"text"}`, `{"base64"}`, `{"names": […]}` or `{"absent":
   * true}`.
   */
  file: 'file',
  /**
   * A DNS query for a name and a record type; the response is `{"records": […]}`, or `{"absent": true}` for an unknown
   * name.
   */
  dns: 'dns',
  /** An HTTP request; the response is `{"status", "reason", "headers", "body"}`. */
  http: 'http',
  /**
   * A read of a secret in Vault or a cloud, or a decryption by its key service. The recorded response is the version of
   * the secret, `{"absent": true}` or an error, and never the value.
   */
  secret: 'secret',
} as const

/** A kind of external request. */
export type OutsideKind = keyof typeof outsideKinds

/**
 * Formats a request as a JSON object with one member; the name of the member is the kind. Equal requests have equal
 * text.
 */
export function formatQuestion(kind: OutsideKind, content: ExactJson): string {
  return formatExactJson({ [kind]: content })
}

/** Returns the kind and the content of a request; `undefined` if the request is malformed. */
export function readQuestion(
  question: ExactJson,
): { readonly kind: OutsideKind; readonly content: ExactJson } | undefined {
  if (!isExactObject(question)) return undefined
  const [[kind, content] = [], ...more] = getEntries(question)
  if (kind === undefined || content === undefined || more.length > 0 || !Object.hasOwn(outsideKinds, kind))
    return undefined
  return { kind: kind as OutsideKind, content }
}

/** Parses the text of a request; `undefined` if the text is malformed. */
export function parseQuestion(text: string): ReturnType<typeof readQuestion> {
  const { bound: characters } = budgets.outside.answers
  return readQuestion(parseBoundedJson(text, { characters, items: characters }))
}
