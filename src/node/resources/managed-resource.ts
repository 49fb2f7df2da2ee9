import { diagnose, fail, type Issue, isIssue, PuppetError } from '../../base/issue.ts'
import { ownValue } from '../../base/own-value.ts'
import { findSensitive, holdsSensitive } from '../../language/values/find-sensitive.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import type { Deferrals } from './deferrals.ts'
import { display } from './display.ts'
import { complainAboutForm, issues } from './issues.ts'
import { hasOtherBytes, mungingFailed, type Plain } from './kind.ts'
import { metaparameters } from './metaparameters.ts'
import type { ProviderDefinition } from './provider.ts'
import { referenceText } from './reference.ts'
import { Secrets } from './secrets.ts'
import {
  type Attribute,
  type Attributes,
  defaultsOf,
  type GivenValues,
  namevarOf,
  propertiesOf,
  type ResultOf,
  type TypeDefinition,
} from './type.ts'

const metaparameterDefaults = Object.entries(metaparameters).filter(
  ([, definition]) => definition.default !== undefined,
)

/** A declaration of a resource: its place, title, tags and values. */
export interface Declaration {
  readonly title: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly tags?: Iterable<string>
  readonly values: GivenValues
}

/** A resource of a known type, its attributes parsed; what a provider works on. */
export class ManagedResource<Of extends Attributes = Attributes> {
  readonly type: TypeDefinition<Of>
  readonly title: string
  /** `File[/etc/motd]` */
  readonly reference: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly tags: Set<string>
  // biome-ignore lint/suspicious/noExplicitAny: a provider knows its own state
  provider: ProviderDefinition<Of, any> | undefined
  /** Knowledge of the resource that generated this one. */
  origin: unknown
  /** Attributes that were given but that the provider cannot manage. */
  readonly unsupported: string[] = []
  /** Warnings about what was given. */
  readonly warnings: string[] = []
  /** Set by purging, so that the reader of a report can tell. */
  purging = false
  readonly #values = new Map<string, readonly unknown[]>()
  #given: GivenValues
  #late: ReadonlySet<string> = new Set()
  // Created on demand: in a tree of ten thousand files most resources need none of them.
  #set: Set<string> | undefined
  /** Attributes whose values are not shown. */
  #sensitive: Set<string> | undefined
  /** Attributes that were given as Sensitive; others are hidden because of them. */
  #revealed: Set<string> | undefined
  #secrets: Secrets | undefined

  constructor(type: TypeDefinition<Of>, declaration: Declaration) {
    this.type = type
    this.title = declaration.title
    this.reference = `${type.name.replace(/(^|::)[a-z]/g, (start) => start.toUpperCase())}[${declaration.title}]`
    this.file = declaration.file
    this.line = declaration.line
    this.tags = new Set(declaration.tags)
    this.#given = declaration.values
  }

  /** As given, and resolved so far; for resources that are made in the image of this one. */
  get given(): GivenValues {
    return this.#given
  }

  /** Attributes whose values come when the resource has its turn. */
  get late(): ReadonlySet<string> {
    return this.#late
  }

