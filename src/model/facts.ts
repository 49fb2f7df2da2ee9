import { toBufferView } from '../base/bytes/buffer-view.ts'
import type { ExactJson, ExactObject } from '../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString, checkNesting } from '../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../base/json/json-text.ts'

/** A node's facts. */
export interface Facts {
  /** The certname. */
  readonly name: string
  readonly values: Readonly<Record<string, ExactJson>>
  /** Time of the facts in ISO 8601, as the agent sent it. */
  readonly timestamp: string | undefined
  readonly expiration: string | undefined
}

/** Parses and validates facts that an agent sent; they are not validated again later. */
export function factsFromWire(body: unknown): Facts {
  const { name, values, timestamp, expiration } = checkJsonObject(checkNesting(body), 'facts')
  return {
    name: checkJsonString(name, 'facts.name'),
    values: checkJsonObject(values ?? {}, 'facts.values') as Record<string, ExactJson>,
    timestamp: typeof timestamp === 'string' ? timestamp : undefined,
    expiration: typeof expiration === 'string' ? expiration : undefined,
  }
}

/** Formats facts as an agent sends them; times have nine digits for fractions of a second. */
export function factsToWire({ name, values, timestamp, expiration }: Facts): ExactJson {
  return { name, values, timestamp, expiration }
}

/** Facts whose values are JSON text, which is parsed only if the values are needed. */
export interface FactsDocument extends Omit<Facts, 'values'> {
  /** JSON text of an object with the values, in UTF-8; the memory is shared between threads. */
  readonly values: Uint8Array
  /** Trusted facts that a store keeps together with the facts. */
  readonly trusted?: ExactObject | undefined
}

/** Converts facts to a FactsDocument. */
export function toFactsDocument({ values, ...about }: Facts): FactsDocument {
  return { ...about, values: toSharedBytes(formatExactJson(values)) }
}

/** Parses the values of a FactsDocument. */
export function parseFactValues(values: Uint8Array): Facts['values'] {
  const text = toBufferView(values).toString('utf8')
  return checkJsonObject(parseJson(text), 'facts.values') as Facts['values']
}

/** Formats a FactsDocument as JSON text in UTF-8; returns the text in pieces. */
export function formatFactsDocument({ name, values, timestamp, expiration }: FactsDocument): readonly Uint8Array[] {
  const about = JSON.stringify({ name, timestamp, expiration })
  return [Buffer.from(`${about.slice(0, -1)},"values":`), values, Buffer.from('}')]
}

function toSharedBytes(text: string): Uint8Array {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}
