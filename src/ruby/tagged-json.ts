import type { Json } from '../base/json/json-checks.ts'
import { decodeLosslessUtf8, encodeLosslessUtf8 } from '../base/text/byte-text.ts'
import { throwArgumentError } from '../language/ruby-semantics/argument-error.ts'
import { normalizeInteger } from '../language/ruby-semantics/numbers/integer.ts'
import { createClassType, createResourceType } from '../language/types/constructors.ts'
import type { ResolveType } from '../language/types/from-code/type-expressions.ts'
import { parseType } from '../language/types/from-code/type-parser.ts'
import { getTupleSize } from '../language/types/is-assignable.ts'
import { LOOKUP_CONTEXT } from '../language/types/objects/builtin-objects.ts'
import { printType } from '../language/types/printing/print.ts'
import { toText } from '../language/types/printing/text.ts'
import { Binary } from '../language/values/binary.ts'
import { Callable } from '../language/values/callable.ts'
import { Float } from '../language/values/float.ts'
import { Hash } from '../language/values/hash.ts'
import { IteratorValue } from '../language/values/iterator.ts'
import { ObjectValue } from '../language/values/object.ts'
import { Regexp } from '../language/values/regexp.ts'
import { RuntimeValue } from '../language/values/runtime-value.ts'
import { SemVer, SemVerRange } from '../language/values/semver.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import { Timespan, Timestamp } from '../language/values/time.ts'
import { isType, type Type } from '../language/values/type.ts'
import { Uri } from '../language/values/uri.ts'
import { DEFAULT, type Value } from '../language/values/value.ts'
import { SharedParts } from './shared-references.ts'

/** Numbers for values that stay on one side, because they cannot be copied between the host and Ruby. */
export interface Crossings {
  /** Returns Ruby's number for a lambda or a host object. */
  keep(value: Callable | ObjectValue | RuntimeValue): number
  kept(id: number): Value
  /** Returns the number of an object's owner, which all objects of this owner share. */
  getScopeNumber(owner: object): number
  /** Returns the callable for a Ruby block, given its number in Ruby. */
  block(id: number, arity: number): Callable
  resolve: ResolveType
}

/**
 * Encodes a value for Ruby. Texts, booleans, `undef` and integers that are exact in JSON stay as they
 * are; any other value is an array that begins with a tag: `["l", …]` a list, `["h", key, value, …]` a
 * hash, `["f", "1.0"]` a float, `["y", base64]` a string that is not UTF-8, … This preserves order,
 * keys other than texts, `1.0` and big integers, and no value can be confused with a tag. A list or
 * hash that occurs several times is encoded once, `["&", 1, "l", …]`, and then referenced by its
 * number, `["*", 1]`.
 */
export function toRuby(value: Value, crossings: Crossings): Json {
  return encodeValue(value, crossings, SharedParts.of(value))
}

function encodeValue(value: Value, crossings: Crossings, shared: SharedParts | undefined): Json {
  if (value === undefined) return null
  if (typeof value === 'bigint') return ['i', String(value)]
  if (typeof value === 'string') return encodeString(value)
  if (typeof value !== 'object') return value
  if (shared?.has(value)) {
    const earlier = shared.earlier(value)
    if (earlier !== undefined) return ['*', earlier]
    return ['&', shared.first(value), ...(encodeObject(value, crossings, shared) as readonly Json[])]
  }
  return encodeObject(value, crossings, shared)
}

/** Encodes a string; JSON cannot contain bytes that are not UTF-8. */
function encodeString(text: string): Json {
  return text.isWellFormed() ? text : ['y', encodeLosslessUtf8(text).toString('base64')]
}

function encodeObject(value: Value & object, crossings: Crossings, shared: SharedParts | undefined): Json {
  if (Array.isArray(value)) return ['l', ...value.map((each) => encodeValue(each, crossings, shared))]
  if (value instanceof Hash)
    return [
      'h',
      ...[...value].flatMap(([key, each]) => [
        encodeValue(key, crossings, shared),
        encodeValue(each, crossings, shared),
      ]),
    ]
  if (value instanceof Sensitive) return ['s', encodeValue(value.unwrap(), crossings, shared)]
  return encodeSpecial(value, crossings)
}

/** Returns the JSON text of `toRuby` without building the JSON value. */
export function toRubyText(value: Value, crossings: Crossings): string {
  const shared = SharedParts.of(value)
  return shared ? JSON.stringify(encodeValue(value, crossings, shared)) : encodePlainText(value, crossings)
}

/** Returns the text of a value in which no part occurs twice. */
function encodePlainText(value: Value, crossings: Crossings): string {
  if (typeof value === 'string') return JSON.stringify(encodeString(value))
  if (Array.isArray(value)) {
    let text = '["l"'
    for (const each of value) text += `,${encodePlainText(each, crossings)}`
    return `${text}]`
  }
  if (value instanceof Hash) {
    let text = '["h"'
    for (const [key, each] of value) text += `,${encodePlainText(key, crossings)},${encodePlainText(each, crossings)}`
    return `${text}]`
  }
  return JSON.stringify(encodeValue(value, crossings, undefined))
}

