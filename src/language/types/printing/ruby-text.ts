import { formatRubyRegexp } from '../../ruby-semantics/regexp/regexp-text.ts'
import { inspectText } from '../../ruby-semantics/text/inspect.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { Default, type Value } from '../../values/value.ts'
import { toText } from './text.ts'

/** Ruby's `to_s` of a value, used by `join`, `sprintf` and `md5`. */
export function formatAsString(value: Value): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (Array.isArray(value) || value instanceof Hash) return inspectValue(value)
  if (value instanceof Regexp) return formatRubyRegexp(value.source)
  return toText(value)
}

/** Ruby's `inspect` of a value, used inside the text of arrays and hashes. */
export function inspectValue(value: Value): string {
  if (value === undefined) return 'nil'
  if (typeof value === 'string') return inspectText(value)
  if (Array.isArray(value)) return `[${value.map(inspectValue).join(', ')}]`
  if (value instanceof Hash)
    return `{${Array.from(value, ([key, item]) => `${inspectValue(key)}=>${inspectValue(item)}`).join(', ')}}`
  if (value instanceof Regexp) return value.inspect()
  if (value instanceof Default) return ':default'
  return formatAsString(value)
}
