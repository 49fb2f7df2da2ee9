import { formatRubyFloat } from '../../../base/text/float-text.ts'
import { inspectText } from '../text/inspect.ts'
import type { DataForm, RubyData } from './data-form.ts'
import { PlainSymbol } from './plain-form.ts'

/** Formats data like Ruby's `to_s`. */
export function formatData<Own>(data: RubyData<Own>, form: DataForm<Own>): string {
  if (typeof data === 'string') return data
  if (data instanceof PlainSymbol) return data.name
  return data === form.nil ? '' : inspectData(data, form)
}

/** Formats data like Ruby's `inspect`. */
export function inspectData<Own>(data: RubyData<Own>, form: DataForm<Own>): string {
  if (data === form.nil) return 'nil'
  if (typeof data === 'string') return inspectText(data)
  if (Array.isArray(data)) return `[${data.map((each) => inspectData(each, form)).join(', ')}]`
  const entries = form.entriesOf(data)
  if (entries)
    return `{${Array.from(entries, (entry) => entry.map((each) => inspectData(each, form)).join('=>')).join(', ')}}`
  const isFloat = data instanceof Number || (typeof data === 'number' && !Number.isInteger(data))
  return isFloat ? formatRubyFloat(Number(data)) : String(data)
}
