import type { ExactJson } from '../../base/exact-json.ts'
import { Float } from './float.ts'
import { Hash } from './hash.ts'
import type { Value } from './value.ts'
import { toRichData } from './write-rich-data.ts'
import type { YamlNode } from './yaml/node.ts'
import { parseYamlDocument } from './yaml/parse-yaml.ts'
import { type Dates, plainValue, rubyFloat } from './yaml/plain-scalar.ts'
import { refuseObject } from './yaml/tagged.ts'
import { YamlError } from './yaml/yaml-error.ts'

export { YamlError } from './yaml/yaml-error.ts'

/**
 * Reads YAML as Ruby's Psych reads data for Puppet: YAML 1.1, so that `yes` is true and `0644` is 420; aliases and merge
 * keys; symbols as their names; no objects; no dates, unless they are to stay text. An empty document is `undefined`.
 * Throws YamlError.
 */
export function parseYaml(text: string, dates: Dates = 'refused'): Value {
  const node = parseYamlDocument(text)
  return node && new Reader(dates).value(node)
}

/** The same as JSON: keys that are no strings become strings. */
export function yamlToJson(text: string, dates?: Dates): ExactJson {
  return toRichData(parseYaml(text, dates), { richData: false, warn: () => {} })
}

/** How many values may stand for aliases: a few lines of them can say more than any memory holds. */
const mostAliased = 1_000_000

type Pair = readonly [key: Value, value: Value]

/** What an anchor names; `read` is missing while its node is being read. */
interface Anchored {
  read?: { readonly value: Value; readonly size: number }
}

class Reader {
  readonly #dates: Dates
  readonly #anchors = new Map<string, Anchored>()
  /** How many values were read, those behind aliases counted again. */
  #size = 0
  #aliased = 0

  constructor(dates: Dates) {
    this.#dates = dates
  }

  value(node: YamlNode): Value {
    if (node.kind === 'alias') return this.#alias(node.name)
    const before = this.#size++
    const anchored: Anchored = {}
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, anchored)
    const value = this.#valueOf(node)
    anchored.read = { value, size: this.#size - before }
    return value
  }

  #alias(name: string): Value {
    const anchored = this.#anchors.get(name)
    if (!anchored) throw new YamlError(`Unknown alias: ${name}`)
    if (!anchored.read) throw new YamlError(`The alias ${name} stands within what it names`)
    const { value, size } = anchored.read
    this.#size += size
    this.#aliased += size
    if (this.#aliased > mostAliased) throw new YamlError('aliases stand for too many values')
    return value
  }

  #valueOf(node: Exclude<YamlNode, { kind: 'alias' }>): Value {
    if (node.kind === 'scalar') return scalarValue(node, this.#dates)
    refuseObject(node.kind, node.tag)
    if (node.kind === 'mapping') return this.#hash(node)
    return isOrdered(node.tag) ? this.#orderedHash(node.items) : node.items.map((item) => this.value(item))
  }

  /** A merge key merges where it stands: what came before gives way to it, what comes after wins. */
  #hash({ pairs, tag }: Extract<YamlNode, { kind: 'mapping' }>): Value {
    const entries: Pair[] = []
    for (const pair of pairs) {
      const key = this.value(pair[0])
      const value = this.value(pair[1])
      const merges = key === '<<' && !(pair[0].kind !== 'alias' && pair[0].tag === 'tag:yaml.org,2002:str')
      entries.push(...(merges ? mergedEntries(pair[1], value) : [[key, value] as const]))
    }
    const hash = Hash.of(entries)
    return tag !== undefined && stringTag.test(tag) ? hash.get('str') : hash
  }

  #orderedHash(items: readonly YamlNode[]): Value {
    return Hash.of(
      items.map((item): Pair => {
        const pair = item.kind === 'mapping' ? item.pairs[0] : undefined
        if (!pair) throw new YamlError('an ordered mapping is a sequence of mappings')
        return [this.value(pair[0]), this.value(pair[1])]
      }),
    )
  }
}

const stringTag = /^(?:!(?:str|ruby\/string):?|tag:yaml\.org,2002:str)$/

function isOrdered(tag: string | undefined): boolean {
  return tag === '!omap' || tag === 'tag:yaml.org,2002:omap'
}

function mergedEntries(node: YamlNode, value: Value): readonly Pair[] {
  if (node.kind !== 'sequence' && value instanceof Hash) return [...value]
  if (node.kind === 'sequence' && Array.isArray(value) && value.every((each) => each instanceof Hash))
    return [...value].reverse().flatMap((each) => [...(each as Hash)])
  return [['<<', value]]
}

function scalarValue({ value, tag, quoted }: Extract<YamlNode, { kind: 'scalar' }>, dates: Dates): Value {
  if (quoted) return value
  if (tag === undefined) return plainValue(value, dates)
  refuseObject('scalar', tag, value)
  if (tag === '!binary' || tag === 'tag:yaml.org,2002:binary') return Buffer.from(value, 'base64').toString('utf8')
  if (stringTag.test(tag) || /^!ruby\/sym/.test(tag)) return value
  const plain = plainValue(value, dates)
  if (tag !== '!float' && tag !== 'tag:yaml.org,2002:float') return plain
  if (plain instanceof Float) return plain
  if (typeof plain === 'number' || typeof plain === 'bigint') return new Float(Number(plain))
  if (typeof plain === 'string') return rubyFloat(plain)
  throw new YamlError("can't convert what is no number into Float")
}
