import { defineIssues, fail } from '../base/issue.ts'

/** Errors about tags of resources. */
export const tagIssues = defineIssues({
  INVALID_TAG: { text: (a: { name: string }) => `Invalid tag '${a.name}'` },
})

/** ASCII patterns: a few times faster than the letters of all languages. */
const asciiTag = /^\w[\w:.-]*$/
const ascii = /^[\0-\x7f]*$/
const tagPattern = /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]*$/u

/** True for a text that Puppet accepts as a tag of a resource or a catalog. */
export function isTag(name: string): boolean {
  return asciiTag.test(name) || (!ascii.test(name) && tagPattern.test(name))
}

/**
 * Tags that a run selects or skips, in the lower case of a catalog's tags. A qualified tag is not split. Throws
 * INVALID_TAG. Puppet: transaction.rb, skip_tags.rb.
 */
export function selectedTags(names: readonly string[]): readonly string[] {
  const tags = new Set(names.map((name) => name.toLowerCase()))
  for (const name of tags) if (!isTag(name)) fail(tagIssues.INVALID_TAG, { name })
  return [...tags]
}
