import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { findAllMatches, findMatch, type RegexpMatch } from '../../ruby-semantics/regexp/match.ts'
import { requireBoundedText } from '../../ruby-semantics/size-limits.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { getRubyClassName } from '../../types/ruby-class.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { Sensitive } from '../../values/sensitive.ts'
import type { Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { defineFunction } from '../definition/define-function.ts'

/** `match`: returns undef without a match; for an array of strings, returns an array of results. */
export const match = defineFunction('match', 'Matches a regular expression; returns the whole match and its groups.', {
  'String $string, Variant[Any, Type] $pattern': matchPattern,
  'Array[String] $string, Variant[Any, Type] $pattern': (texts: readonly string[], pattern: Value) =>
    texts.map((text) => matchPattern(text, pattern)),
})

/** Text, also Sensitive, or an array of text. OpenVox 8.26: functions/regsubst.rb */
const substitutionTarget =
  'Variant[Array[Variant[String,Sensitive[String]]],Sensitive[Array[Variant[String,Sensitive[String]]]],Variant[String,Sensitive[String]]]'

/** `regsubst`: a string pattern accepts the flags `G E I M`, a Regexp only `G`; the encoding is ignored. */
export const regsubst = defineFunction('regsubst', 'Replaces the first match or all matches of a regular expression.', {
  [`${substitutionTarget} $target, String $pattern, Variant[String, Hash[String, String]] $replacement, ` +
    `Optional[Pattern[/^[GEIM]*$/]] $flags?, Enum['N','E','S','U'] $encoding?`]: (
    target: Value,
    pattern: string,
    replacement: string | Hash,
    flags?: string,
  ) => {
    const hasFlag = (flag: string) => flags?.includes(flag) ?? false
    const inline = `${hasFlag('I') ? 'i' : ''}${hasFlag('M') ? 'm' : ''}${hasFlag('E') ? 'x' : ''}`
    const source = inline === '' ? pattern : `(?${inline}:${pattern}${hasFlag('E') ? '\n' : ''})`
    return substituteMatches(target, new Regexp(source), replacement, hasFlag('G'))
  },
  [`${substitutionTarget} $target, Variant[Regexp, Type[Regexp]] $pattern, ` +
    `Variant[String, Hash[String, String]] $replacement, Pattern[/^G?$/] $flags?`]: (
    target: Value,
    pattern: Regexp | Type,
    replacement: string | Hash,
    flags?: string,
  ) =>
    substituteMatches(target, pattern instanceof Regexp ? pattern : toPattern(pattern, ''), replacement, flags === 'G'),
})

/** `split`: drops empty parts at the end and keeps captured groups, like Ruby's `String#split`; Sensitive if the text is. */
export const split = defineFunction('split', 'Splits a string at the matches of a regular expression.', {
  'String $str, String $pattern': (text: string, pattern: string) => splitText(text, new Regexp(pattern)),
  'String $str, Regexp $pattern': splitText,
  'String $str, Type[Regexp] $pattern': (text: string, type: Type) => splitText(text, toPattern(type, '')),
  'Sensitive[String] $sensitive, String $pattern': (secret: Sensitive, pattern: string) =>
    splitSecret(secret, new Regexp(pattern)),
  'Sensitive[String] $sensitive, Regexp $pattern': splitSecret,
  'Sensitive[String] $sensitive, Type[Regexp] $pattern': (secret: Sensitive, type: Type) =>
    splitSecret(secret, toPattern(type, '')),
})

function splitSecret(secret: Sensitive, pattern: Regexp): Sensitive {
  return new Sensitive(splitText(secret.unwrap() as string, pattern))
}

function matchPattern(text: string, pattern: Value): Value {
  if (typeof pattern === 'string') return findGroups(text, new Regexp(pattern))
  if (pattern instanceof Regexp) return findGroups(text, pattern)
  if (Array.isArray(pattern)) return findFirstMatch(text, flattenArrays(pattern))
  const type = pattern as Type | undefined
  switch (typeof type === 'object' ? type.kind : undefined) {
    case 'TypeAlias':
      return matchPattern(text, (type as Type & { kind: 'TypeAlias' }).resolved)
    case 'Variant':
      return findFirstMatch(text, (type as Type & { kind: 'Variant' }).types)
    case 'Pattern':
      return findFirstMatch(text, (type as Type & { kind: 'Pattern' }).patterns)
    case 'Regexp':
      return findGroups(text, toPattern(type!))
    default:
      return throwArgumentError(
        'match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. ' +
          `Got ${getRubyClassName(pattern)}`,
      )
  }
}

function findFirstMatch(text: string, patterns: readonly Value[]): Value {
  for (const pattern of patterns) {
    const found = matchPattern(text, pattern)
    if (found !== undefined) return found
  }
  return undefined
}

function findGroups(text: string, regexp: Regexp): Value {
  return findMatch(regexp, text)?.groups
}

function toPattern(type: Type, standard?: string): Regexp {
  const pattern = type.kind === 'Type' ? (type.type as Type & { kind: 'Regexp' }).pattern : undefined
  if (type.kind === 'Regexp' && type.pattern) return type.pattern
  if (pattern) return pattern
  return standard === undefined
    ? throwArgumentError('Given Regexp Type has no regular expression')
    : new Regexp(standard)
}

function substituteMatches(target: Value, regexp: Regexp, replacement: string | Hash, everywhere: boolean): Value {
  const substituteText = (text: string): string => {
    const first = everywhere ? undefined : findMatch(regexp, text)
    const matches = everywhere ? findAllMatches(regexp, text) : first ? [first] : []
    let result = ''
    let from = 0
    for (const found of matches) {
      const whole = found.groups[0]!
      const instead =
        replacement instanceof Hash
          ? formatAsString(replacement.get(whole))
          : expandReferences(replacement, found, text)
      result = requireBoundedText(result + text.slice(from, found.index) + instead)
      from = found.index + whole.length
    }
    return result + text.slice(from)
  }
  const substituteValue = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(substituteValue)
    // OpenVox returns a Sensitive array without its wrapper, which would reveal the secret.
    return value instanceof Sensitive ? new Sensitive(substituteValue(value.unwrap())) : substituteText(value as string)
  }
  return substituteValue(target)
}

