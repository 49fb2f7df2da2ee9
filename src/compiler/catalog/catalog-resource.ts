import { throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import type { Scope, ScopeResource } from '../../language/evaluator/scope.ts'
import { requireUtf8 } from '../../language/ruby-semantics/argument-error.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { isTag, tagIssues } from '../../model/tag.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import { getPrimaryNamevar, type NativeType } from '../code/native-types.ts'
import { failWithLocation } from '../request/issues.ts'
import { Tags } from './tags.ts'

/** A parameter of a resource, with the code that set it. */
export interface SetParameter {
  readonly value: Value
  /**
   * The class or defined type that set the parameter; only classes that inherit from it may override the parameter.
   * `undefined` if the code of another node set it.
   */
  readonly source: CodeDefinition | undefined
  readonly span: SourceSpan | undefined
}

/** The declaration of a resource. */
export interface ResourceOptions {
  /** Type as the declaration spells it: `file`, `apache::vhost`, `class`, `node`. */
  readonly type: string
  readonly title: string
  readonly titleValue?: Value
  readonly definition: CodeDefinition | NativeType
  /** Scope that contains the declaration. */
  readonly scope: Scope
  readonly source: CodeDefinition
  readonly span: SourceSpan | undefined
  readonly virtual?: boolean
  readonly exported?: boolean
  readonly origin?: string
}

/** A resource of the catalog under construction. */
export class CatalogResource implements ScopeResource {
  /** Type name with each segment capitalized. */
  readonly type: string
  readonly title: string
  /** Value of `$title`: a number if `create_resources` was given one. */
  readonly titleValue: Value
  readonly definition: CodeDefinition | NativeType
  readonly scope: Scope
  readonly source: CodeDefinition
  readonly span: SourceSpan | undefined
  readonly exported: boolean
  /** Identifies the resource on the node that exported it; set for a collected resource only. */
  readonly origin: string | undefined
  /** Reference such as `File[/etc/motd]`. */
  readonly reference: string
  readonly #parameters = new Map<string, SetParameter>()
  #sensitive: Set<string> | undefined
  readonly tags = new Tags()
  virtual: boolean
  evaluated = false
  /** True after the tags of the container have been added. */
  tagged = false
  /** True after the types of the current parameters were checked. */
  checked = false

  constructor(options: ResourceOptions) {
    requireUtf8(options.title)
    this.type = capitalizeSegments(options.type)
    this.title = this.type === 'Class' ? formatClassTitle(options.title) : options.title
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

  /**
   * Returns the real name of a parameter. For a native type, `name` is an alias of its namevar, such as `path` for a
   * file.
   */
  parameterName(name: string): string {
    return name === 'name' && this.native ? getPrimaryNamevar(this.native) : name
  }

  /** Returns the value of a parameter; for the name `title`, returns the title. */
  get(name: string): Value {
    return name === 'title' ? this.title : this.#parameters.get(name)?.value
  }

  set(name: string, parameter: SetParameter): void {
    if (name === 'tag') this.tag(parameter.value)
    this.checked = false
    this.#parameters.set(name, parameter)
  }

  /** True if the parameter was given as Sensitive; its value is stored unwrapped. */
  isSensitive(name: string): boolean {
    return this.#sensitive?.has(name) ?? false
  }

  /** Replaces each Sensitive parameter by its unwrapped value. */
  unwrapSensitive(): void {
    for (const [name, { value }] of this.#parameters) {
      if (!(value instanceof Sensitive)) continue
      this.#sensitive ??= new Set()
      this.#sensitive.add(name)
      this.replace(name, value.unwrap())
    }
  }

  /** Replaces the value of a parameter; keeps the record of the code that set it. */
  replace(name: string, value: Value): void {
    this.checked = false
    this.#parameters.set(name, { ...this.#parameters.get(name)!, value })
  }

  /** Adds tags and the segments of qualified tags. Throws INVALID_TAG. */
  tag(value: Value): void {
    if (Array.isArray(value)) {
      for (const each of value) this.tag(each)
    } else if (value !== undefined) {
      const name = toText(value).toLowerCase()
      if (!isTag(name)) this.#refuseTag(name)
      this.addTag(name)
    }
  }

  /** Throws INVALID_TAG, with the location of the resource's declaration. */
  #refuseTag(name: string): never {
    return this.span
      ? failWithLocation(tagIssues.INVALID_TAG, { name }, this.span)
      : throwIssue(tagIssues.INVALID_TAG, { name })
  }

  /** Adds a tag if it is valid. */
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

/** Title of the resource of a class; `main` for the main class. */
export function formatClassTitle(name: string): string {
  return name === '' || name === 'main' ? 'main' : capitalizeSegments(name.replace(/^::/, ''))
}
