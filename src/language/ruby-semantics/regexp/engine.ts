import { defineIssues, fail } from '../../../base/issue.ts'

/** An occurrence as Ruby tells it; offsets count code points. */
export type RubyMatch = readonly [
  index: number,
  groups: readonly (string | null)[],
  named: readonly (readonly [name: string, found: string | null])[],
]

/** Ruby's own regular expressions. */
export interface RegexpEngine {
  /** Throws RUNTIME_ERROR, with Ruby's words, when the pattern is wrong. */
  check(source: string): void
  /** The first occurrence from an offset on, or all. */
  search(source: string, text: string, from: number, how: 'first' | 'all'): readonly RubyMatch[]
}

const issues = defineIssues({
  REGEXP_NEEDS_RUBY: {
    text: (a: { source: string }) => `The regular expression /${a.source}/ needs Ruby, which is not here`,
  },
})

let engine: RegexpEngine | undefined

/**
 * Says, once for a thread, who matches what JavaScript cannot. What a pattern finds in a text depends on those two only,
 * so that one engine for all hides no state.
 */
export function useEngine(given: RegexpEngine): void {
  engine = given
}

/** Ruby's engine. Throws REGEXP_NEEDS_RUBY where nobody gave one. */
export function engineFor(source: string): RegexpEngine {
  return engine ?? fail(issues.REGEXP_NEEDS_RUBY, { source })
}