/** Expands Ruby's back-references in a replacement: `\1`, `\k<name>`, `\0`, `\&`, `` \` ``, `\'` and `\\`. */
function expandReferences(replacement: string, { groups, named, index }: RegexpMatch, text: string): string {
  const whole = groups[0]!
  const reference = /\\(?:k<(\w+)>|(\d)|([&`'\\]))/g
  return replacement.replace(reference, (_, name?: string, digit?: string, sign?: string) => {
    if (name !== undefined) return named.get(name) ?? ''
    // As in Ruby, numbered references are empty if the pattern has named groups.
    if (digit !== undefined) return (digit === '0' || named.size === 0 ? groups[Number(digit)] : '') ?? ''
    if (sign === '&') return whole
    if (sign === '`') return text.slice(0, index)
    return sign === "'" ? text.slice(index + whole.length) : '\\'
  })
}

/** Ruby's `String#split`: keeps captured groups and drops empty parts at the end. */
function splitText(text: string, regexp: Regexp): Value {
  const all: string[] = []
  let from = 0
  for (const { groups, index } of findAllMatches(regexp, text)) {
    const length = groups[0]!.length
    // An empty match splits between characters, never before the first or after the last.
    if (length === 0 && (index === 0 || index >= text.length)) continue
    all.push(text.slice(from, index), ...groups.slice(1).filter((group) => group !== undefined))
    from = index + length
  }
  all.push(text.slice(from))
  while (all.at(-1) === '') all.pop()
  return all
}
