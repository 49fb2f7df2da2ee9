import { type ExactJson, exactFloat, exactObject } from '../../../base/json/exact-json.ts'
import { dataText } from './data-text.ts'
import { type PlainData, PlainFloat, PlainSymbol, plainForm } from './plain-form.ts'

/**
 * Converts data to JSON. Keys become strings by `to_s`, as in Ruby's JSON generator. `to_s` is applied to the original
 * key, not to its JSON: otherwise nested hash keys would be quoted again at each level, and double in size.
 */
export function plainJson(data: PlainData): ExactJson {
  if (data === undefined) return null
  if (data instanceof PlainFloat) return exactFloat(data.value)
  if (data instanceof PlainSymbol) return data.name
  if (Array.isArray(data)) return data.map(plainJson)
  const entries = plainForm.entriesOf(data)
  if (entries) return exactObject(Array.from(entries, ([key, value]) => [dataText(key, plainForm), plainJson(value)]))
  return data as ExactJson
}
