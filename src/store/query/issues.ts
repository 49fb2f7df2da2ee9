import { defineIssues, fail } from '../../base/issue.ts'

/** Queries that make no sense. */
export const queryIssues = defineIssues({
  INVALID_QUERY: { text: (a: { message: string }) => a.message },
})

/** Refuses a query, in PuppetDB's words. Throws INVALID_QUERY. */
export function refuse(message: string): never {
  return fail(queryIssues.INVALID_QUERY, { message })
}

/** Names in PuppetDB's list: `'a', 'b', and 'c'`. */
export function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`)
  if (quoted.length < 3) return quoted.join(' and ')
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
}
