import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { requireBoundedWidth } from '../ruby-semantics/size-limits.ts'

/** Default formats for parsing a Timespan; the first is also the default for printing. */
const timespanFormats: readonly string[] = [
  '%D-%H:%M:%S.%-N',
  '%H:%M:%S.%-N',
  '%M:%S.%-N',
  '%S.%-N',
  '%D-%H:%M:%S',
  '%H:%M:%S',
  '%D-%H:%M',
  '%S',
]

type Unit = 'N' | 'L' | 'S' | 'M' | 'H' | 'D'
interface Field {
  readonly unit: Unit
  readonly pad: '0' | ' ' | undefined
  readonly width: number | undefined
  /** True for the field of the largest unit in the format, which also counts all larger units. */
  readonly total: boolean
}
type Segment = string | Field

const units: readonly Unit[] = ['N', 'L', 'S', 'M', 'H', 'D']
const nanoseconds: Readonly<Record<Unit, bigint>> = {
  N: 1n,
  L: 1_000_000n,
  S: 1_000_000_000n,
  M: 60_000_000_000n,
  H: 3_600_000_000_000n,
  D: 86_400_000_000_000n,
}
const modulus: Readonly<Record<Unit, bigint | undefined>> = {
  N: 1_000_000_000n,
  L: 1000n,
  S: 60n,
  M: 60n,
  H: 24n,
  D: undefined,
}
const usualWidth: Readonly<Record<Unit, number>> = { N: 9, L: 3, S: 2, M: 2, H: 2, D: 1 }

/** Formats nanoseconds. Puppet: time/timespan.rb. */
export function formatTimespan(span: bigint, format: string = timespanFormats[0]!): string {
  const size = span < 0n ? -span : span
  const segments = parseSegments(format).map((each) => (typeof each === 'string' ? each : writeField(each, size)))
  return (span < 0n ? '-' : '') + segments.join('')
}

/** Parses a duration by the first format that matches, and returns nanoseconds. */
export function parseTimespan(text: string, formats: string | readonly string[] = timespanFormats): bigint {
  if (typeof formats === 'string') {
    const read = parseByFormat(text, formats)
    return read ?? throwArgumentError(`Unable to parse '${text}' using format '${formats}'`)
  }
  for (const format of formats) {
    const read = parseByFormat(text, format)
    if (read !== undefined) return read
  }
  return throwArgumentError(`Unable to parse '${text}' using any of the formats ${formats.join(', ')}`)
}

function writeField({ unit, pad, width, total }: Field, size: bigint): string {
  let value = size / nanoseconds[unit]
  if (unit === 'N' && (width ?? 9) < 9) {
    const digits = BigInt(width!)
    value = size / 10n ** (9n - digits)
    if (!total) value %= 10n ** digits
  } else if (!total && modulus[unit] !== undefined) value %= modulus[unit]
  if (unit !== 'N' && unit !== 'L') {
    const text = String(value)
    return pad === undefined ? text : text.padStart(requireBoundedWidth(width ?? 0) || usualWidth[unit], pad)
  }
  // As in Puppet, fractions lose their leading zeros (5 ms print as `.5`) and are padded on the
  // right with spaces.
  const text = total || pad === '0' ? String(value) : String(value).replace(/^(\d+?)0*$/, '$1')
  return pad === undefined ? text : text.padEnd(requireBoundedWidth(width ?? 0) || usualWidth[unit])
}

function parseByFormat(text: string, format: string): bigint | undefined {
  const segments = parseSegments(format)
  const found = new RegExp(`^-?${segments.map(toPattern).join('')}$`).exec(text)
  if (!found) return undefined
  let sum = 0n
  for (const [index, segment] of segments.entries()) {
    if (typeof segment === 'string') continue
    const digits = found[index + 1]!.trimStart()
    if (!/^\d+$/.test(digits)) return undefined
    sum += readField(segment, digits)
  }
  return text.startsWith('-') ? -sum : sum
}

function readField({ unit, total }: Field, digits: string): bigint {
  if (unit !== 'N' && unit !== 'L') return BigInt(digits) * nanoseconds[unit]
  if (total)
    throwArgumentError(
      'Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude',
    )
  return BigInt(digits) * 10n ** BigInt(Math.max(0, 9 - digits.length))
}

function toPattern(segment: Segment): string {
  if (typeof segment === 'string') return `(${segment.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')})`
  const { unit, pad, width, total } = segment
  const most = usualWidth[unit]
  if (width === undefined) {
    if (pad === ' ') return total ? '\\s*([0-9]+)' : `([0-9\\s]{1,${most}})`
    return total ? '([0-9]+)' : `([0-9]{1,${most}})`
  }
  if (pad === undefined) return `([0-9]{1,${width}})`
  return pad === '0' ? `([0-9]{${width}})` : `([0-9\\s]{${width}})`
}

function parseSegments(format: string): Segment[] {
  const segments: Segment[] = []
  const pattern = /%([-_0]?)(\d*)([DHMSLN%])|%([-_]?\d*)([\s\S]?)|([^%]+)/gy
  for (const found of format.matchAll(pattern)) {
    const [text, flag, width, unit, , , literal] = found
    if (unit === undefined && literal === undefined) rejectSpecifier(format, found.index, text)
    if (unit === undefined || unit === '%') {
      const more = literal ?? '%'
      if (typeof segments.at(-1) === 'string') segments.push(segments.pop() + more)
      else segments.push(more)
    } else {
      const pad = flag === '-' ? undefined : flag === '_' ? ' ' : '0'
      segments.push({ unit: unit as Unit, pad, width: width === '' ? undefined : Number(width), total: false })
    }
  }
  const present = segments.flatMap((each) => (typeof each === 'string' ? [] : [units.indexOf(each.unit)]))
  const highest = units[Math.max(...present)]
  const first = segments.findIndex((each) => typeof each !== 'string' && each.unit === highest)
  return segments.map((each, index) => (index === first ? { ...(each as Field), total: true } : each))
}

/** Throws RUNTIME_ERROR that quotes the specifier; as in Puppet, its last character is missing. */
function rejectSpecifier(format: string, start: number, text: string): never {
  const position = start + text.length - 1
  throwArgumentError(`Bad format specifier '${format.slice(start, position)}' in '${format}', at position ${position}`)
}
