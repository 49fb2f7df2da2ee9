import { Binary } from '../values/binary.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { IteratorValue } from '../values/iterator.ts'
import { ObjectValue } from '../values/object.ts'
import { Regexp } from '../values/regexp.ts'
import { RuntimeValue } from '../values/runtime-value.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { Sensitive } from '../values/sensitive.ts'
import { Timespan, Timestamp } from '../values/time.ts'
import { isType } from '../values/type.ts'
import { Uri } from '../values/uri.ts'
import { DEFAULT, type Value } from '../values/value.ts'

/** Ruby class that represents a value in Puppet; some of Puppet's messages contain it. */
export function getRubyClassName(value: Value): string {
  if (value === undefined) return 'NilClass'
  if (value === DEFAULT) return 'Symbol'
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass'
  if (typeof value === 'string') return 'String'
  if (typeof value !== 'object') return 'Integer'
  if (Array.isArray(value)) return 'Array'
  if (isType(value)) return `Puppet::Pops::Types::P${value.kind}Type`
  if (value instanceof Uri) return getUriClass(value)
  if (value instanceof ObjectValue && value.type.name === 'Error') return 'Puppet::DataTypes::Error'
  if (value instanceof RuntimeValue) return value.className
  return classes.find(([type]) => type[Symbol.hasInstance](value))?.[1] ?? 'Object'
}

/** Ruby class of a URI; Ruby has a class for each scheme that it supports. */
function getUriClass({ text }: Uri): string {
  const scheme = /^([a-z]+):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === 'mailto') return 'URI::MailTo'
  if (scheme === 'file') return 'URI::File'
  return /^(https?|ftp|ldaps?|wss?)$/.test(scheme ?? '') ? `URI::${scheme!.toUpperCase()}` : 'URI::Generic'
}

/** Ruby's name for a value in conversion errors: `nil` in `no implicit conversion of nil into String`. */
export function getRubyName(value: Value): string {
  if (value === undefined) return 'nil'
  return typeof value === 'boolean' ? String(value) : getRubyClassName(value)
}

const classes: readonly (readonly [{ [Symbol.hasInstance](value: unknown): boolean }, string])[] = [
  [Float, 'Float'],
  [Hash, 'Hash'],
  [Regexp, 'Regexp'],
  [Sensitive, 'Puppet::Pops::Types::PSensitiveType::Sensitive'],
  [Binary, 'Puppet::Pops::Types::PBinaryType::Binary'],
  [Timestamp, 'Puppet::Pops::Time::Timestamp'],
  [Timespan, 'Puppet::Pops::Time::Timespan'],
  [SemVer, 'SemanticPuppet::Version'],
  [SemVerRange, 'SemanticPuppet::VersionRange'],
  [IteratorValue, 'Puppet::Pops::Types::Iterator'],
]
