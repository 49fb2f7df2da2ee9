import { getArticle } from '../../../base/text/article.ts'
import { Binary } from '../../values/binary.ts'
import { Float } from '../../values/float.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { SemVer, SemVerRange } from '../../values/semver.ts'
import { Sensitive } from '../../values/sensitive.ts'
import { Timespan, Timestamp } from '../../values/time.ts'
import { isType } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { printWithDefinition } from './print.ts'

/** Name of a value in Puppet's messages. Puppet: model_label_provider.rb. */
export function getLabel(value: Value): string {
  if (value === undefined) return 'Undef Value'
  if (typeof value === 'boolean') return 'Boolean'
  if (typeof value === 'string') return 'String'
  if (typeof value !== 'object') return 'Integer'
  if (Array.isArray(value)) return 'Array'
  if (isType(value)) {
    const printed = printWithDefinition(value)
    return value.kind === 'Resource' && value.title !== undefined ? `${printed} Resource-Reference` : `${printed}-Type`
  }
  if (value instanceof Hash) return 'Hash'
  if (value instanceof Float) return 'Float'
  if (value instanceof Regexp) return 'Regexp'
  if (value instanceof Sensitive) return 'Sensitive'
  if (value instanceof Binary) return 'Binary'
  if (value instanceof Timestamp) return 'Timestamp'
  if (value instanceof Timespan) return 'Timespan'
  if (value instanceof SemVer) return 'Semver'
  return value instanceof SemVerRange ? 'SemverRange' : 'Object'
}

/** Name of a value with an article: `a Boolean`, `an Integer-Type`. */
export function getLabelWithArticle(value: Value): string {
  const label = getLabel(value)
  return `${getArticle(label)} ${label}`
}

/** Name of a value with a capitalized article: `A Boolean`, `An Integer-Type`. */
export function getCapitalizedLabel(value: Value): string {
  const text = getLabelWithArticle(value)
  return `A${text.slice(1)}`
}
