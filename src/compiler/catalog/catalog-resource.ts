import { fail } from '../../base/issue.ts'
import type { Span } from '../../base/source.ts'
import type { Scope, ScopeResource } from '../../language/evaluator/scope.ts'
import { requireUtf8 } from '../../language/ruby-semantics/argument-error.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { isTag, tagIssues } from '../../model/tag.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import { type NativeType, namevarOf } from '../code/native-types.ts'
import { failVerbatim } from '../request/issues.ts'
import { Tags } from './tags.ts'

/** A parameter of a resource, and who set it where. */
export interface SetParameter {
  readonly value: Value
  /** The code that set it: only heirs of that may override it. `undefined` for code of another node. */
  readonly source: CodeDefinition | undefined
  readonly span: Span | undefined
}

/** The declaration of a resource, from which its catalog entry is made. */
export interface ResourceOptions {
  /** As it is declared: `file`, `apache::vhost`, `class`, `node`. */
  readonly type: string
  readonly title: string
  readonly titleValue?: Value
  readonly definition: CodeDefinition | NativeType
  /** The scope of the declaration. */
  readonly scope: Scope
  readonly source: CodeDefinition
  readonly span: Span | undefined
  readonly virtual?: boolean
  readonly exported?: boolean
  readonly origin?: string
}

/** A resource of a catalog that is being made. */
export class CatalogResource implements ScopeResource {
  /** Capitalised. */
  readonly type: string
  readonly title: string
  /** The title as `$title` has it: a number, where `create_resources` was given one. */
  readonly titleValue: Value
  readonly definition: CodeDefinition | NativeType
  readonly scope: Scope
  readonly source: CodeDefinition
  readonly span: Span | undefined
  readonly exported: boolean
  /** Which export of another node this is, if it is one. */
  readonly origin: string | undefined
  /** `File[/etc/motd]` */
  readonly reference: string
  readonly #parameters = new Map<string, SetParameter>()
  #sensitive: Set<string> | undefined
  readonly tags = new Tags()
  virtual: boolean
  evaluated = false
  /** True once the tags of the resource's container were added. */
  tagged = false
  /** True once the present parameters were checked against their types. */
  checked = false

  constructor(options: ResourceOptions) {
    requireUtf8(options.title)
    this.type = capitalizeSegments(options.type)
    this.title = this.type === 'Class' ? titleOfClass(options.title) : options.title
    this.reference = `${this.type}[${this.title}]`
    this.titleValue = options.titleValue ?? this.title
    this.definition = options.definition
    this.scope = options.scope
    this.source = options.source
    this.span = options.span
    this.exported = options.exported ?? false
    this.origin = options.origin
    this.virtual = this.exported || (options.virtual ?? false)
  }

  get parameters(): ReadonlyMap<string, SetParameter> {
    return this.#parameters
  }

  get isClass(): boolean {
    return this.type === 'Class'
  }

  get native(): NativeType | undefined {
    return this.definition.kind === 'native' ? this.definition : undefined
  }

  /** The resource's own word for the parameter `name`: the namevar of a native type, such as `path` for a file. */
  parameterName(name: string): string {
    return name === 'name' && this.native ? namevarOf(this.native) : name
  }

  /** The value of a parameter; the title counts as one. */
  get(name: string): Value {
    return name === 'title' ? this.title : this.#parameters.get(name)?.value
  }

  set(name: string, parameter: SetParameter): void {
    if (name === 'tag') this.tag(parameter.value)
    this.checked = false
    this.#parameters.set(name, parameter)
  }

  /** True for a parameter that was given as Sensitive and is kept as a bare value. */
  isSensitive(name: string): boolean {
    return this.#sensitive?.has(name) ?? false
  }

  /** Takes the values of parameters that are Sensitive out of their wrappers. */
  unwrapSensitive(): void {
    for (const [name, { value }] of this.#parameters) {
      if (!(value instanceof Sensitive)) continue
      this.#sensitive ??= new Set()
      this.#sensitive.add(name)
      this.replace(name, value.unwrap())
    }
  }

  /** Puts another value in the place of a parameter's: who set it where stays. */
  replace(name: string, value: Value): void {
    this.checked = false
    this.#parameters.set(name, { ...this.#parameters.get(name)!, value })
  }

  /** Adds tags, and the segments of qualified ones. Throws INVALID_TAG. */
  tag(value: Value): void {
    if (Array.isArray(value)) {
      for (const each of value) this.tag(each)
    } else if (value !== undefined) {
      const name = toText(value).toLowerCase()
      if (!isTag(name)) this.#refuseTag(name)
      this.addTag(name)
    }
  }

  /** A resource that code declares says where that was. */
  #refuseTag(name: string): never {
    return this.span ? failVerbatim(tagIssues.INVALID_TAG, { name }, this.span) : fail(tagIssues.INVALID_TAG, { name })
  }

  /** Adds a tag if it is one. */
  tagIfValid(text: string): void {
    if (isTag(text)) this.addTag(text.toLowerCase())
  }

  addTag(name: string): void {
    if (this.tags.has(name)) return
    this.tags.add(name)
    if (name.includes('::')) for (const part of name.split('::')) this.tags.add(part)
  }

  toString(): string {
    return this.reference
  }
}

/** `main` for the class without a name. */
export function titleOfClass(name: string): string {
  return name === '' || name === 'main' ? 'main' : capitalizeSegments(name.replace(/^::/, ''))
}
