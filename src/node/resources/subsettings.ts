import { parseLeadingInteger } from '../../language/ruby-semantics/numbers/number-parsing.ts'
import { findAllMatches } from '../../language/ruby-semantics/regexp/match.ts'
import { stripBlanks } from '../../language/ruby-semantics/text/strip.ts'

/** Separators and quotes of a setting's parts. */
export interface PartStyle {
  readonly separator: string
  /** Separator between the name and the value of a part. */
  readonly valueSeparator: string
  /** Quote around the whole value, if the value has no quotes yet. */
  readonly quote: string
}

/** A position in the list of parts. */
export interface PartPlace {
  readonly type: 'start' | 'end' | 'before' | 'after' | 'index'
  /** The neighboring part, or the index. */
  readonly value: string | undefined
}

/** The parts of a setting's value: `-Xmx512m -Xms64m` (Puppet: inifile's util/setting_value.rb). */
export class SettingParts {
  readonly #style: PartStyle
  readonly #quote: string
  /** True if parts are only names, compared as a whole. */
  readonly #isExact: boolean
  #items: string[] = []

  constructor(value: string | undefined, style: PartStyle, isExact: boolean) {
    this.#style = style
    this.#isExact = isExact
    const quote =
      value === undefined ? undefined : ['"', "'"].find((each) => value.startsWith(each) && value.endsWith(each))
    this.#quote = quote ?? style.quote
    if (value === undefined) return
    const bare = quote === undefined ? value : value.slice(1, -1)
    // As in inifile, the separator is inserted into a character class with its first character
    // escaped.
    const items = findAllMatches({ source: `(?:(?:[^\\${style.separator}]|\\.)+)` }, bare)
    this.#items = items.map(({ groups }) => stripBlanks(groups[0]!))
  }

  get isEmpty(): boolean {
    return this.toString() === ''
  }

  has(name: string): boolean {
    return this.#indexOf(name) >= 0
  }

  /** The value of the first part with this name. */
  get(name: string): string | undefined {
    const start = name + this.#style.valueSeparator
    return this.#items.find((item) => item.startsWith(start))?.slice(start.length)
  }

  /** Sets all parts with this name, or inserts a new one at a position. */
  set(name: string, value: string, { type, value: other = '' }: PartPlace): void {
    const item = name + this.#style.valueSeparator + value
    if (this.has(name)) {
      this.#items = this.#items.map((each) => (this.#is(each, name) ? item : each))
      return
    }
    const length = this.#items.length
    const beside = this.#indexOf(other)
    if (type === 'start') this.#items.unshift(item)
    else if (type === 'before' && beside >= 0) this.#items.splice(beside, 0, item)
    else if (type === 'after' && beside >= 0) this.#items.splice(beside + 1, 0, item)
    else if (type === 'index') this.#items.splice(toInsertIndex(Number(parseLeadingInteger(other)), length), 0, item)
    else this.#items.push(item)
  }

  remove(name: string): void {
    this.#items = this.#items.filter((item) => !this.#is(item, name))
  }

  toString(): string {
    return `${this.#quote}${this.#items.join(this.#style.separator)}${this.#quote}`
  }

  #indexOf(name: string): number {
    return this.#items.findIndex((item) => this.#is(item, name))
  }

  #is(item: string, name: string): boolean {
    return this.#isExact ? item === name : item.startsWith(name + this.#style.valueSeparator)
  }
}

/** Index as in Ruby's `insert`: negative values count from the end. */
function toInsertIndex(index: number, length: number): number {
  if (index > length) return length
  if (index >= 0) return index
  if (index < -length - 1) throw new Error(`index ${index + 1} too small for array; minimum: -${length + 1}`)
  return length + index + 1
}
