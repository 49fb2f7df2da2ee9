import type { Hash } from '../values/hash.ts'
import { parseTimespan } from '../values/timespan-format.ts'

/** Converts `{ string => …, format => … }`, or fields such as `{ hours => 1 }`, to nanoseconds. */
export function parseTimespanHash(hash: Hash): bigint {
  const text = hash.get('string')
  if (typeof text === 'string') return parseTimespan(text, (hash.get('format') as string | undefined) ?? undefined)
  const sum = ['days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'].reduce(
    (total, name) => total + BigInt((hash.get(name) as number | bigint | undefined) ?? 0) * nanoseconds[name]!,
    0n,
  )
  return hash.get('negative') === true ? -sum : sum
}

/** Nanoseconds per unit of each field. */
const nanoseconds: Readonly<Record<string, bigint>> = {
  days: 86_400_000_000_000n,
  hours: 3_600_000_000_000n,
  minutes: 60_000_000_000n,
  seconds: 1_000_000_000n,
  milliseconds: 1_000_000n,
  microseconds: 1_000n,
  nanoseconds: 1n,
}
