import { defineIssues, throwIssue } from '../../base/issue.ts'

/** Errors for invalid queries. */
export const queryIssues = defineIssues({
  INVALID_QUERY: { text: (a: { message: string }) => a.message },
})

/** Throws INVALID_QUERY with PuppetDB's message. */
export function throwInvalidQuery(message: string): never {
  return throwIssue(queryIssues.INVALID_QUERY, { message })
}

/** Formats a list of names as PuppetDB does: `'a', 'b', and 'c'`. */
export function formatNameList(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`)
  if (quoted.length < 3) return quoted.join(' and ')
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
}
