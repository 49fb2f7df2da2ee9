import { type ExactJson, entriesOf, isExactObject } from '../../base/json/exact-json.ts'

/** JSON as a validator takes it: numbers as JavaScript has them, and objects that have nothing but their own members. */
export function plainData(json: ExactJson | undefined): unknown {
  if (Array.isArray(json)) return json.map(plainData)
  if (typeof json === 'bigint' || json instanceof Number) return Number(json)
  if (!isExactObject(json)) return json
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, value] of entriesOf(json)) object[key] = plainData(value)
  return object
}
