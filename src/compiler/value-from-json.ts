import type { Json } from '../base/wire.ts'
import { Float } from '../language/values/float.ts'
import { Hash } from '../language/values/hash.ts'
import type { Value } from '../language/values/value.ts'

/** The value of the language that JSON stands for: facts, classifications. */
export function valueFromJson(json: Json | undefined): Value {
  if (json === null || json === undefined) return undefined
  if (typeof json === 'number') return Number.isInteger(json) ? json : new Float(json)
  if (typeof json !== 'object') return json
  if (Array.isArray(json)) return json.map(valueFromJson)
  return Hash.of(Object.entries(json).map(([key, value]) => [key, valueFromJson(value)]))
}
