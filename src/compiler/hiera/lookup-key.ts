import { splitKey } from '../../language/functions/collections/dotted-key.ts'
import { rubyClass } from '../../language/types/ruby-class.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { failVerbatim } from '../../language/values/verbatim-error.ts'
import type { Found } from './found.ts'
import { explained, type Invocation, reported } from './invocation.ts'
import { hieraIssues } from './issues.ts'

/** A parsed lookup key. `ntp::servers.0` is the segment 0 in the data of `ntp::servers`, in the module `ntp`. */
export interface LookupKey {
  readonly text: string
  readonly root: string
  readonly segments: readonly (string | number)[]
  /** Module in the key's namespace; undefined for a key without a namespace. */
  readonly module: string | undefined
}

/** Parses a key. Throws LOOKUP_SYNTAX_ERROR. */
export function lookupKey(text: string): LookupKey {
  const [first, ...segments] = splitKey(text) ?? failVerbatim(hieraIssues.LOOKUP_SYNTAX_ERROR, { key: text })
  const root = String(first)
  const colons = root.indexOf('::')
  return { text, root, segments, module: colons === -1 ? undefined : root.slice(0, colons) }
}

/** Returns the value at a path of segments; `undefined` if an element is missing. Throws LOOKUP_NO_CONTAINER. */
export function digTo(
  key: string,
  segments: readonly (string | number)[],
  value: Value,
  invocation: Invocation,
): Found {
  if (segments.length === 0) return { value }
  return explained(invocation, { kind: 'sub_key', key: segments.join('.') }, () => {
    let at: Found = { value }
    for (const segment of segments) {
      const holder: Value = at.value
      at = explained(invocation, { kind: 'segment' }, () =>
        reported(invocation, String(segment), partOf(key, segment, holder)),
      )
      if (!at) return undefined
    }
    return at
  })
}

function partOf(key: string, segment: string | number, holder: Value): Found {
  if (holder === undefined) return undefined
  if (Array.isArray(holder)) {
    if (typeof segment !== 'number') return noContainer(key, segment, holder)
    return segment >= 0 && segment < holder.length ? { value: holder[segment] } : undefined
  }
  if (!(holder instanceof Hash)) return noContainer(key, segment, holder)
  return holder.has(segment) ? { value: holder.get(segment) } : undefined
}

function noContainer(key: string, segment: string | number, value: Value): never {
  return failVerbatim(hieraIssues.LOOKUP_NO_CONTAINER, { key, segment, type: rubyClass(value) })
}
