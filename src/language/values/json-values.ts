import { type ExactJson, type ExactObject, getEntries } from '../../base/json/exact-json.ts'
import { normalizeInteger } from '../ruby-semantics/numbers/integer.ts'
import { Float } from './float.ts'
import { Hash } from './hash.ts'
import type { Value } from './value.ts'

/** Converts JSON (facts, classification, data) to a value. `readObject` converts objects, by default to hashes. */
export function convertJsonToValue(
  json: ExactJson | undefined,
  readObject: (object: ExactObject) => Value = convertJsonToHash,
): Value {
  if (json === null || json === undefined) return undefined
  if (typeof json === 'number') return Number.isInteger(json) ? normalizeInteger(json) : new Float(json)
  if (typeof json !== 'object') return json
  if (json instanceof Number) return new Float(json.valueOf())
  return Array.isArray(json)
    ? json.map((each) => convertJsonToValue(each, readObject))
    : readObject(json as ExactObject)
}

function convertJsonToHash(object: ExactObject): Value {
  return Hash.of(Array.from(getEntries(object), ([key, value]) => [key, convertJsonToValue(value)]))
}
