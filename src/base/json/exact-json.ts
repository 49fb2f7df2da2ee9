/**
 * JSON data with exact numbers and order. Special types replace plain ones where these would lose
 * information: a bigint for an Integer beyond the safe range, a Number object for a Float with an
 * integral value (`1.0`, `1e20`), and a Map for an object with integer keys, which JavaScript would
 * sort. The data can be posted to a worker.
 */
export type ExactJson = null | boolean | number | bigint | WholeFloat | string | readonly ExactJson[] | ExactObject

/** A Float with an integral value, as a `Number` object. */
export type WholeFloat = InstanceType<typeof Number>

/** A JSON object. */
export type ExactObject = { readonly [key: string]: ExactJson | undefined } | ReadonlyMap<string, ExactJson>

/** Creates a Float. */
export function createExactFloat(value: number): number | WholeFloat {
  return Number.isInteger(value) ? new Number(value) : value
}

/** Creates an Integer from its digits. */
export function parseExactInteger(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}

/** Creates an object with ordered entries; for equal keys the last value counts, as in JSON. */
export function createExactObject(entries: readonly (readonly [string, ExactJson])[]): ExactObject {
  const object: Record<string, ExactJson> = {}
  for (const [key, value] of entries) {
    if (isDigitKey(key)) return new Map(entries)
    if (key === '__proto__') return Object.fromEntries(entries)
    object[key] = value
  }
  return object
}

/** True if the key consists of digits. The first character decides for most keys. */
function isDigitKey(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 && /^\d+$/.test(key)
}

/** Members of an object, in order. */
export function getEntries(object: ExactObject): Iterable<readonly [string, ExactJson | undefined]> {
  return object instanceof Map ? object : Object.entries(object)
}

/** True for a JSON object, as opposed to an array or a boxed number. */
export function isExactObject(json: ExactJson | undefined): json is ExactObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof Number)
}

/** The value at an object key or array index; `undefined` if missing. */
export function getMember(json: ExactJson | undefined, key: string): ExactJson | undefined {
  if (json instanceof Map) return json.get(key)
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return undefined
  return (json as Readonly<Record<string, ExactJson>>)[key]
}
