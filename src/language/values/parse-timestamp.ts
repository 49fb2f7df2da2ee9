import { refuse } from './argument-error.ts'
import { offsetOf, strptime } from './strptime.ts'
import { Timestamp } from './time.ts'

const withoutZone = ['%FT%T.%N', '%FT%T', '%F %T.%N', '%F %T', '%F']
const withZone = ['%FT%T.%N %Z', '%FT%T %Z', '%F %T.%N %Z', '%F %T %Z', '%F %Z']

/** Reads a point in time (Puppet: time/timestamp.rb); without a zone in text or argument, it is in UTC. */
export function parseTimestamp(text: string, formats?: string | readonly string[], timezone?: string): Timestamp {
  const zoned = timezone !== undefined && timezone !== ''
  const all = formats ?? (zoned ? withoutZone : [...withZone, ...withoutZone])
  const parsed = typeof all === 'string' ? readBy(text, all, zoned) : readByAny(text, all, zoned)
  const offset = zoned ? zoneOffset(timezone) : (parsed.offset ?? 0)
  return new Timestamp(parsed.nanoseconds - BigInt(offset) * 60_000_000_000n)
}

/** Minutes east of UTC; `current` is UTC here, because nothing may depend on where a server stands. */
export function zoneOffset(zone: string): number {
  if (zone.toLowerCase() === 'current') return 0
  return offsetOf(zone) ?? refuse(`Illegal timezone '${zone}'`)
}

function readBy(text: string, format: string, zoned: boolean) {
  const parsed = strptime(text, format)
  if (!parsed) return refuse(`Unable to parse '${text}' using format '${format}'`)
  if (zoned && parsed.offset !== undefined)
    refuse(
      'Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument',
    )
  return parsed
}

function readByAny(text: string, formats: readonly string[], zoned: boolean) {
  for (const format of formats) {
    const parsed = strptime(text, format)
    if (parsed && !(zoned && parsed.offset !== undefined)) return parsed
  }
  return refuse(`Unable to parse '${text}' using any of the formats ${formats.join(', ')}`)
}
