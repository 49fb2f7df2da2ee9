/**
 * JSON data, exact to the last digit and in order. Where a plain shape would lose something, another takes its place:
 * a bigint for an Integer that no number holds, a Number object for a Float that looks like an Integer (`1.0`, `1e20`),
 * and a Map for an object with whole numbers as keys, which JavaScript would sort. Data of this shape survives being
 * posted to a worker.
 */
export type ExactJson = null | boolean | number | bigint | WholeFloat | string | readonly ExactJson[] | ExactObject

/** A `Number` object. */
export type WholeFloat = InstanceType<typeof Number>

/** An object of JSON. */
export type ExactObject = { readonly [key: string]: ExactJson | undefined } | ReadonlyMap<string, ExactJson>

/** A Float. */
export function exactFloat(value: number): number | WholeFloat {
  return Number.isInteger(value) ? new Number(value) : value
}

/** An Integer, from its digits. */
export function exactInteger(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}

/** An object that keeps the order of its entries; of equal keys the last one's value counts, as in JSON. */
export function exactObject(entries: readonly (readonly [string, ExactJson])[]): ExactObject {
  const object: Record<string, ExactJson> = {}
  for (const [key, value] of entries) {
    if (isWholeNumber(key)) return new Map(entries)
    if (key === '__proto__') return Object.fromEntries(entries)
    object[key] = value
  }
  return object
}

/** True of a key of digits alone; the first character settles most keys. */
function isWholeNumber(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 && /^\d+$/.test(key)
}

/** The members of an object, in order. */
export function entriesOf(object: ExactObject): Iterable<readonly [string, ExactJson | undefined]> {
  return object instanceof Map ? object : Object.entries(object)
}

/** True of an object of JSON: no array, and no number in a box. */
export function isExactObject(json: ExactJson | undefined): json is ExactObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof Number)
}

/** The value at a key of an object or at an index of an array; `undefined` where there is none. */
export function memberOf(json: ExactJson | undefined, key: string): ExactJson | undefined {
  if (json instanceof Map) return json.get(key)
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return undefined
  return (json as Readonly<Record<string, ExactJson>>)[key]
}
