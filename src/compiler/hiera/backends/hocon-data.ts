import { PuppetError } from '../../../base/issue.ts'
import { Float } from '../../../language/values/float.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { failWithoutLocation } from '../../../language/values/verbatim-error.ts'
import { parseHocon } from '../../../machine/settings/hocon/hocon.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/**
 * Backend `data_hash: hocon_data`. Does not substitute process environment variables, and ignores `include "file"`:
 * Puppet parses the text without a file name, so that includes have no effect in Puppet either.
 */
export const hoconData: Backend = {
  name: 'hocon_data',
  doc: 'Reads a hash of data from a HOCON file.',
  read(text, path) {
    try {
      return toValue(parseHocon({ file: path, text }, { includes: 'left out' })) as Hash
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      return failWithoutLocation(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
    }
  },
}

function toValue(data: unknown): Value {
  if (data === null || data === undefined) return undefined
  if (typeof data === 'number') return Number.isInteger(data) ? data : new Float(data)
  if (Array.isArray(data)) return data.map(toValue)
  if (typeof data !== 'object') return data as string | boolean
  return Hash.of(Object.entries(data).map(([key, value]) => [key, toValue(value)]))
}
