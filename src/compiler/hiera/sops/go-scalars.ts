import { normalizeInteger } from '../../../language/ruby-semantics/numbers/integer.ts'
import { Float } from '../../../language/values/float.ts'
import { createTextLeaf, type SopsLeaf, type SopsNode, sopsNull } from './sops-tree.ts'

/**
 * Returns the value of a plain YAML scalar as the YAML library of SOPS reads it, which differs from Psych: `yes` is a
 * string. The MAC covers the values in the notation of Go. Source: go.yaml.in/yaml/v3, resolve.go.
 */
export function parseGoScalar(text: string): SopsNode {
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return sopsNull
  if (/^(?:true|True|TRUE)$/.test(text)) return createBoolean(true)
  if (/^(?:false|False|FALSE)$/.test(text)) return createBoolean(false)
  if (!/^[-+.0-9]/.test(text)) return createTextLeaf(text)
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return createFloat(Number.NaN)
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text))
    return createFloat(text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  const time = formatGoTime(text)
  if (time !== undefined) return createTextLeaf(time)
  const plain = text.replaceAll('_', '')
  const integer = parseInteger(plain)
  if (integer !== undefined) return createInteger(integer)
  // A decimal integer of more than 64 bits is a float, other integers of more than 64 bits are strings.
  const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain) ? Number(plain) : Number.NaN
  return Number.isFinite(float) ? createFloat(float) : createTextLeaf(text)
}

/** Creates an integer; Go writes its decimal digits. */
export function createInteger(value: number | bigint): SopsLeaf {
  return { kind: 'leaf', value: normalizeInteger(value), text: BigInt(value).toString() }
}

/** Creates a boolean; SOPS writes it as Python does. */
export function createBoolean(value: boolean): SopsLeaf {
  return { kind: 'leaf', value, text: value ? 'True' : 'False' }
}

/**
 * Creates a number that Go keeps as a float. A whole number becomes an Integer: SOPS decrypts `12.0` to `12`, and older
 * versions write all numbers of JSON as floats.
 */
export function createFloat(value: number): SopsLeaf {
  const isWhole = Number.isInteger(value) && Math.abs(value) < 1e21
  return { kind: 'leaf', value: isWhole ? normalizeInteger(value) : new Float(value), text: formatGoFloat(value) }
}

/** Formats a float as `strconv.FormatFloat(value, 'f', -1, 64)` does: the shortest digits, without an exponent. */
function formatGoFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf'
  if (Object.is(value, -0)) return '-0'
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(String(value)) ?? []
  const digits = `${whole}${fraction}`
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** A sign, the prefix of the base, and the digits of 64 bits in base 2. */
const integerCharacters = 67

/** Parses an integer of up to 64 bits; undefined for other text. Longer text is not parsed, which would be slow. */
function parseInteger(text: string): bigint | undefined {
  if (text.length > integerCharacters) return undefined
  if (!/^[-+]?(?:0b[01]+|0o?[0-7]+|0x[0-9a-fA-F]+|0|[1-9][0-9]*)$/.test(text)) return undefined
  const digits = text.replace(/^[-+]/, '').replace(/^0(?=[0-7])/, '0o')
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits)
  const bits = /^[-+]/.test(text) ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)
  return bits === value ? value : undefined
}

const time =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(\.\d{1,9})?(Z|[-+]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(\.\d{1,9})?))?$/

/** Formats a timestamp of YAML in RFC 3339, as Go does; undefined for other text. */
function formatGoTime(text: string): string | undefined {
  const found = time.exec(text)
  if (!found) return undefined
  const [, year, month = '', day = '', h1, m1, s1, f1, zone = 'Z', h2, m2, s2, f2] = found
  const parts = [h1 ?? h2 ?? '0', m1 ?? m2 ?? '0', s1 ?? s2 ?? '0'].map((part) => part.padStart(2, '0'))
  const fraction = (f1 ?? f2 ?? '').replace(/0{1,9}$/, '').replace(/\.$/, '')
  const offset = zone === '+00:00' ? 'Z' : zone
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${parts.join(':')}${fraction}${offset}`
}
