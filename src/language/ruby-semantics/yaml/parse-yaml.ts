import type { Mark } from './cursor.ts'
import type { YamlNode } from './node.ts'
import { YamlScanner } from './scanner.ts'
import type { YamlToken } from './token.ts'
import { createPlacelessError, createYamlError, YamlError } from './yaml-error.ts'

/**
 * Parses the first document by the rules of libyaml 0.2.5 (parser.c), with libyaml's errors; `undefined` if the text
 * contains no document. Throws YamlError.
 */
export function parseYamlDocument(text: string): YamlNode | undefined {
  return new Parser(new YamlScanner(text)).document()
}

/** Same as `parseYamlDocument`; also throws YamlError if the text contains another document. */
export function parseOnlyYamlDocument(text: string): YamlNode | undefined {
  const parser = new Parser(new YamlScanner(text))
  const document = parser.document()
  parser.end()
  return document
}

const deepest = 200

type Kind = YamlToken['kind']
type Properties = { readonly anchor: string | undefined; readonly tag: string | undefined }

const noProperties: Properties = { anchor: undefined, tag: undefined }

class Parser {
  readonly #scanner: YamlScanner
  readonly #handles = new Map([
    ['!', '!'],
    ['!!', 'tag:yaml.org,2002:'],
  ])
  #depth = 0

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner
  }

  document(): YamlNode | undefined {
    if (this.#isNext('stream-end')) return undefined
    const directives = this.#directives()
    if (!this.#isNext('document-start')) {
      if (directives > 0) throw createPlacelessError('did not find expected <document start>', this.#mark.index)
      return this.#ended(this.#node({ block: true }))
    }
    this.#scanner.next()
    const isEmpty = this.#isNext('version-directive', 'tag-directive', 'document-start', 'document-end', 'stream-end')
    return this.#ended(isEmpty ? createEmptyNode() : this.#node({ block: true }))
  }

  /** Throws YamlError if the document is not the last one. */
  end(): void {
    let hasEndMark = true
    while (hasEndMark) hasEndMark = this.#skip('document-end')
    if (!this.#isNext('stream-end')) throw new YamlError('several documents are not supported', this.#mark.index)
  }

  /** Ends a document; the parser detects its end at the next token. */
  #ended(node: YamlNode): YamlNode {
    this.#scanner.peek()
    return node
  }

  #isNext(...kinds: readonly Kind[]): boolean {
    return kinds.includes(this.#scanner.peek().kind)
  }

  #skip(kind: Kind): boolean {
    if (!this.#isNext(kind)) return false
    this.#scanner.next()
    return true
  }

  get #mark(): Mark {
    return this.#scanner.peek().mark
  }

  #directives(): number {
    const seen = new Set<string>()
    let versions = 0
    for (;;) {
      const token = this.#scanner.peek()
      if (token.kind === 'version-directive') {
        if (versions++ > 0) throw createPlacelessError('found duplicate %YAML directive', token.mark.index)
        if (token.major !== 1 || token.minor < 1 || token.minor > 2)
          throw createPlacelessError('found incompatible YAML document', token.mark.index)
      } else if (token.kind === 'tag-directive') {
        if (seen.has(token.handle)) throw createPlacelessError('found duplicate %TAG directive', token.mark.index)
        seen.add(token.handle)
        this.#handles.set(token.handle, token.suffix)
      } else return versions + seen.size
      this.#scanner.next()
    }
  }

  #node(where: { block?: boolean; indentless?: boolean }): YamlNode {
    if (this.#depth >= deepest) throw new YamlError('nested too deeply', this.#mark.index)
    this.#depth++
    const node = this.#nodeAt(where)
    this.#depth--
    return node
  }

  #nodeAt({ block = false, indentless = false }: { block?: boolean; indentless?: boolean }): YamlNode {
    const { mark } = this.#scanner.peek()
    const alias = this.#scanner.peek()
    if (alias.kind === 'alias') {
      this.#scanner.next()
      return { kind: 'alias', name: alias.name }
    }
    const properties = this.#properties(mark)
    const token = this.#scanner.peek()
    if (token.kind === 'block-entry' && indentless)
      return { kind: 'sequence', ...properties, items: this.#indentlessItems() }
    if (token.kind === 'scalar') {
      this.#scanner.next()
      const { value, plain } = token
      // The tag `!`, like all other tags, overrides the meaning of quotes. Ruby: psych/parser.c, `quoted_implicit`.
      if (properties.tag === '!')
        return { kind: 'scalar', anchor: properties.anchor, tag: undefined, value, quoted: false }
      return { kind: 'scalar', ...properties, value, quoted: !plain && properties.tag === undefined }
    }
    if (token.kind === 'flow-sequence-start') return { kind: 'sequence', ...properties, items: this.#flowItems() }
    if (token.kind === 'flow-mapping-start') return { kind: 'mapping', ...properties, pairs: this.#flowPairs() }
    if (token.kind === 'block-sequence-start' && block)
      return { kind: 'sequence', ...properties, items: this.#blockItems() }
    if (token.kind === 'block-mapping-start' && block)
      return { kind: 'mapping', ...properties, pairs: this.#blockPairs() }
    if (properties.anchor !== undefined || properties.tag !== undefined) return createEmptyNode(properties)
    const context = block ? 'while parsing a block node' : 'while parsing a flow node'
    throw createYamlError('did not find expected node content', context, mark, token.mark)
  }

  #properties(start: Mark): Properties {
    let { anchor, tag } = noProperties
    for (;;) {
      const token = this.#scanner.peek()
      if (token.kind === 'anchor' && anchor === undefined) anchor = token.name
      else if (token.kind === 'tag' && tag === undefined) tag = this.#tag(token, start)
      else return { anchor, tag }
      this.#scanner.next()
    }
  }

  #tag({ handle, suffix, mark }: Extract<YamlToken, { kind: 'tag' | 'tag-directive' }>, start: Mark): string {
    if (handle === '') return suffix
    const prefix = this.#handles.get(handle)
    if (prefix === undefined) throw createYamlError('found undefined tag handle', 'while parsing a node', start, mark)
    return prefix + suffix
  }

  /** Parses a node. Returns an empty node if one of the tokens in `ends` comes first. */
  #nodeUnless(ends: readonly Kind[], where: { block?: boolean; indentless?: boolean }): YamlNode {
    return this.#isNext(...ends) ? createEmptyNode() : this.#node(where)
  }

  #blockItems(): readonly YamlNode[] {
    const { mark } = this.#scanner.next()
    const items: YamlNode[] = []
    while (this.#skip('block-entry')) items.push(this.#nodeUnless(['block-entry', 'block-end'], { block: true }))
    if (!this.#isNext('block-end'))
      throw createYamlError("did not find expected '-' indicator", 'while parsing a block collection', mark, this.#mark)
    this.#scanner.next()
    return items
  }

  #indentlessItems(): readonly YamlNode[] {
    const items: YamlNode[] = []
    while (this.#skip('block-entry'))
      items.push(this.#nodeUnless(['block-entry', 'key', 'value', 'block-end'], { block: true }))
    return items
  }

  #blockPairs(): readonly (readonly [YamlNode, YamlNode])[] {
    const { mark } = this.#scanner.next()
    const pairs: (readonly [YamlNode, YamlNode])[] = []
    const parsePart = () => this.#nodeUnless(['key', 'value', 'block-end'], { block: true, indentless: true })
    while (this.#skip('key')) pairs.push([parsePart(), this.#skip('value') ? parsePart() : createEmptyNode()])
    if (!this.#isNext('block-end'))
      throw createYamlError('did not find expected key', 'while parsing a block mapping', mark, this.#mark)
    this.#scanner.next()
    return pairs
  }

  #flowItems(): readonly YamlNode[] {
    const { mark } = this.#scanner.next()
    const items: YamlNode[] = []
    while (!this.#isNext('flow-sequence-end')) {
      if (items.length > 0 && !this.#skip('flow-entry'))
        throw createYamlError("did not find expected ',' or ']'", 'while parsing a flow sequence', mark, this.#mark)
      if (this.#skip('key')) items.push({ kind: 'mapping', ...noProperties, pairs: [this.#flowPair()] })
      else if (!this.#isNext('flow-sequence-end')) items.push(this.#node({}))
    }
    this.#scanner.next()
    return items
  }

  /** Parses a key-value pair inside a flow sequence. Like libyaml, skips the colon of a pair without a key. */
  #flowPair(): readonly [YamlNode, YamlNode] {
    const ends: readonly Kind[] = ['flow-entry', 'flow-sequence-end']
    if (this.#isNext('value', ...ends)) {
      this.#scanner.next()
      return [createEmptyNode(), this.#skip('value') ? this.#nodeUnless(ends, {}) : createEmptyNode()]
    }
    return [this.#node({}), this.#skip('value') ? this.#nodeUnless(ends, {}) : createEmptyNode()]
  }

  #flowPairs(): readonly (readonly [YamlNode, YamlNode])[] {
    const { mark } = this.#scanner.next()
    const pairs: (readonly [YamlNode, YamlNode])[] = []
    const ends: readonly Kind[] = ['flow-entry', 'flow-mapping-end']
    while (!this.#isNext('flow-mapping-end')) {
      if (pairs.length > 0 && !this.#skip('flow-entry'))
        throw createYamlError("did not find expected ',' or '}'", 'while parsing a flow mapping', mark, this.#mark)
      if (this.#skip('key')) {
        const key = this.#nodeUnless(['value', ...ends], {})
        pairs.push([key, this.#skip('value') ? this.#nodeUnless(ends, {}) : createEmptyNode()])
      } else if (!this.#isNext('flow-mapping-end')) pairs.push([this.#node({}), createEmptyNode()])
    }
    this.#scanner.next()
    return pairs
  }
}

function createEmptyNode(properties = noProperties): YamlNode {
  return { kind: 'scalar', ...properties, value: '', quoted: false }
}
