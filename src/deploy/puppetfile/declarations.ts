import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonArray, checkJsonNumber, checkJsonString } from '../../base/json/json-checks.ts'
import { puppetfileIssues as issues } from './issues.ts'

/** A value in a Puppetfile; unsupported values are represented by their class. */
export type PuppetfileValue =
  | string
  | number
  | boolean
  | null
  | { readonly symbol: string }
  | { readonly options: ReadonlyMap<string, PuppetfileValue> }
  | { readonly other: string }

/** A statement in a Puppetfile, recorded when its Ruby code runs. */
export type PuppetfileDeclaration =
  | { readonly word: 'mod'; readonly line: number; readonly title: PuppetfileValue; readonly given: PuppetfileValue }
  | { readonly word: 'forge' | 'moduledir'; readonly line: number; readonly given: PuppetfileValue }

const { evaluated, declarations: most } = budgets.module

/** Maximum number of values in a declaration. A module has about ten options, each a pair of at most five values. */
const itemsOfOne = 200

/**
 * Parses the declarations that a Puppetfile's Ruby code recorded
 * (src/ruby/prelude/85_puppetfile.rb). Throws on invalid forms, since the Ruby code may have forged
 * them.
 */
export function parseDeclarations(json: string): readonly PuppetfileDeclaration[] {
  const bounds = { characters: evaluated.bound, items: most.bound * itemsOfOne }
  const notes = checkJsonArray(parseBoundedJson(json, bounds), 'the declarations of a Puppetfile')
  if (notes.length > most.bound) throwIssue(issues.PUPPETFILE_TOO_MUCH, { of: 'declarations', bound: most.bound })
  return notes.map((note) => {
    const [kind, at, ...values] = checkJsonArray(note, 'a declaration')
    const line = checkJsonNumber(at, 'a line')
    if (!Number.isInteger(line) || line < 1)
      throwIssue(issues.PUPPETFILE_NOT_TEXT, { what: 'a line', got: String(line) })
    const word = checkJsonString(kind, 'a word')
    if (word === 'mod') return { word, line, title: parseValue(values[0]), given: parseValue(values[1]) }
    if (word === 'forge' || word === 'moduledir') return { word, line, given: parseValue(values[0]) }
    return throwIssue(issues.PUPPETFILE_FAILED, {
      why: `unrecognized declaration '${word}'`,
      kind: 'NoMethodError',
      name: word,
    })
  })
}

function parseValue(value: unknown): PuppetfileValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (!Array.isArray(value)) return { other: 'Integer' }
  const [kind, content] = value as readonly unknown[]
  if (kind === 'symbol') return { symbol: checkJsonString(content, 'a symbol') }
  if (kind !== 'hash') return { other: checkJsonString(content, 'a class') }
  if (content === null) return { other: 'Hash' }
  const options = new Map<string, PuppetfileValue>()
  for (const pair of checkJsonArray(content, 'options')) {
    const [key, each] = checkJsonArray(pair, 'an option')
    options.set(formatKey(parseValue(key)), parseValue(each))
  }
  return { options }
}

/** Returns the name of a symbol key, as r10k uses it; for another key, Ruby's text, which equals no key of r10k. */
function formatKey(key: PuppetfileValue): string {
  if (typeof key === 'object' && key !== null) return 'symbol' in key ? key.symbol : describeValueType(key)
  return typeof key === 'string' ? `"${key}"` : String(key)
}

/** Describes a value for messages: `a Symbol`, `nil`. */
export function describeValueType(value: PuppetfileValue): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return 'a String'
  if (typeof value === 'number') return 'an Integer'
  if (typeof value === 'boolean') return String(value)
  if ('symbol' in value) return `:${value.symbol}`
  if ('options' in value) return 'a Hash'
  return `a ${value.other}`
}
