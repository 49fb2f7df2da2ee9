import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { budgets } from '../budgets/budgets.ts'
import { defineIssues, throwIssue } from '../issue.ts'

/** A regular expression that matches in time proportional to pattern length × text length. */
export interface LinearPattern {
  /** The original pattern. */
  readonly source: string
  /** Number of capture groups. */
  readonly groupCount: number
  /**
   * Capture groups of the first match, without the whole match; `undefined` without a match. A
   * group that did not participate is `undefined`.
   */
  find(text: string): readonly (string | undefined)[] | undefined
}

/** A linear pattern compiled from external input. */
export interface ForeignPattern extends LinearPattern {
  /** Removes all matches from a text. */
  removeFrom(text: string): string
}

const issues = defineIssues({
  EXPRESSION_NOT_LINEAR: {
    text: (a: { source: string; reason: string }) => `The regular expression '${a.source}' cannot be used: ${a.reason}`,
    hint: () =>
      'Regular expressions here use RE2, which does not support lookaround, backreferences, possessive and atomic groups, or nested sets.',
  },
})

// RE2 is loaded with the first pattern: loading takes ten milliseconds, and most commands use no pattern.
const requireHere = createRequire(import.meta.url)
let engine: typeof RE2JS | undefined

/** Translates a pattern of another engine to RE2; `reject` throws. */
export type PatternTranslation = (source: string, reject: (reason: string) => never) => string

/**
 * Compiles an external regular expression. Constructs that RE2 lacks or interprets differently from
 * Java and Ruby are rejected, since a rule with a different meaning is dangerous. Throws
 * EXPRESSION_NOT_LINEAR.
 */
export function compileLinearPattern(
  source: string,
  translate: PatternTranslation = rejectDifferences,
): ForeignPattern {
  const rejectPattern = (reason: string): never =>
    throwIssue(issues.EXPRESSION_NOT_LINEAR, { source: source.slice(0, 200), reason })
  const { expressionLength, expressionSize } = budgets.pattern
  if (source.length > expressionLength.bound) rejectPattern(`it exceeds ${expressionLength.bound} characters`)
  const translated = translate(source, rejectPattern)
  engine ??= (requireHere('re2js') as typeof import('re2js')).RE2JS
  const pattern = compileRe2(engine, translated, rejectPattern)
  if (pattern.programSize() > expressionSize.bound)
    rejectPattern(`its repetitions expand to more than ${expressionSize.bound} steps`)
  const groupCount = pattern.groupCount()
  return {
    source,
    groupCount,
    find(text) {
      const matcher = pattern.matcher(text)
      if (!matcher.find()) return undefined
      return Array.from({ length: groupCount }, (_, at) => matcher.group(at + 1) ?? undefined)
    },
    removeFrom: (text) => pattern.matcher(text).replaceAll(''),
  }
}

/** A built-in pattern; tests verify that it is linear. */
export function compileBuiltInPattern(pattern: RegExp): LinearPattern {
  const groupCount = new RegExp(`${pattern.source}|`).exec('')!.length - 1
  return { source: pattern.source, groupCount, find: (text) => pattern.exec(text)?.slice(1) }
}

function compileRe2(engine: typeof RE2JS, source: string, wrong: (reason: string) => never): RE2JS {
  try {
    return engine.compile(source)
  } catch (error) {
    return wrong((error as Error).message.replace(/^error parsing regexp: /, ''))
  }
}

function rejectDifferences(source: string, reject: (reason: string) => never): string {
  const difference = findReadingDifference(source)
  return difference === undefined ? source : reject(difference)
}

/**
 * Describes a construct that RE2 accepts but interprets differently from Java and Ruby; `undefined` if the pattern has
 * none.
 */
function findReadingDifference(source: string): string | undefined {
  let isSet = false
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    if (source.startsWith('\\Q', at)) {
      const end = source.indexOf('\\E', at)
      at = end < 0 ? source.length : end + 1
    } else if (character === '\\') {
      const escaped = source[++at] ?? ''
      if (/[1-9]/.test(escaped)) return `backreferences are not supported: \`\\${escaped}\``
      if (escaped === 'v') return 'ambiguous escape sequence: `\\v`'
    } else if (!isSet && character === '[') {
      isSet = true
      // A bracket at the start of a set is a member.
      if (source[at + 1] === '^') at++
      if (source[at + 1] === ']') at++
    } else if (isSet && character === ']') isSet = false
    else if (isSet && character === '[') return 'nested sets are not supported'
    else if (isSet && source.startsWith('&&', at)) return 'intersections of sets are not supported'
    else if (!isSet && character === '(') {
      const [group, around, flags = ''] = /^\(\?(?:(<?[=!])|([a-zA-Z-]{0,12}))/.exec(source.slice(at, at + 20)) ?? []
      if (around !== undefined) return `lookaround is not supported: \`${group}\``
      if (flags.includes('U')) return 'unsupported flag: `U`'
    }
  }
  return undefined
}
