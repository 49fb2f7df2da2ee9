import { createHash } from 'node:crypto'
import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'

/**
 * JSON text in the form from which PuppetDB computes digests: sorted keys, and numbers and control
 * characters in Java's format. Equal data has equal text. NUL, which PostgreSQL cannot store,
 * becomes U+FFFD. puppetlabs.puppetdb.scf.hash.
 */
export function formatIdentity(json: ExactJson | undefined): string {
  return formatSortedJson(json, formatDouble)
}

/**
 * JSON text in the form in which it is stored: sorted keys, and numbers without exponents, as in
 * PostgreSQL's `jsonb`.
 */
export function formatStoredJson(json: ExactJson | undefined): string {
  return formatSortedJson(json, formatPlainDouble)
}

function formatSortedJson(json: ExactJson | undefined, double: (value: number) => string): string {
  if (json === undefined || json === null) return 'null'
  if (typeof json === 'string') return formatString(json)
  if (typeof json === 'number' && !Number.isInteger(json)) return double(json)
  if (json instanceof Number) return double(json.valueOf())
  if (Array.isArray(json)) return `[${json.map((each) => formatSortedJson(each as ExactJson, double)).join(',')}]`
  if (!isExactObject(json)) return String(json)
  const entries = [...getEntries(json)].sort(([a], [b]) => compareCodeUnits(a, b))
  return `{${entries.map(([key, value]) => `${formatString(key)}:${formatSortedJson(value, double)}`).join(',')}}`
}

/** SHA-1 of the identity text, in hexadecimal. */
export function computeIdentityHash(json: ExactJson): string {
  return computeSha1(formatIdentity(json))
}

/** SHA-1 of a text, in hexadecimal. */
export function computeSha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

const control = /[\u0000-\u001f]/

function formatString(text: string): string {
  const quoted = JSON.stringify(text)
  if (!control.test(text)) return quoted
  return quoted
    .replaceAll('\\u0000', '\ufffd')
    .replace(/\\u00([01][0-9a-f])/g, (_, digits: string) => `\\u00${digits.toUpperCase()}`)
}

/** Formats a double as Java does: `1.0`, `1.0E10`, `1.2E-5`. */
function formatDouble(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-3 && size < 1e7)) return Number.isInteger(value) ? value.toFixed(1) : String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}

/**
 * Formats a double without an exponent: `1500000000000000000000`, `0.00000012`; numbers near 1 keep
 * Java's format, such as `2.0`.
 */
function formatPlainDouble(value: number): string {
  const text = formatDouble(value)
  const parts = /^(-?)(\d+)\.(\d+)E(-?\d+)$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = '', exponent = ''] = parts
  const digits = whole + (fraction === '0' ? '' : fraction)
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length
    ? sign + digits.padEnd(point, '0')
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
