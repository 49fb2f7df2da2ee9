import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import type { DataForm, HashEntry, RubyData } from '../data/data-form.ts'
import { PlainFloat } from '../data/plain-form.ts'
import type { YamlNode } from './node.ts'
import { rejectObject } from './object-tags.ts'
import { parseYamlDocument } from './parse-yaml.ts'
import { type PermittedClasses, symbolsAsNames } from './permitted-classes.ts'
import { createSymbol, type PlainScalar, parsePlainScalar, parseRubyFloat } from './plain-scalar.ts'
import { YamlError } from './yaml-error.ts'

/**
 * Reads YAML like Psych's `safe_load`: YAML 1.1 (`yes` is true, `0644` is 420), with merge keys, and only permitted
 * classes. An empty document is nil. Throws YamlError.
 */
export function readYaml<Own>(
  text: string,
  form: DataForm<Own>,
  permitted: PermittedClasses<Own> = symbolsAsNames,
): RubyData<Own> {
  rejectInvalidUtf8(text)
  const node = parseYamlDocument(text)
  return node ? new Reader(form, permitted).value(removeRootTag(node, permitted.root)) : form.nil
}

/** Throws libyaml's error for text that is not UTF-8. */
function rejectInvalidUtf8(text: string): void {
  if (text.isWellFormed()) return
  const lines = text.slice(0, text.search(/[\ud800-\udfff]/u)).split('\n')
  const column = lines.at(-1)!.length + 1
  throw new YamlError(`invalid leading UTF-8 octet at line ${lines.length} column ${column}`)
}

/** Removes the permitted tag from the root of the document. */
function removeRootTag(node: YamlNode, root: string | undefined): YamlNode {
  return node.kind === 'mapping' && node.tag !== undefined && node.tag === root ? { ...node, tag: undefined } : node
}

/** Maximum number of values that aliases may expand to: a few lines of aliases could otherwise exhaust the memory. */
const mostAliased = 1_000_000
/** Number of characters that count as another value when the size of a scalar is calculated. */
const charactersOfValue = 64

/** The value of an anchor; `read` is absent until its node has been read. */
interface Anchored<Value> {
  read?: { readonly value: Value; readonly size: number }
}

class Reader<Own> {
  readonly #form: DataForm<Own>
  readonly #permitted: PermittedClasses<Own>
  readonly #anchors = new Map<string, Anchored<RubyData<Own>>>()
  /** Number of values read so far; the values of an alias count each time. */
  #size = 0
  #aliased = 0

  constructor(form: DataForm<Own>, permitted: PermittedClasses<Own>) {
    this.#form = form
    this.#permitted = permitted
  }

  value(node: YamlNode): RubyData<Own> {
    if (node.kind === 'alias') return this.#alias(node.name)
    const before = this.#size
    this.#size += node.kind === 'scalar' ? 1 + Math.floor(node.value.length / charactersOfValue) : 1
    const anchored: Anchored<RubyData<Own>> = {}
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, anchored)
    const value = this.#valueOf(node)
    anchored.read = { value, size: this.#size - before }
    return value
  }

  #alias(name: string): RubyData<Own> {
    const anchored = this.#permitted.aliases === false ? undefined : this.#anchors.get(name)
    if (!anchored) throw new YamlError(`Unknown alias: ${name}`)
    if (!anchored.read) throw new YamlError(`The alias ${name} is inside its own anchor`)
    const { value, size } = anchored.read
    this.#size += size
    this.#aliased += size
    if (this.#aliased > mostAliased) throw new YamlError('aliases expand to too many values')
    return value
  }

  #valueOf(node: Exclude<YamlNode, { kind: 'alias' }>): RubyData<Own> {
    if (node.kind === 'scalar') {
      const scalar = readScalar(node, this.#permitted)
      if (scalar instanceof PlainFloat) return this.#form.float(scalar.value)
      return scalar === undefined ? this.#form.nil : scalar
    }
    rejectObject(node.kind, node.tag)
    if (node.kind === 'mapping') return this.#hash(node)
    return isOrdered(node.tag) ? this.#orderedHash(node.items) : node.items.map((item) => this.value(item))
  }

  /**
   * Reads a mapping. A merge key takes effect at its position: its entries override earlier entries, and later entries
   * override them.
   */
  #hash({ pairs, tag }: Extract<YamlNode, { kind: 'mapping' }>): RubyData<Own> {
    const entries: HashEntry<Own>[] = []
    for (const pair of pairs) {
      const key = this.value(pair[0])
      const value = this.value(pair[1])
      const merges = key === '<<' && !(pair[0].kind !== 'alias' && pair[0].tag === 'tag:yaml.org,2002:str')
      if (merges) for (const entry of this.#mergedEntries(pair[1], value)) entries.push(entry)
      else entries.push([key, value])
    }
    if (tag !== undefined && stringTag.test(tag)) {
      const text = entries.findLast(([key]) => key === 'str')
      return text ? text[1] : this.#form.nil
    }
    return this.#form.hash(entries)
  }

  #mergedEntries(node: YamlNode, value: RubyData<Own>): Iterable<HashEntry<Own>> {
    if (node.kind !== 'sequence') return this.#form.entriesOf(value) ?? [['<<', value]]
    const hashes = Array.isArray(value) ? value.map((each) => this.#form.entriesOf(each)) : [undefined]
    if (!hashes.every((each) => each !== undefined)) return [['<<', value]]
    return hashes.reverse().flatMap((each) => [...each])
  }

  #orderedHash(items: readonly YamlNode[]): RubyData<Own> {
    return this.#form.hash(
      items.map((item): HashEntry<Own> => {
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

function readScalar<Own>(
  { value, tag, quoted }: Extract<YamlNode, { kind: 'scalar' }>,
  permitted: PermittedClasses<Own>,
): PlainScalar<Own> {
  if (quoted) return value
  if (tag === undefined) return parsePlainScalar(value, permitted)
  rejectObject('scalar', tag, value)
  if (tag === '!binary' || tag === 'tag:yaml.org,2002:binary') return decodeLosslessUtf8(Buffer.from(value, 'base64'))
  if (stringTag.test(tag)) return value
  if (/^!ruby\/sym/.test(tag)) return createSymbol(value, permitted)
  const plain = parsePlainScalar(value, permitted)
  if (tag !== '!float' && tag !== 'tag:yaml.org,2002:float') return plain
  if (plain instanceof PlainFloat) return plain
  if (typeof plain === 'number' || typeof plain === 'bigint') return new PlainFloat(Number(plain))
  if (typeof plain === 'string') return parseRubyFloat(plain)
  throw new YamlError("can't convert what is no number into Float")
}
