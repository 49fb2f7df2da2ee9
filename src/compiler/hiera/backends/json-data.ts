import { parseJson } from '../../../base/json/json-text.ts'
import { Hash } from '../../../language/values/hash.ts'
import { valueFromJson } from '../../../language/values/value-from-json.ts'
import { failVerbatim } from '../../../language/values/verbatim-error.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** Backend `data_hash: json_data`. */
export const jsonData: Backend = {
  name: 'json_data',
  doc: 'Reads a hash of data from a JSON file.',
  read(text, path) {
    try {
      refuseHalfPairs(text)
      const value = valueFromJson(parseJson(text))
      return value instanceof Hash ? value : failVerbatim(hieraIssues.LOOKUP_NO_HASH, { path })
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return failVerbatim(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
    }
  },
}

/** Throws for an unpaired surrogate such as `\ud800`, as Ruby's JSON parser does. */
function refuseHalfPairs(text: string): void {
  if (!/\\ud[89a-f]/i.test(text)) return
  JSON.parse(text, (_, value) => {
    if (typeof value === 'string' && text.isWellFormed() && !value.isWellFormed())
      throw new SyntaxError('incomplete surrogate pair')
    return value
  })
}
