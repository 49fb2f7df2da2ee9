import { type ExactJson, type ExactObject, entriesOf } from '../../base/exact-json.ts'
import { record } from '../../base/wire.ts'
import { DEFERRED, ERROR } from '../types/builtin-objects.ts'
import type { ResolveType } from '../types/from-expression.ts'
import { instanceOf } from '../types/new/object.ts'
import { parseType } from '../types/parse.ts'
import { Binary } from './binary.ts'
import { Hash } from './hash.ts'
import { parseTimestamp } from './parse-timestamp.ts'
import { parseUri } from './parse-uri.ts'
import { readType } from './read-rich-data-types.ts'
import { Regexp } from './regexp.ts'
import { SemVer, SemVerRange } from './semver.ts'
import { Sensitive } from './sensitive.ts'
import { Timespan } from './time.ts'
import { parseTimespan } from './timespan-format.ts'
import { DEFAULT, type Value } from './value.ts'
import { valueFromJson } from './value-from-json.ts'

/**
 * The value that a catalog's JSON says (Puppet: serialization/from_data_converter.rb). What has a tag that is not known
 * stays a hash, tag and all. `resolve` finds Object types of modules.
 */
export function fromRichData(json: ExactJson | undefined, resolve: ResolveType = () => undefined): Value {
  return valueFromJson(
    json,
    (object) => tagged(record(object, 'rich data') as Fields, resolve) ?? hashOf(object, resolve),
  )
}

type Fields = Readonly<Record<string, ExactJson | undefined>>

function hashOf(object: ExactObject, resolve: ResolveType): Hash {
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
  URI: parseUri,
}

/** `undefined` for an object without a tag that is known. */
function tagged(object: Fields, resolve: ResolveType): Value {
  const { __ptype: tag, __pvalue: value, ...rest } = object
  if (typeof tag !== 'string') return undefined
  if (tag === 'Default') return DEFAULT
  if (tag === 'Sensitive') return new Sensitive(fromRichData(value, resolve))
  if (tag === 'Hash' && Array.isArray(value)) return hashOfPairs(value, resolve)
  if (Object.hasOwn(fromText, tag) && typeof value === 'string') return fromText[tag]!(value)
  if (tag.startsWith('Pcore::')) return readType(object, (json) => fromRichData(json, resolve))
  return objectOf(tag, rest, resolve)
}

function hashOfPairs(pairs: readonly ExactJson[], resolve: ResolveType): Hash {
  const entries: (readonly [Value, Value])[] = []
  for (let index = 0; index + 1 < pairs.length; index += 2)
    entries.push([fromRichData(pairs[index], resolve), fromRichData(pairs[index + 1], resolve)])
  return Hash.of(entries)
}

function objectOf(name: string, fields: Fields, resolve: ResolveType): Value {
  const known = name === 'Deferred' ? DEFERRED : name === 'Error' ? ERROR : namedType(name, resolve)
  return known?.kind === 'Object' ? instanceOf(known, hashOf(fields, resolve)) : undefined
}

function namedType(name: string, resolve: ResolveType) {
  const type = /^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name) ? parseType(name, resolve) : undefined
  return type?.kind === 'TypeAlias' ? type.resolved : type
}
