import { type ExactJson, type ExactObject, getEntries } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import type { ResolveType } from '../types/from-code/type-expressions.ts'
import { parseType } from '../types/from-code/type-parser.ts'
import { createInstance } from '../types/new/object.ts'
import { DEFERRED, ERROR } from '../types/objects/builtin-objects.ts'
import { Binary } from '../values/binary.ts'
import { Hash } from '../values/hash.ts'
import { convertJsonToValue } from '../values/json-values.ts'
import { parseTimestamp } from '../values/parse-timestamp.ts'
import { Regexp } from '../values/regexp.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { Sensitive } from '../values/sensitive.ts'
import { Timespan } from '../values/time.ts'
import { parseTimespan } from '../values/timespan-format.ts'
import { Uri } from '../values/uri.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { readType } from './read-type.ts'

/**
 * Converts a catalog's JSON to a value. An object with an unknown tag stays a hash, including its
 * tag. `resolve` finds Object types of modules. Puppet: serialization/from_data_converter.rb.
 */
export function readRichData(json: ExactJson | undefined, resolve: ResolveType = () => undefined): Value {
  return convertJsonToValue(
    json,
    (object) => readTagged(checkJsonObject(object, 'rich data') as Fields, resolve) ?? readHash(object, resolve),
  )
}

type Fields = Readonly<Record<string, ExactJson | undefined>>

function readHash(object: ExactObject, resolve: ResolveType): Hash {
  return Hash.of(Array.from(getEntries(object), ([key, value]) => [key, readRichData(value, resolve)]))
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

/** Converts an object with a tag; `undefined` for an object without a known tag. */
function readTagged(object: Fields, resolve: ResolveType): Value {
  const { __ptype: tag, __pvalue: value, ...rest } = object
  if (typeof tag !== 'string') return undefined
  if (tag === 'Default') return DEFAULT
  if (tag === 'Sensitive') return new Sensitive(readRichData(value, resolve))
  if (tag === 'Hash' && Array.isArray(value)) return readPairs(value, resolve)
  if (Object.hasOwn(fromText, tag) && typeof value === 'string') return fromText[tag]!(value)
  if (tag.startsWith('Pcore::')) return readType(object, (json) => readRichData(json, resolve))
  return readObject(tag, rest, resolve)
}

function readPairs(pairs: readonly ExactJson[], resolve: ResolveType): Hash {
  const entries: (readonly [Value, Value])[] = []
  for (let index = 0; index + 1 < pairs.length; index += 2)
    entries.push([readRichData(pairs[index], resolve), readRichData(pairs[index + 1], resolve)])
  return Hash.of(entries)
}

function readObject(name: string, fields: Fields, resolve: ResolveType): Value {
  const known = name === 'Deferred' ? DEFERRED : name === 'Error' ? ERROR : findNamedType(name, resolve)
  return known?.kind === 'Object' ? createInstance(known, readHash(fields, resolve)) : undefined
}

function findNamedType(name: string, resolve: ResolveType) {
  const type = /^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name) ? parseType(name, resolve) : undefined
  return type?.kind === 'TypeAlias' ? type.resolved : type
}
