import { createHash } from 'node:crypto'
import type { Type } from './type.ts'
import type { Value } from './value.ts'

/** Implemented by classes of values that define the equality of their instances for `toMapKey`. */
export interface KeyedValue {
  /**
   * Returns a text that is the same for equal instances and different for others. `of` returns the text of a nested
   * value.
   */
  keyText(of: (value: Value) => string): string
}

/**
 * Converts a value to a Map key that compares as Puppet compares hash keys: `1` and `1.0` differ,
 * `[1]` equals `[1]`.
 */
export function toMapKey(value: Value): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value
  return typeof value === 'object' ? `\0${toKeyText(value)}` : value
}

/** True if two values are the same hash key. Unlike `==`, distinguishes case, and Integer from Float. */
export function isSameKey(a: Value, b: Value): boolean {
  return a === b || toMapKey(a) === toMapKey(b)
}

/** Returns a text that is the same for equal types and different for others. */
export function toTypeKey(type: Type): string {
  let text = typeTexts.get(type)
  if (text === undefined) {
    text = toTypeText(type)
    typeTexts.set(type, text)
  }
  return text
}

const typeTexts = new WeakMap<Type, string>()
/** Maximum length in characters of a collection's text before a digest replaces it. */
const longestText = 256
const digests = new WeakMap<object, string>()
const identities = new WeakMap<object, number>()
let lastIdentity = 0

function toKeyText(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === undefined) return 'undef'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value) || 'keyText' in value) return toCollectionText(value as readonly Value[] | KeyedValue)
  return 'kind' in value ? toTypeKey(value as Type) : toIdentityText(value)
}

/**
 * Replaces a long text by its digest, computed once per value. Otherwise the text of nested keys would grow with each
 * level.
 */
function toCollectionText(value: readonly Value[] | KeyedValue): string {
  const known = digests.get(value)
  if (known !== undefined) return known
  const text = 'keyText' in value ? value.keyText(toKeyText) : `[${value.map(toKeyText).join()}]`
  if (text.length <= longestText) return text
  const digest = `~${createHash('sha256').update(text).digest('base64')}`
  digests.set(value, digest)
  return digest
}

/** Unique text of a value that equals only itself: a function or an iterator. */
function toIdentityText(value: object): string {
  let identity = identities.get(value)
  if (identity === undefined) {
    identity = ++lastIdentity
    identities.set(value, identity)
  }
  return `#${identity}`
}

function toTypeText(type: Type): string {
  switch (type.kind) {
    case 'TypeAlias':
      return `=${type.name}`
    case 'Variant':
      return `Variant[${type.types.map(toTypeKey).sort().join()}]`
    case 'Object':
      return type.name === undefined || type.parameters ? toFieldsText(type) : `=${type.name}`
    case 'TypeSet':
      return `TypeSet:${type.nameAuthority}/${type.name}/${type.version}`
    default:
      return toFieldsText(type)
  }
}

function toFieldsText(data: object): string {
  const fields = Object.values(data).map((field) => toFieldText(field))
  return `(${fields.join()})`
}

function toFieldText(field: unknown): string {
  if (Array.isArray(field)) return `[${field.map(toFieldText).join()}]`
  if (field instanceof Map) return `{${Array.from(field, ([key, value]) => `${key}:${toFieldText(value)}`).join()}}`
  if (typeof field !== 'object' || field === null || 'keyText' in field) return toKeyText(field as Value)
  return typeof (field as { kind?: unknown }).kind === 'string' ? toTypeKey(field as Type) : toFieldsText(field)
}
