import { type ExactJson, entriesOf, isExactObject } from '../../base/json/exact-json.ts'

/**
 * Converts JSON to the form that schema validators need: numbers are JavaScript numbers, and objects have no prototype.
 */
export function plainData(json: ExactJson | undefined): unknown {
  if (Array.isArray(json)) return json.map(plainData)
  if (typeof json === 'bigint' || json instanceof Number) return Number(json)
  if (!isExactObject(json)) return json
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, value] of entriesOf(json)) object[key] = plainData(value)
  return object
}
