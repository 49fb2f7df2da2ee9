import { type ExactJson, getEntries, isExactObject } from '../base/json/exact-json.ts'

/** Formats a value as in PuppetDB's error messages: in Clojure syntax, with keywords as keys. */
export function formatClojure(value: ExactJson | undefined): string {
  if (value === null || value === undefined) return 'nil'
  if (typeof value === 'string') return quoteText(value)
  if (value instanceof Number || typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return `[${value.map(formatClojure).join(' ')}]`
  if (!isExactObject(value)) return String(value)
  return `{${Array.from(getEntries(value), ([key, each]) => `:${key} ${formatClojure(each)}`).join(', ')}}`
}

/** Formats a value like Java's string concatenation: strings without quotes. */
export function formatJava(value: ExactJson | undefined): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'string' ? value : formatClojure(value)
}

const longest = 19

/**
 * Formats a value for an error message about its type or structure; a long value is replaced by the
 * name of its class. Plumatic Schema: `value-name`.
 */
export function formatValueName(value: ExactJson | undefined): string {
  return formatJava(value).length <= longest ? formatClojure(value) : `a-${getJavaClass(value)}`
}

/** The Java class to which PuppetDB parses a JSON value. */
export function getJavaClass(value: ExactJson | undefined): string {
  if (value === null || value === undefined) return 'nil'
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Boolean'
  if (typeof value === 'bigint') return value === BigInt.asIntN(64, value) ? 'Long' : 'BigInteger'
  if (Array.isArray(value)) return 'clojure.lang.PersistentVector'
  if (value instanceof Number || !Number.isInteger(value)) {
    if (!isExactObject(value)) return 'Double'
    return [...getEntries(value)].length > 8 ? 'clojure.lang.PersistentHashMap' : 'clojure.lang.PersistentArrayMap'
  }
  return Math.abs(value as number) > 0x7fffffff ? 'Long' : 'Integer'
}

function formatNumber(value: number | InstanceType<typeof Number>): string {
  const number = Number(value)
  return value instanceof Number && Math.abs(number) < 1e7 ? number.toFixed(1) : String(number)
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\b': '\\b',
}

function quoteText(text: string): string {
  return `"${text.replace(/["\\\n\t\r\f\b]/g, (char) => escapes[char]!)}"`
}
