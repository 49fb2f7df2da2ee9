import { splitKey } from '../../language/functions/collections/dotted-key.ts'
import { formatAsString } from '../../language/types/printing/ruby-text.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import { explainStep, type LookupInvocation, reportOutcome, withLookupName } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import { digIntoValue } from './lookup-key.ts'
import type { LookupResult } from './lookup-result.ts'
import { readVariable } from './variables.ts'

/** Looks up the key in an interpolation `%{lookup('key')}`. */
export type LookupNestedKey = (key: string, invocation: LookupInvocation) => LookupResult

/**
 * Replaces `%{variable}` in all texts of a value. With `lookup`, also replaces `%{lookup('key')}`,
 * `%{alias('key')}`, `%{literal('%')}` and `%{scope('name')}`.
 */
export function interpolate(value: Value, invocation: LookupInvocation, lookup?: LookupNestedKey): Value {
  if (typeof value === 'string') {
    if (!value.includes('%{')) return value
    return explainStep(invocation, { kind: 'interpolate', expression: value }, () =>
      interpolateText(value, invocation, lookup),
    )
  }
  if (Array.isArray(value)) return value.map((item) => interpolate(item, invocation, lookup))
  if (!(value instanceof Hash)) return value
  return Hash.of(
    Array.from(value, ([key, item]) => [interpolate(key, invocation, lookup), interpolate(item, invocation, lookup)]),
  )
}

/** Interpolates a text, and returns the result as text. */
export function interpolatePath(text: string, invocation: LookupInvocation): string {
  return formatAsString(interpolate(text, invocation))
}

/** Returns the value of a variable with a dotted name, such as `facts.os.family`; undef if it is not set. */
export function getDottedVariable(name: string, subject: string, invocation: LookupInvocation): Value {
  const [first, ...segments] =
    splitKey(name) ?? failWithoutLocation(hieraIssues.LOOKUP_SYNTAX_ERROR_IN_STRING, { text: subject })
  const value = explainStep(invocation, { kind: 'scope', name: 'Global Scope' }, () =>
    getVariable(String(first), invocation),
  )
  return value === undefined ? value : digIntoValue(name, segments, value, invocation)?.value
}

function getVariable(name: string, invocation: LookupInvocation): Value {
  const { override, defaultValues, context, explainer } = invocation
  if (override?.has(name)) {
    explainer?.report({ event: 'found_in_overrides', key: name, value: override.get(name) })
    return override.get(name)
  }
  const found = readVariable(name, context, defaultValues)
  if (found?.from === 'defaults') explainer?.report({ event: 'found_in_defaults', key: name, value: found.value })
  else if (found) reportOutcome(invocation, name, found)
  return found?.value
}

const nothing = new Set(['', '::', '""', "''", '"::"', "'::'"])

function interpolateText(text: string, invocation: LookupInvocation, lookup?: LookupNestedKey): Value {
  let result = ''
  let from = 0
  for (const { start, end } of findInterpolations(text)) {
    result += text.slice(from, start)
    from = end
    const expression = text.slice(start + 2, end - 1).trim()
    if (nothing.has(expression)) continue
    const { method, key } = parseMethodAndKey(expression, lookup !== undefined)
    const isAlias = method === 'alias'
    if (isAlias && (start > 0 || end < text.length))
      failWithoutLocation(hieraIssues.LOOKUP_HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING, {})
    const value = evaluateMethod(method, key, text, invocation, lookup)
    if (isAlias) return value
    const name = method === 'scope' ? `scope:${key}` : key
    result += formatAsString(withLookupName(invocation, name, () => interpolate(value, invocation, lookup)))
  }
  return result + text.slice(from)
}

/** Yields the start and end offset of each `%{…}` in a text. */
function* findInterpolations(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let end = 0; ; ) {
    const start = text.indexOf('%{', end)
    const close = start < 0 ? -1 : text.indexOf('}', start)
    if (close < 0) return
    end = close + 1
    yield { start, end }
  }
}

function parseMethodAndKey(expression: string, methodsAllowed: boolean): { method: string; key: string } {
  const found = /^(\w+)\((?:"([^"]+)"|'([^']+)')\)$/.exec(expression)
  if (!found) return { method: 'scope', key: expression }
  if (!methodsAllowed) failWithoutLocation(hieraIssues.LOOKUP_HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED, {})
  return { method: found[1]!, key: (found[2] ?? found[3])! }
}

function evaluateMethod(
  method: string,
  key: string,
  text: string,
  invocation: LookupInvocation,
  lookup: LookupNestedKey | undefined,
): Value {
  switch (method) {
    case 'scope':
      return getDottedVariable(key, text, invocation)
    case 'literal':
      return key
    case 'lookup':
    case 'hiera':
    case 'alias': {
      const found = lookup?.(key, invocation)
      return found ? found.value : ''
    }
    default:
      return failWithoutLocation(hieraIssues.LOOKUP_HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD, { name: method })
  }
}
