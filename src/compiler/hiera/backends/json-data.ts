import { parseJson } from '../../../base/json/json-text.ts'
import { Hash } from '../../../language/values/hash.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** Backend `data_hash: json_data`. */
export const jsonData: Backend = {
  name: 'json_data',
  doc: 'Reads a hash of data from a JSON file.',
  read(text, path) {
    try {
      rejectUnpairedSurrogates(text)
      const value = convertJsonToValue(parseJson(text))
      return value instanceof Hash ? value : failWithoutLocation(hieraIssues.LOOKUP_NO_HASH, { path })
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return failWithoutLocation(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
    }
  },
}

/** Throws for an unpaired surrogate such as `\ud800`, as Ruby's JSON parser does. */
function rejectUnpairedSurrogates(text: string): void {
  if (!/\\ud[89a-f]/i.test(text)) return
  JSON.parse(text, (_, value) => {
    if (typeof value === 'string' && text.isWellFormed() && !value.isWellFormed())
      throw new SyntaxError('incomplete surrogate pair')
    return value
  })
}
