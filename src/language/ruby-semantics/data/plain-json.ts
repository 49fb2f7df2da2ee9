import { createExactFloat, createExactObject, type ExactJson } from '../../../base/json/exact-json.ts'
import { formatData } from './data-text.ts'
import { type PlainData, PlainFloat, PlainSymbol, plainForm } from './plain-form.ts'

/**
 * Converts data to JSON. Keys become strings by `to_s`, as in Ruby's JSON generator. `to_s` is applied to the original
 * key, not to its JSON: otherwise nested hash keys would be quoted again at each level, and double in size.
 */
export function toPlainJson(data: PlainData): ExactJson {
  if (data === undefined) return null
  if (data instanceof PlainFloat) return createExactFloat(data.value)
  if (data instanceof PlainSymbol) return data.name
  if (Array.isArray(data)) return data.map(toPlainJson)
  const entries = plainForm.entriesOf(data)
  if (entries)
    return createExactObject(Array.from(entries, ([key, value]) => [formatData(key, plainForm), toPlainJson(value)]))
  return data as ExactJson
}
