import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { list, number, text } from '../../base/json/wire.ts'
import { puppetfileIssues as issues } from './issues.ts'

/** A value of a Puppetfile, as far as one can be meant: all else is known by its class. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | { readonly symbol: string }
  | { readonly options: ReadonlyMap<string, Plain> }
  | { readonly other: string }

/** A word of a Puppetfile, as Ruby came by it. */
export type Declaration =
  | { readonly word: 'mod'; readonly line: number; readonly title: Plain; readonly given: Plain }
  | { readonly word: 'forge' | 'moduledir'; readonly line: number; readonly given: Plain }

const { evaluated, declarations: most } = budgets.module

/** Values of one declaration: a module has some ten options, each a pair of at most five values. */
const itemsOfOne = 200

/**
 * The notes of a Puppetfile's Ruby (src/ruby/prelude/85_puppetfile.rb), which that Ruby may have written itself.
 * Throws for what has another form.
 */
export function declarationsFrom(json: string): readonly Declaration[] {
  const bounds = { characters: evaluated.bound, items: most.bound * itemsOfOne }
  const notes = list(parseBoundedJson(json, bounds), 'what a Puppetfile declares')
  if (notes.length > most.bound) fail(issues.PUPPETFILE_TOO_MUCH, { of: 'declarations', bound: most.bound })
  return notes.map((note) => {
    const [kind, at, ...values] = list(note, 'a declaration')
    const line = number(at, 'a line')
    if (!Number.isInteger(line) || line < 1) fail(issues.PUPPETFILE_NOT_TEXT, { what: 'a line', got: String(line) })
    const word = text(kind, 'a word')
    if (word === 'mod') return { word, line, title: plainFrom(values[0]), given: plainFrom(values[1]) }
    if (word === 'forge' || word === 'moduledir') return { word, line, given: plainFrom(values[0]) }
    return fail(issues.PUPPETFILE_FAILED, {
      why: `unrecognized declaration '${word}'`,
      kind: 'NoMethodError',
      name: word,
    })
  })
}

function plainFrom(value: unknown): Plain {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (!Array.isArray(value)) return { other: 'Integer' }
  const [kind, content] = value as readonly unknown[]
  if (kind === 'symbol') return { symbol: text(content, 'a symbol') }
  if (kind !== 'hash') return { other: text(content, 'a class') }
  if (content === null) return { other: 'Hash' }
  const options = new Map<string, Plain>()
  for (const pair of list(content, 'options')) {
    const [key, each] = list(pair, 'an option')
    options.set(keyText(plainFrom(key)), plainFrom(each))
  }
  return { options }
}

/** A symbol by its name, as r10k's keys are; any other key as Ruby shows it, which is no key of r10k's. */
function keyText(key: Plain): string {
  if (typeof key === 'object' && key !== null) return 'symbol' in key ? key.symbol : kindOf(key)
  return typeof key === 'string' ? `"${key}"` : String(key)
}

/** A value for people: `a Symbol`, `nil`. */
export function kindOf(value: Plain): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return 'a String'
  if (typeof value === 'number') return 'an Integer'
  if (typeof value === 'boolean') return String(value)
  if ('symbol' in value) return `:${value.symbol}`
  if ('options' in value) return 'a Hash'
  return `a ${value.other}`
}