  /** The value of the namevar. */
  get name(): string {
    return String(this.#values.get(namevarOf(this.type as TypeDefinition))?.[0] ?? this.title)
  }

  /** The value of an attribute; the first where there are several to choose from. */
  get<Name extends keyof Of & string>(name: Name): ResultOf<Of[Name]> | undefined {
    return this.#values.get(name)?.[0] as ResultOf<Of[Name]> | undefined
  }

  /** The value of a metaparameter. */
  meta<Name extends keyof typeof metaparameters>(name: Name): ResultOf<(typeof metaparameters)[Name]> | undefined {
    return this.#values.get(name)?.[0] as ResultOf<(typeof metaparameters)[Name]> | undefined
  }

  /** Every value of a property that would do. */
  choices(name: string): readonly unknown[] {
    return this.#values.get(name) ?? []
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** True of a property that is to be read: it is managed, or watched. */
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
    return propertiesOf(this.type as TypeDefinition).filter((name) => this.has(name))
  }

  /** True of an attribute that was set to another value than the declaration's. */
  wasSet(name: keyof Of & string): boolean {
    return this.#set?.has(name) === true
  }

  /** Sets an attribute as if a manifest had said it. */
  set(name: keyof Of & string, value: Value): void {
    this.#set = (this.#set ?? new Set()).add(name)
    this.#assign(name, this.#reveal(name, value))
    this.#inherit(name)
  }

  /** Sets an attribute to a parsed value, or a property to a list of allowed values. */
  put<Name extends keyof Of & string>(name: Name, ...values: readonly ResultOf<Of[Name]>[]): void {
    this.#values.set(name, values)
    this.#inherit(name)
  }

  drop(name: keyof Of & string): void {
    this.#values.delete(name)
  }

  /** Computes what was given, but for what waits for the turn of the resource. */
  resolve(deferrals: Deferrals): void {
    const late = [...this.given].filter(([name, value]) => this.#mayWait(name) && deferrals.waits(value))
    for (const [name, value] of late) if (holdsSensitive(value)) this.#hide(name)
    this.#late = new Set(late.map(([name]) => name))
    this.#resolve(
      [...this.given.keys()].filter((name) => !this.late.has(name)),
      deferrals,
    )
  }

  /** Computes and parses what waited for the turn of the resource; throws what is wrong with it. */
  async settle(deferrals: Deferrals): Promise<void> {
    const names = [...this.late]
    this.#resolve(names, deferrals)
    this.#late = new Set()
    const values = names.map((name) => [name, this.given.get(name)] as const)
    await this.type.settle?.(this, new Map(values))
    this.#take(values)
  }

  /**
   * Parses all that was given; throws in Puppet's words. Called once, when the provider is known. What still waits is left
   * out, and so are the checks across attributes.
   */
  parse(): void {
    const nameAttribute = namevarOf(this.type as TypeDefinition)
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
    // What is secret is known before the first message is made: one attribute may make another secret.
    const revealed = given.map(([attribute, value]) => [attribute, this.#reveal(attribute, value)] as const)
    if (this.type.adopt) {
      this.#adopt(revealed)
      return
    }
    for (const [attribute, value] of revealed) this.#assign(attribute, value)
    for (const [attribute, definition] of [...metaparameterDefaults, ...defaultsOf(this.type as TypeDefinition)])
      if (!this.has(attribute) && !this.late.has(attribute)) this.#setDefault(attribute, definition)
    if (this.late.size === 0) this.#check()
  }

  /** Checks across attributes. */
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

  /** Metaparameters are ours; all else is as others made it. */
  #adopt(given: readonly (readonly [attribute: string, value: Value])[]): void {
    for (const [attribute, value] of given) {
      if (Object.hasOwn(metaparameters, attribute) && attribute !== 'audit') this.#assign(attribute, value)
      else if (this.#revealed?.has(attribute)) this.#addSecret(value)
    }
    for (const [attribute, definition] of metaparameterDefaults)
      if (!this.has(attribute)) this.#setDefault(attribute, definition)
    this.type.adopt!(this)
    for (const [attribute, value] of given) if (attribute === 'audit') this.#assign(attribute, value)
  }

  /** Throws, naming this resource and where it was declared. */
  fail(why: string): never {
    this.#fail(issues.PLAIN, { message: this.withoutSecrets(why) })
  }

  /** Throws, in a check across attributes, as if the value of one were wrong by itself. */
  failAttribute(name: string, why: string): never {
    return fail(issues.BAD_ATTRIBUTE, { name, reference: this.reference, why })
  }

  /** Throws the issue, with the place where this resource was declared. */
  #fail<Arguments>(issue: Issue<Arguments>, a: Arguments): never {
    const diagnostic = diagnose(issue, a)
    throw new PuppetError({ ...diagnostic, message: `${diagnostic.message}${this.place()}` })
  }

  /** True of an attribute whose value is not shown. */
  hides(name: string): boolean {
    return this.#sensitive?.has(name) === true || this.type.attributes[name]?.sensitive === true
  }

  /** Hides the value of an attribute. */
  hide(name: string): void {
    this.#sensitive = (this.#sensitive ?? new Set()).add(name)
  }

  /** True of a resource with a value that is not shown. */
  get hasSecrets(): boolean {
    return this.#secrets?.isEmpty === false
  }

  /** Text that others made, such as the output of a program, with `[redacted]` for what is not shown. */
  withoutSecrets(text: string): string {
    return this.#secrets?.clear(text) ?? text
  }

  /** ` (file: F, line: L)`, or nothing. */
  place(): string {
    return placeText(this)
  }

  /** The value of an attribute that the type may not even have; for generic displays. */
  value(name: string): Plain | undefined {
    return this.#values.get(name)?.[0] as Plain | undefined
  }

  #setDefault(name: string, definition: Attribute<unknown>): void {
    if (definition.needs !== undefined && !this.provider?.features?.includes(definition.needs)) return
    const given = definition.default
    // What follows from others is known when they are.
    if (typeof given === 'function' && this.late.size > 0) return
    const value = typeof given === 'function' ? given(this as unknown as ManagedResource) : given
    if (value === undefined) return
    this.#values.set(name, [value])
    this.#inherit(name)
  }

  /** A value that follows from other attributes is hidden when it tells what they hide. */
  #inherit(name: string): void {
    const text = display(this.value(name))
    if (this.hasSecrets && this.withoutSecrets(text) !== text) this.hide(name)
  }

