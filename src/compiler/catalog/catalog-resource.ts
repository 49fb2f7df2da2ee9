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

/** A parameter of a resource, with the code that set it. */
export interface SetParameter {
  readonly value: Value
  /**
   * The class or define that set it; only its heirs may override it. `undefined` for code of
   * another node.
   */
  readonly source: CodeDefinition | undefined
  readonly span: Span | undefined
}

/** The declaration of a resource. */
export interface ResourceOptions {
  /** As declared: `file`, `apache::vhost`, `class`, `node`. */
  readonly type: string
  readonly title: string
  readonly titleValue?: Value
  readonly definition: CodeDefinition | NativeType
  /** Scope of the declaration. */
  readonly scope: Scope
  readonly source: CodeDefinition
  readonly span: Span | undefined
  readonly virtual?: boolean
  readonly exported?: boolean
  readonly origin?: string
}

/** A resource of the catalog under construction. */
export class CatalogResource implements ScopeResource {
  /** Capitalized. */
  readonly type: string
  readonly title: string
  /** Value of `$title`: a number if `create_resources` was given one. */
  readonly titleValue: Value
  readonly definition: CodeDefinition | NativeType
  readonly scope: Scope
  readonly source: CodeDefinition
  readonly span: Span | undefined
  readonly exported: boolean
  /** Identifies the export of another node, for a collected resource. */
  readonly origin: string | undefined
  /** `File[/etc/motd]` */
  readonly reference: string
  readonly #parameters = new Map<string, SetParameter>()
  #sensitive: Set<string> | undefined
  readonly tags = new Tags()
  virtual: boolean
  evaluated = false
  /** True after the container's tags were added. */
  tagged = false
  /** True after the current parameters were type-checked. */
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

  /**
   * Name of a parameter in this resource: for `name`, the namevar of a native type, such as `path`
   * for a file.
   */
  parameterName(name: string): string {
    return name === 'name' && this.native ? namevarOf(this.native) : name
  }

  /** Value of a parameter; includes the title. */
  get(name: string): Value {
    return name === 'title' ? this.title : this.#parameters.get(name)?.value
  }

  set(name: string, parameter: SetParameter): void {
    if (name === 'tag') this.tag(parameter.value)
    this.checked = false
    this.#parameters.set(name, parameter)
  }

  /** True for a parameter given as Sensitive and stored unwrapped. */
  isSensitive(name: string): boolean {
    return this.#sensitive?.has(name) ?? false
  }

  /** Unwraps Sensitive parameters. */
  unwrapSensitive(): void {
    for (const [name, { value }] of this.#parameters) {
      if (!(value instanceof Sensitive)) continue
      this.#sensitive ??= new Set()
      this.#sensitive.add(name)
      this.replace(name, value.unwrap())
    }
  }

  /** Replaces the value of a parameter; the record of who set it is kept. */
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

  /** Throws INVALID_TAG with the location of the declaration. */
  #refuseTag(name: string): never {
    return this.span ? failVerbatim(tagIssues.INVALID_TAG, { name }, this.span) : fail(tagIssues.INVALID_TAG, { name })
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

/** Title of a class; `main` for the main class. */
export function titleOfClass(name: string): string {
  return name === '' || name === 'main' ? 'main' : capitalizeSegments(name.replace(/^::/, ''))
}
