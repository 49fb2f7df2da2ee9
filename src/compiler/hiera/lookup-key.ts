import { splitKey } from '../../language/functions/collections/dotted-key.ts'
import { getRubyClassName } from '../../language/types/ruby-class.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import { explainStep, type LookupInvocation, reportOutcome } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import type { LookupResult } from './lookup-result.ts'

/** A parsed lookup key. `ntp::servers.0` is the segment 0 in the data of `ntp::servers`, in the module `ntp`. */
export interface LookupKey {
  readonly text: string
  readonly root: string
  readonly segments: readonly (string | number)[]
  /** Module in the key's namespace; undefined for a key without a namespace. */
  readonly module: string | undefined
}

/** Parses a key. Throws LOOKUP_SYNTAX_ERROR. */
export function parseLookupKey(text: string): LookupKey {
  const [first, ...segments] = splitKey(text) ?? failWithoutLocation(hieraIssues.LOOKUP_SYNTAX_ERROR, { key: text })
  const root = String(first)
  const colons = root.indexOf('::')
  return { text, root, segments, module: colons === -1 ? undefined : root.slice(0, colons) }
}

/** Returns the value at a path of segments; `undefined` if an element is missing. Throws LOOKUP_NO_CONTAINER. */
export function digIntoValue(
  key: string,
  segments: readonly (string | number)[],
  value: Value,
  invocation: LookupInvocation,
): LookupResult {
  if (segments.length === 0) return { value }
  return explainStep(invocation, { kind: 'sub_key', key: segments.join('.') }, () => {
    let at: LookupResult = { value }
    for (const segment of segments) {
      const holder: Value = at.value
      at = explainStep(invocation, { kind: 'segment' }, () =>
        reportOutcome(invocation, String(segment), getSegmentValue(key, segment, holder)),
      )
      if (!at) return undefined
    }
    return at
  })
}

function getSegmentValue(key: string, segment: string | number, holder: Value): LookupResult {
  if (holder === undefined) return undefined
  if (Array.isArray(holder)) {
    if (typeof segment !== 'number') return failNoContainer(key, segment, holder)
    return segment >= 0 && segment < holder.length ? { value: holder[segment] } : undefined
  }
  if (!(holder instanceof Hash)) return failNoContainer(key, segment, holder)
  return holder.has(segment) ? { value: holder.get(segment) } : undefined
}

function failNoContainer(key: string, segment: string | number, value: Value): never {
  return failWithoutLocation(hieraIssues.LOOKUP_NO_CONTAINER, { key, segment, type: getRubyClassName(value) })
}
