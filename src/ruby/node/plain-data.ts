import type { Json } from '../../base/json/json-checks.ts'

/** Key of an object that wraps data in tagged form. */
const tagKey = '\u0000tagged'

/** Wraps data that is already in tagged form (see tagged-json.ts), so that it is passed on unchanged. */
export function wrapTaggedData(value: Json): Json {
  return { [tagKey]: value }
}

/** Converts plain data for Ruby: lists and hashes get tags (see tagged-json.ts). */
export function toTaggedData(value: Json): Json {
  if (value !== null && typeof value === 'object' && tagKey in value) return value[tagKey] ?? null
  if (typeof value === 'number' && !Number.isInteger(value)) return ['f', String(value)]
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return ['l', ...value.map(toTaggedData)]
  return ['h', ...Object.entries(value).flatMap(([key, each]) => [key, toTaggedData(each ?? null)])]
}

/** Converts data from Ruby to plain data; values that JSON cannot represent become text. */
export function toPlainData(value: Json): Json {
  if (!Array.isArray(value)) return value
  const [tag, ...rest] = value
  if (tag === 'l') return rest.map(toPlainData)
  if (tag === 'h') return toPlainHash(rest)
  if (tag === 'f' || tag === 'i') return Number(rest[0])
  if (tag === 'd') return 'default'
  if (tag === 's') return toPlainData(rest[0] ?? null)
  if (tag === 'r') return `/${String(rest[0])}/`
  return tag === 'x' ? String(rest[2]) : String(rest[0])
}

function toPlainHash(parts: readonly Json[]): Json {
  const entries: [string, Json][] = []
  for (let at = 0; at < parts.length; at += 2)
    entries.push([String(toPlainData(parts[at]!)), toPlainData(parts[at + 1]!)])
  return Object.fromEntries(entries)
}