function encodeSpecial(value: Value & object, crossings: Crossings): Json {
  if (value instanceof Float) return ['f', String(value)]
  if (value === DEFAULT) return ['d']
  if (value instanceof Regexp) return ['r', value.source]
  if (value instanceof Binary) return ['b', toText(value)]
  if (value instanceof Timestamp) return ['at', String(value.nanoseconds)]
  if (value instanceof Timespan) return ['for', String(value.nanoseconds)]
  if (value instanceof SemVer) return ['v', String(value)]
  if (value instanceof SemVerRange) return ['vr', String(value)]
  if (value instanceof Uri) return ['u', String(value)]
  if (value instanceof IteratorValue) return toRuby([...value], crossings)
  if (value instanceof Callable) return encodeLambda(value, crossings)
  if (value instanceof RuntimeValue) return encodeRuntimeValue(value, crossings)
  if (value instanceof ObjectValue && value.type === LOOKUP_CONTEXT)
    return [
      'lc',
      crossings.keep(value),
      crossings.getScopeNumber(value.owner),
      ...getLookupLocation(value),
      value.isWatched,
    ]
  if (value instanceof ObjectValue)
    return ['o', crossings.keep(value), toText(value), toRuby(Hash.of(value.attributes), crossings)]
  return isType(value) ? encodeType(value) : toText(value)
}

/** The host keeps the value, too, so that its number in Ruby is not reused for another value. */
function encodeRuntimeValue(value: RuntimeValue, crossings: Crossings): Json {
  crossings.keep(value)
  return ['x', value.id]
}

/** Encodes a lambda: parameter names, least and most number of arguments; -1 for any number. */
function encodeLambda(value: Callable, crossings: Crossings): Json {
  const parameters = value.signatures[0]?.parameters
  const { from = 0, to } = parameters ? getTupleSize(parameters) : {}
  return ['c', crossings.keep(value), [...(value.parameterNames[0] ?? [])], from, to ?? -1]
}

/** Returns the environment and module of a lookup context. */
export function getLookupLocation({ attributes }: ObjectValue): Json[] {
  return ['environment_name', 'module_name'].map((name) => (attributes.get(name) as string | undefined) ?? null)
}

function encodeType(type: Type): Json {
  const text = printType(type)
  if (type.kind === 'Resource')
    return ['t', text, 'Resource', type.typeName === undefined ? null : type.typeName, type.title ?? null]
  if (type.kind === 'Class') return ['t', text, 'Class', type.className ?? null]
  return ['t', text, type.kind]
}

/** Converts a value from Ruby. */
export function fromRuby(json: Json, crossings: Crossings): Value {
  return decodeValue(json, crossings, new Map())
}

/** Parts of a value by number. Ruby refers to a repeated part by its number. */
type Numbered = Map<Json, Value>

function decodeValue(json: Json, crossings: Crossings, numbered: Numbered): Value {
  if (json === null) return undefined
  if (typeof json !== 'object') return json as Value
  if (!Array.isArray(json)) return throwArgumentError('Ruby returned an invalid value')
  const [tag, ...rest] = json as [string, ...Json[]]
  if (tag === 'l') return rest.map((each) => decodeValue(each, crossings, numbered))
  if (tag === 'h') return decodeHash(rest, crossings, numbered)
  if (tag === 's') return new Sensitive(decodeValue(rest[0] ?? null, crossings, numbered))
  if (tag === '&') {
    const value = decodeValue(rest.slice(1), crossings, numbered)
    numbered.set(rest[0]!, value)
    return value
  }
  // A value that contains itself cannot be represented.
  if (tag === '*')
    return numbered.has(rest[0]!)
      ? numbered.get(rest[0]!)
      : throwArgumentError('Ruby returned a value that contains itself')
  const reader = Object.hasOwn(readers, tag) ? readers[tag] : undefined
  if (!reader) return throwArgumentError('Ruby returned an invalid value')
  return reader(rest as never, crossings)
}

function decodeHash(parts: readonly Json[], crossings: Crossings, numbered: Numbered): Hash {
  const entries: [Value, Value][] = []
  for (let index = 0; index + 1 < parts.length; index += 2)
    entries.push([decodeValue(parts[index]!, crossings, numbered), decodeValue(parts[index + 1]!, crossings, numbered)])
  return Hash.of(entries)
}

/**
 * Maximum number of digits of an integer, which is more than any manifest contains. The parsing time grows faster than
 * the number of digits.
 */
const mostDigits = 1_000_000

const readers: Readonly<Record<string, (rest: [string, ...string[]], crossings: Crossings) => Value>> = {
  f: ([text]) => new Float(Number(text === '-Infinity' || text === 'NaN' ? text : text)),
  i: ([text]) =>
    text.length > mostDigits ? throwArgumentError('the Integer has too many digits') : normalizeInteger(BigInt(text)),
  d: () => DEFAULT,
  t: ([text, kind, name, title], { resolve }) => decodeType(text, kind, name, title, resolve),
  r: ([source]) => new Regexp(source),
  b: ([text]) => new Binary(Buffer.from(text, 'base64')),
  y: ([text]) => decodeLosslessUtf8(Buffer.from(text, 'base64')),
  at: ([text]) => new Timestamp(BigInt(text)),
  for: ([text]) => new Timespan(BigInt(text)),
  v: ([text]) => SemVer.parse(text),
  vr: ([text]) => SemVerRange.parse(text),
  u: ([text]) => Uri.parse(text),
  p: ([id, arity], { block }) => block(Number(id), Number(arity)),
  o: ([id], { kept }) => kept(Number(id)),
  x: ([id, className = '', text = '', isModule]) =>
    new RuntimeValue({ id: Number(id), className, text, isModule: Boolean(isModule) }),
}

/** Parses a reference from its parts, since a title may contain any character. */
function decodeType(
  text: string,
  kind: string | undefined,
  name: string | null | undefined,
  title: string | null | undefined,
  resolve: ResolveType,
): Type {
  const plain = name?.toLowerCase().replace(/^::/, '')
  if (kind === 'Resource') return createResourceType(plain, title ?? undefined)
  if (kind === 'Class') return createClassType(plain)
  return parseType(text, resolve)
}
