import { defineIssues, throwIssue } from '../../../base/issue.ts'

/** A match found by Ruby; offsets count code points. */
export type RubyMatch = readonly [
  index: number,
  groups: readonly (string | null)[],
  named: readonly (readonly [name: string, found: string | null])[],
]

/** Ruby's regular expression engine. */
export interface RegexpEngine {
  /** Throws RUNTIME_ERROR with Ruby's message if the pattern is invalid. */
  check(source: string): void
  /** Finds the first match at or after an offset, or all matches. */
  search(source: string, text: string, from: number, how: 'first' | 'all'): readonly RubyMatch[]
}

const issues = defineIssues({
  REGEXP_NEEDS_RUBY: {
    text: (a: { source: string }) => `The regular expression /${a.source}/ needs Ruby, which is not available here`,
  },
})

let engine: RegexpEngine | undefined

/**
 * Sets the engine for patterns that JavaScript cannot match; called once per thread. The engine can be shared, because
 * a match depends only on the pattern and the text.
 */
export function setEngine(given: RegexpEngine): void {
  engine = given
}

/** Returns Ruby's engine. Throws REGEXP_NEEDS_RUBY if no engine was set. */
export function requireEngine(source: string): RegexpEngine {
  return engine ?? throwIssue(issues.REGEXP_NEEDS_RUBY, { source })
}
