import { trimTrailing } from '../../../base/text/trailing-characters.ts'

/** Digits for `%f`: like `toFixed`, but also for numbers from 1e21 and for more than 100 decimals. */
export function formatFixed(size: number, precision: number): string {
  if (size >= 1e21) return precision === 0 ? `${BigInt(size)}` : `${BigInt(size)}.${'0'.repeat(precision)}`
  if (precision > 100) return `${size.toFixed(100)}${'0'.repeat(precision - 100)}`
  return roundTieToEven(String(size), precision) ?? size.toFixed(precision)
}

/** Digits for `%e`: a mantissa and an exponent of at least two digits. */
export function formatExponential(size: number, precision: number): string {
  const digits = Math.min(100, precision)
  const [shortest, power] = size.toExponential().split('e') as [string, string]
  const [rounded, exponent] = size.toExponential(digits).split('e') as [string, string]
  const even = power === exponent ? roundTieToEven(shortest, digits) : undefined
  return `${even ?? rounded}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

/** Rounds a number halfway between two results to the even result, as Ruby does (util.c, BSD__dtoa). */
function roundTieToEven(shortest: string, precision: number): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d+)$/.exec(shortest) ?? []
  if (fraction.length !== precision + 1 || !fraction.endsWith('5')) return undefined
  const digits = BigInt(whole + fraction.slice(0, -1))
  const even = `${digits + (digits & 1n)}`.padStart(precision + 1, '0')
  return precision === 0 ? even : `${even.slice(0, -precision)}.${even.slice(-precision)}`
}

/** Digits for `%g`: `%e` for very small and large numbers, otherwise `%f`; `precision` counts significant digits. */
export function formatGeneral(size: number, precision: number, keepZeros: boolean): string {
  const exponent = size === 0 ? 0 : Number(size.toExponential(Math.min(100, precision - 1)).split('e')[1])
  const scientific = exponent < -4 || exponent >= precision
  const digits = scientific
    ? formatExponential(size, precision - 1)
    : formatFixed(size, Math.max(0, precision - 1 - exponent))
  if (keepZeros) return digits
  const [mantissa, power] = digits.split('e') as [string, string | undefined]
  const trimmed = mantissa.includes('.') ? trimTrailing(trimTrailing(mantissa, '0'), '.') : mantissa
  return power === undefined ? trimmed : `${trimmed}e${power}`
}

/** Digits for `%a`: a hexadecimal mantissa and a binary exponent, `0x1.8p+1`. */
export function formatHexadecimal(size: number, precision: number | undefined): string {
  if (size === 0) return `0x0${precision ? `.${'0'.repeat(precision)}` : ''}p+0`
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, size)
  const exponent = (bits.getUint32(0) >>> 20) - 1023
  const rounded = roundMantissa((1n << 52n) | (bits.getBigUint64(0) & 0xfffffffffffffn), precision)
  const isDoubled = rounded >= 1n << 53n
  const digits = (isDoubled ? rounded / 2n : rounded).toString(16).slice(1)
  const power = isDoubled ? exponent + 1 : exponent
  const fraction =
    precision === undefined ? trimTrailing(digits, '0') : digits.slice(0, precision).padEnd(precision, '0')
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${power < 0 ? '-' : '+'}${Math.abs(power)}`
}

/** Rounds a mantissa of 13 hexadecimal digits to fewer; ties go to the even digit. */
function roundMantissa(mantissa: bigint, precision = 13): bigint {
  if (precision >= 13) return mantissa
  const unit = 1n << BigInt(4 * (13 - precision))
  const below = mantissa % unit
  const isUp = below * 2n > unit || (below * 2n === unit && (mantissa / unit) % 2n === 1n)
  return mantissa - below + (isUp ? unit : 0n)
}
