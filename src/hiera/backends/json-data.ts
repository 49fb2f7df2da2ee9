import { failVerbatim } from '../../language/evaluator/evaluation-error.ts'
import { Float } from '../../language/values/float.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { Backend } from '../backend.ts'
import { hieraIssues } from '../issues.ts'

/** `data_hash: json_data` */
export const jsonData: Backend = {
  name: 'json_data',
  doc: 'Reads a hash of data from a JSON file.',
  read(text, path) {
    try {
      const value = toValue(JSON.parse(withMarkedNumbers(text)))
      return value instanceof Hash ? value : failVerbatim(hieraIssues.LOOKUP_NO_HASH, { path })
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return failVerbatim(hieraIssues.LOOKUP_UNPARSABLE, { path, detail: error.message })
    }
  },
}

/** The key of an object that stands for a number which `JSON.parse` would not keep: `1.0`, or one of many digits. */
const mark = '\u0000number'

function withMarkedNumbers(text: string): string {
  const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs
  return text.replace(token, (found) =>
    found.startsWith('"') || (/^-?\d+$/.test(found) && Number.isSafeInteger(Number(found)))
      ? found
      : JSON.stringify({ [mark]: found }),
  )
}

function toValue(data: unknown): Value {
  if (data === null) return undefined
  if (Array.isArray(data)) return data.map(toValue)
  if (typeof data !== 'object') return data as string | number | boolean
  const number = (data as Record<string, unknown>)[mark]
  if (typeof number === 'string') return /^-?\d+$/.test(number) ? BigInt(number) : new Float(Number(number))
  return Hash.of(Object.entries(data as object).map(([key, value]) => [key, toValue(value)]))
}
