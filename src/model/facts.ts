import { type Json, record, text } from '../base/wire.ts'

/** What a node says of itself. */
export interface Facts {
  /** The certname. */
  readonly name: string
  readonly values: Readonly<Record<string, Json>>
  /** ISO 8601, as the agent sent it. */
  readonly timestamp: string | undefined
  readonly expiration: string | undefined
}

/** Facts as an agent sends them. After this, nobody checks again. */
export function factsFromWire(body: unknown): Facts {
  const { name, values, timestamp, expiration } = record(body, 'facts')
  return {
    name: text(name, 'facts.name'),
    values: record(values ?? {}, 'facts.values') as Record<string, Json>,
    timestamp: typeof timestamp === 'string' ? timestamp : undefined,
    expiration: typeof expiration === 'string' ? expiration : undefined,
  }
}

/** Facts as an agent sends them, times with nine digits. */
export function factsToWire({ name, values, timestamp, expiration }: Facts): Json {
  return { name, values, timestamp, expiration }
}
