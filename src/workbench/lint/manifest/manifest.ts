import { basename } from 'node:path'
import type { Token, TokenType } from '../tokens/token.ts'
import { type Definition, findDefinitions } from './definitions.ts'
import { createMeter, type Meter } from './meter.ts'
import { findResources, type Resource } from './resources.ts'
import { findTitles } from './titles.ts'

/** A file that is checked. */
export interface CheckedFile {
  /** The path as given. */
  readonly path: string
  readonly fullPath: string
  readonly text: string
}

/** Options that change the results of checks. */
export interface CheckOptions {
  /** Compare paths of classes without the name of the module's folder. */
  readonly relative?: boolean
  /** Top-scope variables that are not facts. */
  readonly topScopeVariables?: readonly string[]
}

/** A manifest as checks see it: its tokens, and the definitions and resources among them. */
export class Manifest {
  readonly path: string
  readonly fullPath: string
  readonly filename: string
  /** The lines of the file, without line feeds. */
  readonly lines: readonly string[]
  readonly tokens: readonly Token[]
  readonly options: CheckOptions
  readonly meter: Meter = createMeter()
  #classes: readonly Definition[] | undefined
  #definedTypes: readonly Definition[] | undefined
  #resources: readonly Resource[] | undefined
  #titles: readonly Token[] | undefined
  #byType: ReadonlyMap<TokenType, readonly Token[]> | undefined

  constructor({ path, fullPath, text }: CheckedFile, tokens: readonly Token[], options: CheckOptions) {
    this.path = path
    this.fullPath = fullPath
    this.filename = basename(path)
    this.lines = text.split('\n')
    this.tokens = tokens
    this.options = options
  }

  get classes(): readonly Definition[] {
    this.#classes ??= findDefinitions('CLASS', this.tokens, this.meter)
    return this.#classes
  }

  get definedTypes(): readonly Definition[] {
    this.#definedTypes ??= findDefinitions('DEFINE', this.tokens, this.meter)
    return this.#definedTypes
  }

  /** Classes, then defined types. */
  get definitions(): readonly Definition[] {
    return [...this.classes, ...this.definedTypes]
  }

  /** The resources. Throws SyntaxFault if one has no end. */
  get resources(): readonly Resource[] {
    this.#resources ??= findResources(this.tokens, this.meter)
    return this.#resources
  }

  get titles(): readonly Token[] {
    this.#titles ??= findTitles(this.tokens, this.meter)
    return this.#titles
  }

  /** The tokens of some types, in order. */
  select(...types: readonly TokenType[]): readonly Token[] {
    this.#byType ??= groupByType(this.tokens)
    const groups = types.map((type) => this.#byType?.get(type) ?? []).filter(({ length }) => length > 0)
    if (groups.length < 2) return groups[0] ?? []
    return groups.flat().sort((left, right) => left.index - right.index)
  }

  /** The tokens of a definition, from its keyword to its closing brace. */
  tokensOf({ start, end }: Pick<Definition, 'start' | 'end'>): readonly Token[] {
    this.meter.spend(end - start)
    return this.tokens.slice(start, end + 1)
  }
}

function groupByType(tokens: readonly Token[]): ReadonlyMap<TokenType, readonly Token[]> {
  const groups = new Map<TokenType, Token[]>()
  for (const token of tokens) {
    const group = groups.get(token.type)
    if (group) group.push(token)
    else groups.set(token.type, [token])
  }
  return groups
}
