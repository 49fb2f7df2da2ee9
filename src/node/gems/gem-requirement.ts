import { throwIssue } from '../../base/issue.ts'
import { isRequirement, meetsRequirements, parseGemVersion } from './gem-version.ts'
import { gemIssues as issues } from './issues.ts'

/** A gem that another gem requires, with the accepted versions: `['~> 1.0', '>= 1.0.1']`. */
export interface GemDependency {
  readonly name: string
  readonly requirements: readonly string[]
}

/** The requirement of any version. */
export const anyVersion: readonly string[] = ['>= 0']

/** Parses requirements separated by commas, and writes them as RubyGems does: `= 1.0`. Throws GEM_REQUIREMENT. */
export function parseRequirements(text: string): readonly string[] {
  return text.split(',').map((part) => normalizeRequirement(part) ?? throwIssue(issues.GEM_REQUIREMENT, { text: part }))
}

/** Writes one requirement as RubyGems does; undefined if it is invalid. */
export function normalizeRequirement(text: string): string | undefined {
  if (text.includes(',') || !isRequirement(text)) return undefined
  const [, operator = '', version = ''] = /^([=<>!~]{0,2})(.*)$/.exec(text.trim()) ?? []
  return `${operator || '='} ${version.trim()}`
}

/** True if a version meets all requirements. A prerelease is accepted only if a requirement contains one. */
export function meetsAll(requirements: readonly string[], version: string): boolean {
  const parsed = parseGemVersion(version)
  return parsed !== undefined && meetsRequirements(requirements.join(','), parsed)
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** True for a valid name of a gem. */
export function isGemName(name: string): boolean {
  return name.length <= 128 && namePattern.test(name)
}

/** Throws GEM_NAME for an invalid name. */
export function requireGemName(name: string): string {
  return isGemName(name) ? name : throwIssue(issues.GEM_NAME, { name })
}
