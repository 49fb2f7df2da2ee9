import { createDiagnostic, type Issue, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { findSensitive, hasSensitive } from '../../language/values/find-sensitive.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { checkAuditedNames, checkValueFeatures } from './attribute-checks.ts'
import { formatMungingError, hasInvalidUtf8, type PlainValue } from './attribute-kinds.ts'
import type { Deferrals } from './deferred-resolution.ts'
import { failWithFormError, issues } from './issues.ts'
import { metaparameterAttributes } from './metaparameters.ts'
import type { ProviderDefinition } from './provider.ts'
import { formatReferenceValue } from './reference.ts'
import { Secrets } from './secrets.ts'
import {
  type AttributeResult,
  type DeclaredValues,
  getTypeNamevar,
  listDefaultAttributes,
  listProperties,
  type NativeTypeDefinition,
  type ResourceAttribute,
  type ResourceAttributes,
} from './type.ts'
import { formatLogValue } from './value-format.ts'

const metaparameterDefaults = Object.entries(metaparameterAttributes).filter(
  ([, definition]) => definition.default !== undefined,
)

/** The declaration of a resource: location, title, tags and values. */
export interface ResourceDeclaration {
  readonly title: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly tags?: Iterable<string>
  readonly values: DeclaredValues
}

/** A resource of a known type with parsed attributes, which a provider manages. */
export class ManagedResource<Of extends ResourceAttributes = ResourceAttributes> {
  readonly type: NativeTypeDefinition<Of>
  readonly title: string
  /** Reference, such as `File[/etc/motd]`. */
  readonly reference: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly tags: Set<string>
  // biome-ignore lint/suspicious/noExplicitAny: a provider knows its own state
  provider: ProviderDefinition<Of, any> | undefined
  /** Data of the resource that generated this resource. */
  origin: unknown
  /** Attributes in the declaration that the provider does not support. */
  readonly unsupported: string[] = []
  /** Warnings about the declared values. */
  readonly warnings: string[] = []
  readonly #values = new Map<string, readonly unknown[]>()
  #given: DeclaredValues
  #late: ReadonlySet<string> = new Set()
  // The sets are created on demand: in a tree of ten thousand files, most resources need no set.
  #set: Set<string> | undefined
  /** Attributes whose values are not logged. */
  #sensitive: Set<string> | undefined
  /** Attributes declared as Sensitive. Attributes that contain their values are hidden, too. */
  #revealed: Set<string> | undefined
  #secrets: Secrets | undefined

  constructor(type: NativeTypeDefinition<Of>, declaration: ResourceDeclaration) {
    this.type = type
    this.title = declaration.title
    this.reference = `${type.name.replace(/(^|::)[a-z]/g, (start) => start.toUpperCase())}[${declaration.title}]`
    this.file = declaration.file
    this.line = declaration.line
    this.tags = new Set(declaration.tags)
    this.#given = declaration.values
  }

  /** The declared values, resolved so far. Generated resources can copy them. */
  get given(): DeclaredValues {
    return this.#given
  }

  /** Attributes that are resolved when the resource is evaluated. */
  get late(): ReadonlySet<string> {
    return this.#late
  }

  /** The value of the namevar. */
  get name(): string {
    return String(this.#values.get(getTypeNamevar(this.type as NativeTypeDefinition))?.[0] ?? this.title)
  }

  /** The value of an attribute; the first value if there are alternatives. */
  get<Name extends keyof Of & string>(name: Name): AttributeResult<Of[Name]> | undefined {
    return this.#values.get(name)?.[0] as AttributeResult<Of[Name]> | undefined
  }

  /** The value of a metaparameter. */
  meta<Name extends keyof typeof metaparameterAttributes>(
    name: Name,
  ): AttributeResult<(typeof metaparameterAttributes)[Name]> | undefined {
    return this.#values.get(name)?.[0] as AttributeResult<(typeof metaparameterAttributes)[Name]> | undefined
  }

  /** All permitted values of a property. */
  choices(name: string): readonly unknown[] {
    return this.#values.get(name) ?? []
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** True if a property must be read, because it is managed or audited. */
  reads(name: string): boolean {
    const watched = this.meta('audit')
    return this.has(name) || (watched?.includes('all') ?? false) || (watched?.includes(name) ?? false)
  }

  /** Names of the attributes that have a value. */
  names(): IterableIterator<string> {
    return this.#values.keys()
  }

  /** Properties that have a value, in the type's order, `ensure` first. */
  properties(): string[] {
    return listProperties(this.type as NativeTypeDefinition).filter((name) => this.has(name))
  }

  /** True if an attribute was set after the declaration. */
  wasSet(name: keyof Of & string): boolean {
    return this.#set?.has(name) === true
  }

  /** Sets an attribute as if it were declared in a manifest. */
  set(name: keyof Of & string, value: Value): void {
    this.#set = (this.#set ?? new Set()).add(name)
    this.#assign(name, this.#reveal(name, value))
    this.#inherit(name)
  }

  /** Sets an attribute to a parsed value, or a property to a list of allowed values. */
  put<Name extends keyof Of & string>(name: Name, ...values: readonly AttributeResult<Of[Name]>[]): void {
    this.#values.set(name, values)
    this.#inherit(name)
  }

  drop(name: keyof Of & string): void {
    this.#values.delete(name)
  }

  /** Resolves the declared values, except those deferred to the evaluation of the resource. */
  async resolve(deferrals: Deferrals): Promise<void> {
    const late = [...this.given].filter(([name, value]) => this.#mayWait(name) && deferrals.waits(value))
    for (const [name, value] of late) if (hasSensitive(value)) this.#hide(name)
    this.#late = new Set(late.map(([name]) => name))
    await this.#resolve(
      [...this.given.keys()].filter((name) => !this.late.has(name)),
      deferrals,
    )
  }

  /** Resolves and parses the values deferred to the evaluation of the resource. Throws the first error. */
  async settle(deferrals: Deferrals): Promise<void> {
    const names = [...this.late]
    await this.#resolve(names, deferrals)
    this.#late = new Set()
    const values = names.map((name) => [name, this.given.get(name)] as const)
    await this.type.settle?.(this, new Map(values))
    this.#take(values)
  }

  /**
   * Parses all declared values when the provider is known. Throws Puppet's errors. Skips deferred
   * values and, if there are any, checks across attributes.
   */
  parse(): void {
    const nameAttribute = getTypeNamevar(this.type as NativeTypeDefinition)
    const titled = this.type.fromTitle?.(this.title) ?? { [nameAttribute]: this.title }
    const values: [string, Value][] = []
    if (!this.late.has(nameAttribute))
      values.push([nameAttribute, this.given.get(nameAttribute) ?? titled[nameAttribute] ?? this.title])
    for (const [attribute, value] of Object.entries(titled))
      if (attribute !== nameAttribute && !this.given.has(attribute)) values.push([attribute, value])
    for (const [attribute, value] of this.given)
      if (attribute !== nameAttribute && attribute !== 'provider' && !this.late.has(attribute))
        values.push([attribute, value])
    this.#take(values)
  }

  #take(given: readonly (readonly [attribute: string, value: Value])[]): void {
    // Secrets are collected before the first message, because one attribute can make another
    // attribute sensitive.
    const revealed = given.map(([attribute, value]) => [attribute, this.#reveal(attribute, value)] as const)
    if (this.type.adopt) {
      this.#adopt(revealed)
      return
    }
    for (const [attribute, value] of revealed) this.#assign(attribute, value)
    for (const [attribute, definition] of [
      ...metaparameterDefaults,
      ...listDefaultAttributes(this.type as NativeTypeDefinition),
    ])
      if (!this.has(attribute) && !this.late.has(attribute)) this.#setDefault(attribute, definition)
    if (this.late.size === 0) this.#check()
  }

  /** Validates the attributes together. */
  #check(): void {
    try {
      this.type.complete?.(this)
      this.type.validate?.(this)
      this.provider?.validate?.(this)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      if (isIssue(error, issues.BAD_ATTRIBUTE)) this.fail(error.diagnostic.message)
      const { reference } = this
      this.#fail(issues.VALIDATION_FAILED, { reference, why: this.withoutSecrets(error.diagnostic.message) })
    }
  }

  /** Parses the metaparameters; other attributes are taken over from Ruby. */
  #adopt(given: readonly (readonly [attribute: string, value: Value])[]): void {
    for (const [attribute, value] of given) {
      if (Object.hasOwn(metaparameterAttributes, attribute) && attribute !== 'audit') this.#assign(attribute, value)
      else if (this.#revealed?.has(attribute)) this.#addSecret(value)
    }
    for (const [attribute, definition] of metaparameterDefaults)
      if (!this.has(attribute)) this.#setDefault(attribute, definition)
    this.type.adopt!(this)
    for (const [attribute, value] of given) if (attribute === 'audit') this.#assign(attribute, value)
  }

  /** Throws an error that contains this resource and its location. */
  fail(why: string): never {
    this.#fail(issues.PLAIN, { message: this.withoutSecrets(why) })
  }

  /** Throws an error about a combination of attributes, in the format of an error about one attribute. */
  failAttribute(name: string, why: string): never {
    return throwIssue(issues.BAD_ATTRIBUTE, { name, reference: this.reference, why })
  }

  /** Throws the issue with the location of this resource. */
  #fail<Arguments>(issue: Issue<Arguments>, a: Arguments): never {
    const diagnostic = createDiagnostic(issue, a)
    throw new PuppetError({ ...diagnostic, message: `${diagnostic.message}${this.place()}` })
  }

  /** True for an attribute whose value is not logged. */
  hides(name: string): boolean {
    return this.#sensitive?.has(name) === true || this.type.attributes[name]?.sensitive === true
  }

  hide(name: string): void {
    this.#sensitive = (this.#sensitive ?? new Set()).add(name)
  }

  /** True if the resource has a sensitive value. */
  get hasSecrets(): boolean {
    return this.#secrets?.isEmpty === false
  }

  /** External text, such as the output of a program, with `[redacted]` for sensitive values. */
  withoutSecrets(text: string): string {
    return this.#secrets?.clear(text) ?? text
  }

  /** The location as ` (file: F, line: L)`, or an empty string. */
  place(): string {
    return formatLocation(this)
  }

  /** The value of an attribute that the type may lack, for generic output. */
  value(name: string): PlainValue | undefined {
    return this.#values.get(name)?.[0] as PlainValue | undefined
  }

  #setDefault(name: string, definition: ResourceAttribute<unknown>): void {
    if (definition.needs !== undefined && !this.provider?.features?.includes(definition.needs)) return
    const given = definition.default
    // A default derived from other attributes is computed once these attributes are resolved.
    if (typeof given === 'function' && this.late.size > 0) return
    const value = typeof given === 'function' ? given(this as unknown as ManagedResource) : given
    if (value === undefined) return
    this.#values.set(name, [value])
    this.#inherit(name)
  }

  /** Hides a derived value that contains a sensitive value. */
  #inherit(name: string): void {
    const text = formatLogValue(this.value(name))
    if (this.hasSecrets && this.withoutSecrets(text) !== text) this.hide(name)
  }

  #assign(name: string, value: Value): void {
    const definition: ResourceAttribute<unknown> | undefined =
      getOwnValue(this.type.attributes, name) ?? getOwnValue(metaparameterAttributes, name)
    if (!definition) {
      const { message } = createDiagnostic(issues.UNKNOWN_ATTRIBUTE, { name })
      this.fail(`${message}${this.place()} on ${this.reference}`)
    }
    if (value === undefined) return
    const hidden = this.hides(name)
    const secret = this.#revealed?.has(name) || definition.sensitive === true
    if (secret) this.#addSecret(value)
    if (definition.needs !== undefined && this.provider && !this.provider.features?.includes(definition.needs)) {
      this.unsupported.push(name)
      return
    }
    try {
      if (!definition.kind.bytes && hasInvalidUtf8(value)) failWithFormError('invalid byte sequence in UTF-8')
      const several = definition.role === 'property' && !definition.kind.list && Array.isArray(value)
      const values = (several ? (value as Value[]) : [value]).map((each) =>
        definition.kind.parse(toReferenceText(each)),
      )
      for (const each of values) checkValueFeatures(this.provider, name, definition, each)
      if (secret) this.#addSecret(values)
      if (name === 'audit') checkAuditedNames(this.type.attributes, this.reference, values.flat())
      this.#values.set(name, values)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      const { reference } = this
      const { message } = error.diagnostic
      const told = definition.kind.munges ? formatMungingError(name, value, message) : message
      const why = !hidden ? told : isIssue(error, issues.FORM) ? message : '[value redacted]'
      this.fail(createDiagnostic(issues.BAD_ATTRIBUTE, { name, reference, why }).message)
    }
  }

  /** True for an attribute that may be deferred: all except `provider` and namevars used in references. */
  #mayWait(name: string): boolean {
    const { attributes, repeatable, adopt } = this.type
    const definition: ResourceAttribute<unknown> | undefined = getOwnValue(attributes, name)
    if (!definition || name === 'provider') return false
    return definition.role !== 'namevar' || (repeatable === true && !adopt)
  }

  async #resolve(names: readonly string[], deferrals: Deferrals): Promise<void> {
    for (const name of names) {
      const value = this.given.get(name)
      const resolved = await this.#resolved(name, value, deferrals)
      if (resolved === value) continue
      if (hasSensitive(value)) this.#hide(name)
      this.#given = new Map([...this.given, [name, resolved]])
    }
  }

  /** Resolves the value of an attribute on this node. Error messages contain no Sensitive values. */
  async #resolved(name: string, value: Value, deferrals: Deferrals): Promise<Value> {
    try {
      return await deferrals.resolve(value)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      for (const each of findSensitive(value)) this.#addSecret(each)
      const { reference } = this
      const { message } = createDiagnostic(issues.BAD_ATTRIBUTE, { name, reference, why: error.diagnostic.message })
      this.fail(message)
    }
  }

  #reveal(name: string, value: Value): Value {
    if (!(value instanceof Sensitive)) return value
    this.#hide(name)
    return value.unwrap()
  }

  #addSecret(value: unknown): void {
    this.#secrets ??= new Secrets()
    this.#secrets.add(value)
  }

  /** Hides an attribute declared as Sensitive, and the attributes that contain its value. */
  #hide(name: string): void {
    this.#revealed = (this.#revealed ?? new Set()).add(name)
    for (const each of [name, ...(this.type.sensitiveWith?.[name] ?? [])]) this.hide(each)
  }
}

/** The location as ` (file: F, line: L)`, or an empty string. */
export function formatLocation({ file, line }: Pick<ResourceDeclaration, 'file' | 'line'>): string {
  if (line === undefined) return ''
  return file === undefined ? ` (line: ${line})` : ` (file: ${file}, line: ${line})`
}

function toReferenceText(value: Value): Value {
  if (Array.isArray(value)) return value.map(toReferenceText)
  return formatReferenceValue(value) ?? value
}

/** A resource of any type. */
// biome-ignore lint/suspicious/noExplicitAny: the attributes are those of some type
export type AnyResource = ManagedResource<any>
