import { Hash } from '../values/hash.ts'
import { toText } from '../values/print.ts'
import { Regexp } from '../values/regexp.ts'
import { rubyRegexpText } from '../values/ruby-regexp/text.ts'
import { Default, type Value } from '../values/value.ts'

/** What Ruby's `to_s` makes of a value: what `join`, `sprintf` and `md5` see. */
export function rubyText(value: Value): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (Array.isArray(value) || value instanceof Hash) return rubyInspect(value)
  if (value instanceof Regexp) return rubyRegexpText(value.source)
  return toText(value)
}

/** What Ruby's `inspect` makes of a value, as it stands inside an array's or a hash's text. */
export function rubyInspect(value: Value): string {
  if (value === undefined) return 'nil'
  if (typeof value === 'string') return inspectText(value)
  if (Array.isArray(value)) return `[${value.map(rubyInspect).join(', ')}]`
  if (value instanceof Hash)
    return `{${Array.from(value, ([key, item]) => `${rubyInspect(key)}=>${rubyInspect(item)}`).join(', ')}}`
  if (value instanceof Regexp) return value.inspect()
  if (value instanceof Default) return ':default'
  return rubyText(value)
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\x07': '\\a',
  '\x1b': '\\e',
}

/** Ruby's `String#inspect`; `#` is escaped where it would begin an interpolation. */
function inspectText(text: string): string {
  const body = text
    .replace(/["\\\n\t\r\f\v\x08\x07\x1b]/g, (found) => escapes[found]!)
    .replace(/#(?=[{$@])/g, '\\#')
    .replace(/[\0-\x1f\x7f-\x9f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
  return `"${body}"`
}
