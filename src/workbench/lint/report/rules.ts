import { allChecks } from '../checks/all-checks.ts'
import { semanticRules } from '../checks/semantic-rules.ts'

/** The description of a check, for reports. */
export interface Rule {
  readonly doc: string
  readonly helpUri?: string
}

const rules = new Map<string, Rule>([...allChecks.map((check) => [check.name, check] as const), ...semanticRules])

/** The rule of a problem's check. */
export function getRule(check: string): Rule {
  const rule = rules.get(check)
  if (rule) return rule
  return { doc: otherRules.get(check) ?? 'A comment that ignores a check has not expired.' }
}

/** Rules of problems that no check reports. */
const otherRules: ReadonlyMap<string, string> = new Map([
  ['syntax', 'A file has no syntax error.'],
  ['file', 'A file exists, and can be corrected with --fix.'],
])
