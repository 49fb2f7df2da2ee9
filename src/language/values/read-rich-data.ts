import { type Json, record } from '../../base/wire.ts'
import { DEFERRED, ERROR } from '../types/builtin-objects.ts'
import type { ResolveType } from '../types/from-expression.ts'
import { instanceOf } from '../types/new/object.ts'
import { parseType } from '../types/parse.ts'
import { Binary } from './binary.ts'
import { Float } from './float.ts'
import { Hash } from './hash.ts'
import { normalizeInteger } from './integer.ts'
import { parseTimestamp } from './parse-timestamp.ts'
import { readType } from './read-rich-data-types.ts'
import { Regexp } from './regexp.ts'
import { SemVer, SemVerRange } from './semver.ts'
import { Sensitive } from './sensitive.ts'
import { Timespan } from './time.ts'
import { parseTimespan } from './timespan-format.ts'
import { Uri } from './uri.ts'
import { DEFAULT, type Value } from './value.ts'

/**
 * The value that a catalog's JSON says (Puppet: serialization/from_data_converter.rb). What has a tag that is not known
 * stays a hash, tag and all. `resolve` finds Object types of modules.
 */
export function fromRichData(json: Json | undefined, resolve: ResolveType = () => undefined): Value {
  if (json === null || json === undefined) return undefined
  if (typeof json === 'number') return Number.isInteger(json) ? normalizeInteger(json) : new Float(json)
  if (typeof json !== 'object') return json
  if (Array.isArray(json)) return json.map((each) => fromRichData(each, resolve))
  const object = record(json, 'rich data') as Readonly<Record<string, Json | undefined>>
  return tagged(object, resolve) ?? Hash.of(entriesOf(object, resolve))
}

type JsonObject = Readonly<Record<string, Json | undefined>>

function entriesOf(object: JsonObject, resolve: ResolveType): (readonly [string, Value])[] {
  return Object.entries(object).map(([key, value]) => [key, fromRichData(value, resolve)] as const)
}

const fromText: Readonly<Record<string, (text: string) => Value>> = {
  Regexp: (text) => new Regexp(text),
  Binary: (text) => new Binary(Buffer.from(text, 'base64')),
  SemVer: (text) => SemVer.parse(text),
  SemVerRange: (text) => SemVerRange.parse(text),
  Symbol: (text) => text,
  Timespan: (text) => new Timespan(parseTimespan(text)),
  Timestamp: (text) => parseTimestamp(text),
  URI: (text) => new Uri(text),
}

/** `undefined` for an object without a tag that is known. */
function tagged(object: JsonObject, resolve: ResolveType): Value {
  const { __ptype: tag, __pvalue: value, ...rest } = object
  if (typeof tag !== 'string') return undefined
  if (tag === 'Default') return DEFAULT
  if (tag === 'Sensitive') return new Sensitive(fromRichData(value, resolve))
  if (tag === 'Hash' && Array.isArray(value)) return hashOfPairs(value, resolve)
  if (Object.hasOwn(fromText, tag) && typeof value === 'string') return fromText[tag]!(value)
  if (tag.startsWith('Pcore::')) return readType(object, (json) => fromRichData(json, resolve))
  return objectOf(tag, rest, resolve)
}

function hashOfPairs(pairs: readonly Json[], resolve: ResolveType): Hash {
  const entries: (readonly [Value, Value])[] = []
  for (let index = 0; index + 1 < pairs.length; index += 2)
    entries.push([fromRichData(pairs[index], resolve), fromRichData(pairs[index + 1], resolve)])
  return Hash.of(entries)
}

function objectOf(name: string, fields: JsonObject, resolve: ResolveType): Value {
  const known = name === 'Deferred' ? DEFERRED : name === 'Error' ? ERROR : namedType(name, resolve)
  return known?.kind === 'Object' ? instanceOf(known, Hash.of(entriesOf(fields, resolve))) : undefined
}

function namedType(name: string, resolve: ResolveType) {
  const type = /^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name) ? parseType(name, resolve) : undefined
  return type?.kind === 'TypeAlias' ? type.resolved : type
}
