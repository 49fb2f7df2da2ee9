import { compileJavaPattern, hasLineTerminator, hasTrailingLineTerminator } from './java-pattern.ts'
import type { RuleEntry } from './rule.ts'

/** The list of a rule in which an entry is written. */
export type AccessList = 'allow' | 'deny'

/** Throws an error that rejects an entry, with the reason. */
type Reject = (reason: string, hint?: string) => never

const names = {
  domainName: /^(?:\w[-\w]*\.)+[-\w]+$/,
  wildcard: /^\*(?:\.\w[-\w]*)+$/,
  template: /^(?:[-.@\w]|\$[1-9])+$/,
  plain: /^\w[-.@\w]*$/,
}

/**
 * Parses a string in `allow` or `deny`. Puppet Server: trapperkeeper-authorization, acl.clj. A
 * string that Puppet Server accepts but never matches, such as `Web1`, allows no client; in `deny`
 * it matches the name, as its author expects. Throws EXPRESSION_NOT_LINEAR.
 */
export function parseRuleEntry(written: string, side: AccessList, reject: Reject): RuleEntry {
  if (written === '*') return { kind: 'any' }
  if (names.domainName.test(written)) return { kind: 'name', name: normalizeEntryName(written) }
  if (names.wildcard.test(written)) return { kind: 'domain', domain: normalizeEntryName(written.slice(2)) }
  if (/\$\d/.test(written)) {
    if (names.template.test(written)) return { kind: 'template', template: normalizeEntryName(written) }
    return reject(`a back reference such as $1 can only be part of a name, not of '${written}'`)
  }
  if (names.plain.test(written)) {
    const name = normalizeEntryName(written)
    const isMatched = side === 'deny' || (name === written && !name.includes('.'))
    return isMatched ? { kind: 'name', name } : { kind: 'nobody', written }
  }
  const [, pattern] = /^\/(.*)\/$/s.exec(written) ?? []
  if (pattern !== undefined && !hasLineTerminator(pattern))
    return { kind: 'pattern', pattern: compileJavaPattern(pattern) }
  return reject(
    `invalid domain value: ${written}`,
    "Use a name, '*.example.com', '*', '$1', or a regular expression between slashes.",
  )
}

/** Highest number of a capture group to which a template refers; 0 for other entries. */
export function getHighestGroup(who: RuleEntry): number {
  if (who.kind !== 'template') return 0
  return Math.max(...[...who.template.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)))
}

/**
 * Replaces the references in a template with capture groups; `undefined` if a group did not participate in the match.
 */
export function fillTemplate(template: string, groups: readonly (string | undefined)[]): string | undefined {
  let isComplete = true
  const filled = template.replace(/\$(\d+)/g, (_, digits: string) => {
    const group = groups[Number(digits) - 1]
    if (group === undefined) isComplete = false
    return group ?? ''
  })
  return isComplete && !hasTrailingLineTerminator(filled) ? filled : undefined
}

/** Normalizes a name for comparison: lowercase, without trailing periods. */
export function normalizeEntryName(name: string): string {
  let end = name.length
  while (name[end - 1] === '.') end--
  return name.slice(0, end).toLowerCase()
}
