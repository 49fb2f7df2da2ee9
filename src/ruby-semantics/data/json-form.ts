import {
  type ExactJson,
  type ExactObject,
  entriesOf,
  exactFloat,
  exactObject,
  isExactObject,
} from '../../base/exact-json.ts'
import type { Data, DataForm, Entry } from './data-form.ts'
import { dataText } from './data-text.ts'

/** Data as JSON; what is no text becomes one as a key, as Ruby's generator of JSON has it. */
export const jsonForm: DataForm<ExactJson> = {
  nil: null,
  float: exactFloat,
  hash: (entries) => exactObject(entries.map(([key, value]) => [dataText(key, jsonForm), value as ExactJson])),
  entriesOf: (data) => (isObject(data) ? (entriesOf(data) as Iterable<Entry<ExactJson>>) : undefined),
}

function isObject(data: Data<ExactJson>): data is ExactObject {
  return isExactObject(data as ExactJson)
}
