import { floatText } from '../../../base/text/float-text.ts'
import type { Data, DataForm } from './data-form.ts'

/** A Float, which `1.0` is and `1` is not. */
export class PlainFloat {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toString(): string {
    return floatText(this.value)
  }
}

/** A symbol, which equals no text. */
export class PlainSymbol {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** As Ruby's `inspect` shows it. */
  toString(): string {
    return `:${this.name}`
  }
}

/** Data whose classes are Ruby's, for readers that tell a symbol from a text, or `1` from `1.0`, as a key. */
export type PlainData = Data<PlainFloat | PlainSymbol | PlainHash>
/** A hash of Ruby's as a Map; keys that are objects, as arrays are, equal only themselves. */
export interface PlainHash extends ReadonlyMap<PlainData, PlainData> {}

/** The `DataForm` that makes `PlainData`; of equal scalars as keys the last value stays. */
export const plainForm: DataForm<PlainFloat | PlainSymbol | PlainHash> = {
  nil: undefined,
  float: (value) => new PlainFloat(value),
  hash: (entries) => new Map(entries),
  entriesOf: (data) => (data instanceof Map ? (data as PlainHash) : undefined),
}

/** The name of the class that data has in Ruby. */
export function classOf(data: PlainData): string {
  if (data === undefined) return 'NilClass'
  if (typeof data === 'boolean') return data ? 'TrueClass' : 'FalseClass'
  if (typeof data === 'string') return 'String'
  if (data instanceof PlainFloat) return 'Float'
  if (data instanceof PlainSymbol) return 'Symbol'
  if (typeof data !== 'object') return 'Integer'
  return Array.isArray(data) ? 'Array' : 'Hash'
}

/** Ruby's complaint about data that is to be a text. */
export function noText(data: PlainData): string {
  const kind = data === undefined ? 'nil' : typeof data === 'boolean' ? String(data) : classOf(data)
  return `no implicit conversion of ${kind} into String`
}
