import type { ExactJson } from '../base/exact-json.ts'
import { record, shallow, text } from '../base/wire.ts'

/** What a node says of itself. */
export interface Facts {
  /** The certname. */
  readonly name: string
  readonly values: Readonly<Record<string, ExactJson>>
  /** ISO 8601, as the agent sent it. */
  readonly timestamp: string | undefined
  readonly expiration: string | undefined
}

/** Facts as an agent sends them. After this, nobody checks again. */
export function factsFromWire(body: unknown): Facts {
  const { name, values, timestamp, expiration } = record(shallow(body), 'facts')
  return {
    name: text(name, 'facts.name'),
    values: record(values ?? {}, 'facts.values') as Record<string, ExactJson>,
    timestamp: typeof timestamp === 'string' ? timestamp : undefined,
    expiration: typeof expiration === 'string' ? expiration : undefined,
  }
}

/** Facts as an agent sends them, times with nine digits. */
export function factsToWire({ name, values, timestamp, expiration }: Facts): ExactJson {
  return { name, values, timestamp, expiration }
}
