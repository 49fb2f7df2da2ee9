import { formatRubyFloat } from '../../../base/text/float-text.ts'
import type { DataForm, RubyData } from './data-form.ts'

/** A Float: distinguishes `1.0` from `1`. */
export class PlainFloat {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  toString(): string {
    return formatRubyFloat(this.value)
  }
}

/** A Ruby symbol; not equal to a string with the same text. */
export class PlainSymbol {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** Ruby's `inspect` of the symbol. */
  toString(): string {
    return `:${this.name}`
  }
}

/** Data that keeps Ruby's classes, for readers that distinguish symbols from strings, or `1` from `1.0` in keys. */
export type PlainData = RubyData<PlainFloat | PlainSymbol | PlainHash>
/** A Ruby hash as a Map. Keys that are objects, including arrays, are compared by identity. */
export interface PlainHash extends ReadonlyMap<PlainData, PlainData> {}

/** The `DataForm` that builds `PlainData`. Of entries with equal scalar keys, it keeps the last value. */
export const plainForm: DataForm<PlainFloat | PlainSymbol | PlainHash> = {
  nil: undefined,
  float: (value) => new PlainFloat(value),
  hash: (entries) => new Map(entries),
  entriesOf: (data) => (data instanceof Map ? (data as PlainHash) : undefined),
}

/** Name of the Ruby class of the data. */
export function getRubyClass(data: PlainData): string {
  if (data === undefined) return 'NilClass'
  if (typeof data === 'boolean') return data ? 'TrueClass' : 'FalseClass'
  if (typeof data === 'string') return 'String'
  if (data instanceof PlainFloat) return 'Float'
  if (data instanceof PlainSymbol) return 'Symbol'
  if (typeof data !== 'object') return 'Integer'
  return Array.isArray(data) ? 'Array' : 'Hash'
}

/** Ruby's error message for data that is not a string but is used as one. */
export function formatTypeError(data: PlainData): string {
  const kind = data === undefined ? 'nil' : typeof data === 'boolean' ? String(data) : getRubyClass(data)
  return `no implicit conversion of ${kind} into String`
}
