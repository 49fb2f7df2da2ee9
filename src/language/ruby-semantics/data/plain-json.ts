import { type ExactJson, exactFloat, exactObject } from '../../../base/json/exact-json.ts'
import { dataText } from './data-text.ts'
import { type PlainData, PlainFloat, PlainSymbol, plainForm } from './plain-form.ts'

/**
 * Data as JSON; a key that is no text becomes one by `to_s`, as Ruby's generator of JSON has it. The text is that of the
 * key's data, not of its JSON: a hash in a key of a key would be quoted once more for each level around it, and double.
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
