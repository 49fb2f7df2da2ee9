import type { NumberFunction } from './entity.ts'

/** A decimal number with its scale: `12.50` has the digits 1250 and the scale 2. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/**
 * Evaluates an aggregate function with the precision of PostgreSQL's `numeric`; `undefined` if
 * there are no values.
 */
export function computeAggregate(name: NumberFunction, texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined
  const numbers = texts.map(parseDecimal)
  switch (name) {
    case 'sum':
      return formatDecimal(addDecimals(numbers))
    case 'avg':
      return formatQuotient(addDecimals(numbers), numbers.length)
    case 'min':
      return formatDecimal(numbers.reduce((least, each) => (isLess(each, least) ? each : least)))
    case 'max':
      return formatDecimal(numbers.reduce((most, each) => (isLess(most, each) ? each : most)))
  }
}

function isLess(a: Decimal, b: Decimal): boolean {
  const scale = Math.max(a.scale, b.scale)
  return a.digits * 10n ** BigInt(scale - a.scale) < b.digits * 10n ** BigInt(scale - b.scale)
}

/** Divides a sum by a count, with at least sixteen significant digits. */
export function formatQuotient({ digits, scale }: Decimal, count: number): string {
  const wanted = Math.max(scale, countQuotientDecimals({ digits, scale }, count))
  const scaled = digits * 10n ** BigInt(wanted - scale + 1)
  const divisor = BigInt(count)
  const tenths = scaled / divisor
  const rounded = (tenths + (tenths < 0n ? -5n : 5n)) / 10n
  return formatDecimal({ digits: rounded, scale: wanted })
}

/** Parses a JSON number without an exponent. */
export function parseDecimal(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

function addDecimals(numbers: readonly Decimal[]): Decimal {
  const scale = numbers.reduce((most, number) => Math.max(most, number.scale), 0)
  const digits = numbers.reduce((sum, number) => sum + number.digits * 10n ** BigInt(scale - number.scale), 0n)
  return { digits, scale }
}

/**
 * Number of decimal places of a quotient. PostgreSQL: numeric.c, `select_div_scale`, which counts
 * digits in groups of four.
 */
function countQuotientDecimals(sum: Decimal, count: number): number {
  const [dividend, divisor] = [findFirstGroup(sum), findFirstGroup({ digits: BigInt(count), scale: 0 })]
  const groups = dividend.weight - divisor.weight - (dividend.first <= divisor.first ? 1 : 0)
  return Math.max(16 - groups * 4, 0)
}

/** The first nonzero group of four digits, and its position relative to the decimal point. */
function findFirstGroup({ digits, scale }: Decimal): { readonly first: number; readonly weight: number } {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale)
  const padded = whole.padStart(Math.ceil(whole.length / 4) * 4, '0') + fraction.padEnd(Math.ceil(scale / 4) * 4, '0')
  const groups = padded.match(/\d{4}/g) ?? []
  const at = groups.findIndex((group) => group !== '0000')
  return at === -1
    ? { first: 0, weight: 0 }
    : { first: Number(groups[at]), weight: Math.ceil(whole.length / 4) - 1 - at }
}

function formatDecimal({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const sign = digits < 0n ? '-' : ''
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}
