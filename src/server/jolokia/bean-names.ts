import { defineIssues, throwIssue } from '../../base/issue.ts'
import { compileDottedNameGlob } from '../../base/text/glob.ts'

/** Pattern for bean names. */
export interface BeanNamePattern {
  /** True if the pattern has wildcards; the response then lists the beans by name. */
  readonly isWild: boolean
  matches(name: string): boolean
}

const issues = defineIssues({
  OBJECT_NAME: { text: (a: { why: string }) => `Invalid object name. ${a.why}` },
})

/**
 * Parses a name, or a pattern of names: `DOMAIN:KEY=VALUE,…`, where `*` and `?` are wildcards and a single `*` stands for
 * any further properties. Throws OBJECT_NAME.
 */
export function parseNamePattern(text: string): BeanNamePattern {
  const [domain, properties] = splitBeanName(text)
  if (properties[0] === '') return throwIssue(issues.OBJECT_NAME, { why: 'Key properties cannot be empty' })
  const isOpen = properties.includes('*')
  const matchesDomain = compileDottedNameGlob(domain)
  const globs = properties.filter((each) => each !== '*').map(createPropertyGlob)
  return {
    isWild: isOpen || /(?<!\\)[*?]/.test(text),
    matches(name) {
      // The quoted names of beans have a backslash before a wildcard.
      const [otherDomain, others] = splitBeanName(name.replaceAll('\\', ''))
      if (!matchesDomain.matches(otherDomain) || (!isOpen && others.length !== globs.length)) return false
      return globs.every((glob) => others.some((each) => glob.matches(each)))
    },
  }
}

function createPropertyGlob(property: string) {
  if (property.startsWith('*'))
    return throwIssue(issues.OBJECT_NAME, { why: "Invalid character found after '*': end of name or ',' expected" })
  return /^[^=]+=./.test(property)
    ? compileDottedNameGlob(property)
    : throwIssue(issues.OBJECT_NAME, { why: 'Invalid key property list' })
}

/** Returns the domain and the properties of a name; a name without properties gives one empty property. */
export function splitBeanName(name: string): readonly [domain: string, properties: readonly string[]] {
  const [domain = '', ...rest] = name.split(':')
  return [domain, rest.join(':').split(',')]
}