  #assign(name: string, value: Value): void {
    const definition: Attribute<unknown> | undefined =
      ownValue(this.type.attributes, name) ?? ownValue(metaparameters, name)
    if (!definition) {
      const { message } = diagnose(issues.UNKNOWN_ATTRIBUTE, { name })
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
      if (!definition.kind.bytes && hasOtherBytes(value)) complainAboutForm('invalid byte sequence in UTF-8')
      const several = definition.role === 'property' && !definition.kind.list && Array.isArray(value)
      const values = (several ? (value as Value[]) : [value]).map((each) => definition.kind.parse(asReference(each)))
      for (const each of values) this.#checkFeatures(name, definition, each)
      if (secret) this.#addSecret(values)
      if (name === 'audit') this.#checkAudit(values.flat())
      this.#values.set(name, values)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      const { reference } = this
      const { message } = error.diagnostic
      const told = definition.kind.munges ? mungingFailed(name, value, message) : message
      const why = !hidden ? told : isIssue(error, issues.FORM) ? message : '[value redacted]'
      this.fail(diagnose(issues.BAD_ATTRIBUTE, { name, reference, why }).message)
    }
  }

  #checkAudit(names: readonly unknown[]): void {
    const { reference } = this
    for (const name of names)
      if (name !== 'all' && ![this.type.attributes, metaparameters].some((each) => Object.hasOwn(each, String(name))))
        fail(issues.CANNOT_AUDIT, { name: String(name), reference })
  }

  #checkFeatures(name: string, definition: Attribute<unknown>, value: unknown): void {
    const { valueNeeds = {} } = definition
    const feature = valueNeeds[Object.hasOwn(valueNeeds, String(value)) ? String(value) : '*']
    const { provider } = this
    if (feature === undefined || !provider || provider.features?.includes(feature)) return
    fail(issues.NEEDS_FEATURES, { provider: provider.name, features: feature, name, value: String(value) })
  }

  /** Attributes of the type may wait, but a name by which others mean the resource. */
  #mayWait(name: string): boolean {
    const { attributes, repeatable, adopt } = this.type
    const definition: Attribute<unknown> | undefined = ownValue(attributes, name)
    if (!definition || name === 'provider') return false
    return definition.role !== 'namevar' || (repeatable === true && !adopt)
  }

  #resolve(names: readonly string[], deferrals: Deferrals): void {
    for (const name of names) {
      const value = this.given.get(name)
      const resolved = this.#resolved(value, deferrals)
      if (resolved === value) continue
      if (holdsSensitive(value)) this.#hide(name)
      this.#given = new Map([...this.given, [name, resolved]])
    }
  }

  /** The value on this node; an error of making it shows nothing that is Sensitive in what it is made of. */
  #resolved(value: Value, deferrals: Deferrals): Value {
    try {
      return deferrals.resolve(value)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      for (const each of findSensitive(value)) this.#addSecret(each)
      throw new PuppetError({ ...error.diagnostic, message: this.withoutSecrets(error.diagnostic.message) })
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

  /** Hides an attribute that was given as Sensitive, and the attributes that contain its value. */
  #hide(name: string): void {
    this.#revealed = (this.#revealed ?? new Set()).add(name)
    for (const each of [name, ...(this.type.sensitiveWith?.[name] ?? [])]) this.hide(each)
  }
}

/** ` (file: F, line: L)`, or nothing. */
export function placeText({ file, line }: Pick<Declaration, 'file' | 'line'>): string {
  if (line === undefined) return ''
  return file === undefined ? ` (line: ${line})` : ` (file: ${file}, line: ${line})`
}

function asReference(value: Value): Value {
  if (Array.isArray(value)) return value.map(asReference)
  return referenceText(value) ?? value
}

/** A resource of whatever type. */
// biome-ignore lint/suspicious/noExplicitAny: the attributes are those of some type
export type AnyResource = ManagedResource<any>
