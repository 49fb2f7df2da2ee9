import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
} from 'yaml'
import type { ExactJson } from '../../base/exact-json.ts'
import { positionOf } from '../../base/source.ts'
import { Float } from './float.ts'
import { Hash } from './hash.ts'
import { normalizeInteger } from './integer.ts'
import type { Value } from './value.ts'
import { toRichData } from './write-rich-data.ts'

/** Text that is no YAML, or asks for what data may not be; `message` says it with line and column. */
export class YamlError extends Error {}

/**
 * Reads YAML as Ruby's Psych reads data for Puppet: YAML 1.1, so that `yes` is true and `0644` is 420; aliases and merge
 * keys; symbols as their names; no objects; no dates, unless they are to stay text. An empty document is `undefined`.
 * Throws YamlError.
 */
export function parseYaml(text: string, dates: Dates = 'refused'): Value {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, strict: false })
  // Of several documents Psych reads the first.
  const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS')
  if (error) {
    const { line, column } = positionOf({ file: undefined, text }, error.pos[0])
    throw new YamlError(`${error.message} at line ${line} column ${column}`)
  }
  return new Reader(document, dates).value(document.contents, 0)
}

/** The same as JSON: keys that are no strings become strings. */
export function yamlToJson(text: string, dates?: Dates): ExactJson {
  return toRichData(parseYaml(text, dates), { richData: false, warn: () => {} })
}

type Dates = 'refused' | 'text'

/** How many values may stand for aliases: a few lines of them can say more than any memory holds. */
const mostAliased = 1_000_000

class Reader {
  readonly #document: Document
  readonly #dates: Dates
  #aliased = 0
  #insideAlias = false

  constructor(document: Document, dates: Dates) {
    this.#document = document
    this.#dates = dates
  }

  value(node: unknown, depth: number): Value {
    if (depth > 200) throw new YamlError('nested too deeply')
    if (this.#insideAlias && ++this.#aliased > mostAliased) throw new YamlError('aliases stand for too many values')
    if (node === null || node === undefined) return undefined
    if (isAlias(node)) return this.#aliasedValue(node, depth)
    if (isScalar(node)) return scalarValue(node, this.#dates)
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1))
    if (isMap(node)) return this.#hash(node.items as Pair<Node, Node | null>[], depth)
    throw new YamlError('not a YAML node')
  }

  #aliasedValue(node: Alias, depth: number): Value {
    const target = node.resolve(this.#document)
    if (!target) throw new YamlError(`Unknown alias: ${node.source}`)
    const outer = this.#insideAlias
    this.#insideAlias = true
    const value = this.value(target, depth + 1)
    this.#insideAlias = outer
    return value
  }

  /** A merge key merges where it stands: what came before gives way to it, what comes after wins. */
  #hash(pairs: readonly Pair<Node, Node | null>[], depth: number): Hash {
    const entries: (readonly [Value, Value])[] = []
    for (const { key, value } of pairs) {
      const item = this.value(value, depth + 1)
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') entries.push(...mergedEntries(item))
      else entries.push([this.value(key, depth + 1), item])
    }
    return Hash.of(entries)
  }
}

function mergedEntries(value: Value): (readonly [Value, Value])[] {
  if (value instanceof Hash) return [...value]
  if (Array.isArray(value) && value.every((each) => each instanceof Hash))
    return [...value].reverse().flatMap((each) => [...(each as Hash)])
  return [['<<', value]]
}

function scalarValue(node: Scalar, dates: Dates): Value {
  const text = node.source ?? String(node.value ?? '')
  const tag = node.tag?.replace(/^tag:yaml\.org,2002:|^!!/, '')
  if (tag === 'binary') return Buffer.from(text, 'base64').toString('utf8')
  if (tag === 'int' || tag === 'float') return plainValue(text, dates)
  if (tag !== undefined && tag !== '' && tag !== '?') return text
  return node.type === 'PLAIN' ? plainValue(text, dates) : text
}

const booleans: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  on: true,
  no: false,
  false: false,
  off: false,
}

/** What a scalar without quotes means. Ruby: psych/scalar_scanner.rb. */
function plainValue(text: string, dates: Dates): Value {
  if (text === '' || text === '~' || /^(null|Null|NULL)$/.test(text)) return undefined
  if (/^(yes|true|on|no|false|off)$/i.test(text)) return booleans[text.toLowerCase()]
  if (/^:./.test(text)) return text.replace(/^:(['"]?)(.*)\1$/s, '$2')
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return new Float(text.startsWith('-') ? -Infinity : Infinity)
  if (/^\.(nan|NaN|NAN)$/.test(text)) return new Float(Number.NaN)
  if (dates === 'refused') refuseTimes(text)
  return numberFrom(text) ?? text
}

function refuseTimes(text: string): void {
  if (/^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/.test(text))
    throw new YamlError('Tried to load unspecified class: Time')
  if (/^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$/.test(text))
    throw new YamlError('Tried to load unspecified class: Date')
}

function numberFrom(text: string): Value {
  const bare = text.replace(/[_,]/g, '')
  const sign = bare.startsWith('-') ? -1n : 1n
  const digits = bare.replace(/^[-+]/, '')
  if (/^[-+]?(0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)$/.test(text)) return normalizeInteger(sign * BigInt(digits))
  if (/^[-+]?0[0-7_,]+$/.test(text)) return normalizeInteger(sign * BigInt(`0o${digits}`))
  if (/^[-+]?0x[0-9a-fA-F_,]+$/.test(text)) return normalizeInteger(sign * BigInt(digits))
  if (/^[-+]?0b[01_,]+$/.test(text)) return normalizeInteger(sign * BigInt(digits))
  if (/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$/.test(text)) return normalizeInteger(sign * BigInt(sexagesimal(digits)))
  if (/^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$/.test(text)) return new Float(Number(sign) * sexagesimal(digits))
  if (/^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$/.test(text) && /\d/.test(text))
    return new Float(Number(bare))
  return undefined
}

/** Psych takes two parts for hours and minutes: `1:30` is 5400. */
function sexagesimal(text: string): number {
  return text
    .replaceAll('_', '')
    .split(':')
    .reduce((sum, part, index) => sum + Number(part) * 60 ** Math.abs(index - 2), 0)
}
