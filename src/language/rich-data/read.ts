import { type ExactJson, type ExactObject, entriesOf } from '../../base/json/exact-json.ts'
import { record } from '../../base/json/wire.ts'
import type { ResolveType } from '../types/from-code/from-expression.ts'
import { parseType } from '../types/from-code/parse.ts'
import { makeInstance } from '../types/new/object.ts'
import { DEFERRED, ERROR } from '../types/objects/builtin-objects.ts'
import { Binary } from '../values/binary.ts'
import { Hash } from '../values/hash.ts'
import { parseTimestamp } from '../values/parse-timestamp.ts'
import { Regexp } from '../values/regexp.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { Sensitive } from '../values/sensitive.ts'
import { Timespan } from '../values/time.ts'
import { parseTimespan } from '../values/timespan-format.ts'
import { Uri } from '../values/uri.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { valueFromJson } from '../values/value-from-json.ts'
import { readType } from './read-type.ts'

/**
 * Converts a catalog's JSON to a value. An object with an unknown tag stays a hash, including its
 * tag. `resolve` finds Object types of modules. Puppet: serialization/from_data_converter.rb.
 */
export function fromRichData(json: ExactJson | undefined, resolve: ResolveType = () => undefined): Value {
  return valueFromJson(
    json,
    (object) => tagged(record(object, 'rich data') as Fields, resolve) ?? readHash(object, resolve),
  )
}

type Fields = Readonly<Record<string, ExactJson | undefined>>

function readHash(object: ExactObject, resolve: ResolveType): Hash {
  return Hash.of(Array.from(entriesOf(object), ([key, value]) => [key, fromRichData(value, resolve)]))
}

const fromText: Readonly<Record<string, (text: string) => Value>> = {
  Regexp: (text) => new Regexp(text),
  Binary: (text) => new Binary(Buffer.from(text, 'base64')),
  SemVer: (text) => SemVer.parse(text),
  SemVerRange: (text) => SemVerRange.parse(text),
  Symbol: (text) => text,
  Timespan: (text) => new Timespan(parseTimespan(text)),
  Timestamp: (text) => parseTimestamp(text),
  URI: (text) => Uri.parse(text),
}

/** `undefined` for an object without a known tag. */
function tagged(object: Fields, resolve: ResolveType): Value {
  const { __ptype: tag, __pvalue: value, ...rest } = object
  if (typeof tag !== 'string') return undefined
  if (tag === 'Default') return DEFAULT
  if (tag === 'Sensitive') return new Sensitive(fromRichData(value, resolve))
  if (tag === 'Hash' && Array.isArray(value)) return hashOfPairs(value, resolve)
  if (Object.hasOwn(fromText, tag) && typeof value === 'string') return fromText[tag]!(value)
  if (tag.startsWith('Pcore::')) return readType(object, (json) => fromRichData(json, resolve))
  return readObject(tag, rest, resolve)
}

function hashOfPairs(pairs: readonly ExactJson[], resolve: ResolveType): Hash {
  const entries: (readonly [Value, Value])[] = []
  for (let index = 0; index + 1 < pairs.length; index += 2)
    entries.push([fromRichData(pairs[index], resolve), fromRichData(pairs[index + 1], resolve)])
  return Hash.of(entries)
}

function readObject(name: string, fields: Fields, resolve: ResolveType): Value {
  const known = name === 'Deferred' ? DEFERRED : name === 'Error' ? ERROR : namedType(name, resolve)
  return known?.kind === 'Object' ? makeInstance(known, readHash(fields, resolve)) : undefined
}

function namedType(name: string, resolve: ResolveType) {
  const type = /^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name) ? parseType(name, resolve) : undefined
  return type?.kind === 'TypeAlias' ? type.resolved : type
}
