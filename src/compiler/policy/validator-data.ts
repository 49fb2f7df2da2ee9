import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'

/**
 * Converts JSON to the form that schema validators need: numbers are JavaScript numbers, and objects have no prototype.
 */
export function toValidatorData(json: ExactJson | undefined): unknown {
  if (Array.isArray(json)) return json.map(toValidatorData)
  if (typeof json === 'bigint' || json instanceof Number) return Number(json)
  if (!isExactObject(json)) return json
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, value] of getEntries(json)) object[key] = toValidatorData(value)
  return object
}
