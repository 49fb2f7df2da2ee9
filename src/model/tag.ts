import { defineIssues, throwIssue } from '../base/issue.ts'

/** Errors about resource tags. */
export const tagIssues = defineIssues({
  INVALID_TAG: { text: (a: { name: string }) => `Invalid tag '${a.name}'` },
})

/**
 * These patterns match only ASCII text; they are several times faster than patterns for Unicode.
 */
const asciiTag = /^\w[\w:.-]*$/
const ascii = /^[\0-\x7f]*$/
const tagPattern = /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]*$/u

/** Returns true if Puppet accepts the text as a tag of a resource or a catalog. */
export function isTag(name: string): boolean {
  return asciiTag.test(name) || (!ascii.test(name) && tagPattern.test(name))
}

/**
 * Returns the tags that a run selects or skips, in lower case like the tags in a catalog. Qualified tags are not split.
 * Throws INVALID_TAG. Puppet: transaction.rb, skip_tags.rb.
 */
export function parseTagSelection(names: readonly string[]): readonly string[] {
  const tags = new Set(names.map((name) => name.toLowerCase()))
  for (const name of tags) if (!isTag(name)) throwIssue(tagIssues.INVALID_TAG, { name })
  return [...tags]
}
