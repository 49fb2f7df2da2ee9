import { createHash } from 'node:crypto'
import type { Type } from './type.ts'
import type { Value } from './value.ts'

/** A class of values that says what makes two of its instances equal; `keyOf` asks it. */
export interface Keyed {
  /** A text that equal instances share, and no others; `of` gives the texts of values inside. */
  keyText(of: (value: Value) => string): string
}

/** Something that JavaScript's Map compares as Puppet compares keys: `1` and `1.0` differ, `[1]` equals `[1]`. */
export function keyOf(value: Value): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value
  return typeof value === 'object' ? `\0${textOf(value)}` : value
}

/** Equality of two values as keys: `==` without its tolerance of case and of numeric kind. */
export function isSame(a: Value, b: Value): boolean {
  return a === b || keyOf(a) === keyOf(b)
}

/** A text that equal types share, and no others. */
export function keyOfType(type: Type): string {
  let text = typeTexts.get(type)
  if (text === undefined) {
    text = textOfType(type)
    typeTexts.set(type, text)
  }
  return text
}

const typeTexts = new WeakMap<Type, string>()
/** Characters of the text of a collection that is not replaced by its digest. */
const longestText = 256
const digests = new WeakMap<object, string>()
const identities = new WeakMap<object, number>()
let lastIdentity = 0

function textOf(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === undefined) return 'undef'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value) || 'keyText' in value) return textOfCollection(value as readonly Value[] | Keyed)
  return 'kind' in value ? keyOfType(value as Type) : textOfIdentity(value)
}

/** A long text is replaced by its digest, once per value: else keys nested in keys would cost their size at each level. */
function textOfCollection(value: readonly Value[] | Keyed): string {
  const known = digests.get(value)
  if (known !== undefined) return known
  const text = 'keyText' in value ? value.keyText(textOf) : `[${value.map(textOf).join()}]`
  if (text.length <= longestText) return text
  const digest = `~${createHash('sha256').update(text).digest('base64')}`
  digests.set(value, digest)
  return digest
}

/** For what equals nothing but itself: functions, iterators. */
function textOfIdentity(value: object): string {
  let identity = identities.get(value)
  if (identity === undefined) {
    identity = ++lastIdentity
    identities.set(value, identity)
  }
  return `#${identity}`
}

function textOfType(type: Type): string {
  switch (type.kind) {
    case 'TypeAlias':
      return `=${type.name}`
    case 'Variant':
      return `Variant[${type.types.map(keyOfType).sort().join()}]`
    case 'Object':
      return type.name === undefined || type.parameters ? textOfFields(type) : `=${type.name}`
    case 'TypeSet':
      return `TypeSet:${type.nameAuthority}/${type.name}/${type.version}`
    default:
      return textOfFields(type)
  }
}

function textOfFields(data: object): string {
  const fields = Object.values(data).map((field) => textOfField(field))
  return `(${fields.join()})`
}

function textOfField(field: unknown): string {
  if (Array.isArray(field)) return `[${field.map(textOfField).join()}]`
  if (field instanceof Map) return `{${Array.from(field, ([key, value]) => `${key}:${textOfField(value)}`).join()}}`
  if (typeof field !== 'object' || field === null || 'keyText' in field) return textOf(field as Value)
  return typeof (field as { kind?: unknown }).kind === 'string' ? keyOfType(field as Type) : textOfFields(field)
}
