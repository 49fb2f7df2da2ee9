import { bufferView } from '../base/bytes/buffer-view.ts'
import type { ExactJson, ExactObject } from '../base/json/exact-json.ts'
import { parseJson, printJson } from '../base/json/json-text.ts'
import { record, shallow, text } from '../base/json/wire.ts'

/** A node's facts. */
export interface Facts {
  /** The certname. */
  readonly name: string
  readonly values: Readonly<Record<string, ExactJson>>
  /** ISO 8601, as the agent sent it. */
  readonly timestamp: string | undefined
  readonly expiration: string | undefined
}

/** Parses and validates facts sent by an agent; they are not checked again later. */
export function factsFromWire(body: unknown): Facts {
  const { name, values, timestamp, expiration } = record(shallow(body), 'facts')
  return {
    name: text(name, 'facts.name'),
    values: record(values ?? {}, 'facts.values') as Record<string, ExactJson>,
    timestamp: typeof timestamp === 'string' ? timestamp : undefined,
    expiration: typeof expiration === 'string' ? expiration : undefined,
  }
}

/** Formats facts as an agent sends them; times have nine fractional digits. */
export function factsToWire({ name, values, timestamp, expiration }: Facts): ExactJson {
  return { name, values, timestamp, expiration }
}

/**
 * Facts whose values stay unparsed text, until a thread with time to parse them needs the values.
 */
export interface FactsDocument extends Omit<Facts, 'values'> {
  /** JSON text of the values, an object, in UTF-8; shared between threads. */
  readonly values: Uint8Array
  /** Trusted facts that a store keeps with the facts. */
  readonly trusted?: ExactObject | undefined
}

/** Converts facts to a document. */
export function factsDocument({ values, ...about }: Facts): FactsDocument {
  return { ...about, values: sharedText(printJson(values)) }
}

/** Parses the values of a document. */
export function valuesOf(values: Uint8Array): Facts['values'] {
  const text = bufferView(values).toString('utf8')
  return record(parseJson(text), 'facts.values') as Facts['values']
}

/** Formats a document as JSON text in UTF-8, in pieces. */
export function factsDocumentText({ name, values, timestamp, expiration }: FactsDocument): readonly Uint8Array[] {
  const about = JSON.stringify({ name, timestamp, expiration })
  return [Buffer.from(`${about.slice(0, -1)},"values":`), values, Buffer.from('}')]
}

function sharedText(text: string): Uint8Array {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}
