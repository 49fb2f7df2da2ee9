import { basename } from 'node:path'
import type { Token, TokenType } from '../tokens/token.ts'
import { type Definition, findDefinitions } from './definitions.ts'
import { createMeter, type Meter } from './meter.ts'
import { findResources, type Resource } from './resources.ts'
import { findTitles } from './titles.ts'
import type { TokenIndex } from './token-index.ts'

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
  readonly text: string
  readonly tokens: readonly Token[]
  readonly options: CheckOptions
  readonly index: TokenIndex
  readonly meter: Meter = createMeter()
  #classes: readonly Definition[] | undefined
  #definedTypes: readonly Definition[] | undefined
  #resources: readonly Resource[] | undefined
  #titles: readonly Token[] | undefined

  constructor({ path, fullPath, text }: CheckedFile, index: TokenIndex, options: CheckOptions) {
    this.path = path
    this.fullPath = fullPath
    this.filename = basename(path)
    this.text = text
    this.tokens = index.tokens
    this.index = index
    this.options = options
  }

  get classes(): readonly Definition[] {
    this.#classes ??= findDefinitions('CLASS', this.index, this.meter)
    return this.#classes
  }

  get definedTypes(): readonly Definition[] {
    this.#definedTypes ??= findDefinitions('DEFINE', this.index, this.meter)
    return this.#definedTypes
  }

  /** Classes, then defined types. */
  get definitions(): readonly Definition[] {
    return [...this.classes, ...this.definedTypes]
  }

  /** The resources. Throws SyntaxFault if one has no end. */
  get resources(): readonly Resource[] {
    this.#resources ??= findResources(this.index, this.meter)
    return this.#resources
  }

  get titles(): readonly Token[] {
    this.#titles ??= findTitles(this.index, this.meter)
    return this.#titles
  }

  /** The tokens of some types, in order. */
  select(...types: readonly TokenType[]): readonly Token[] {
    return this.index.select(...types)
  }
}
