import { parseJson } from '../../base/json-text.ts'
import { Hash } from '../../language/values/hash.ts'
import { valueFromJson } from '../../language/values/value-from-json.ts'
import { failVerbatim } from '../../language/values/verbatim-error.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** `data_hash: json_data` */
export const jsonData: Backend = {
  name: 'json_data',
  doc: 'Reads a hash of data from a JSON file.',
  read(text, path) {
    try {
      const value = valueFromJson(parseJson(text))
      return value instanceof Hash ? value : failVerbatim(hieraIssues.LOOKUP_NO_HASH, { path })
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return failVerbatim(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
    }
  },
}
