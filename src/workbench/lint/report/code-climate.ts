import { createHash } from 'node:crypto'
import type { FileReport } from '../file-report.ts'
import type { LintSettings } from '../options/lint-settings.ts'
import { getRule } from './rules.ts'
import { selectProblems } from './text.ts'

/** The errors and warnings in the format of Code Climate, which GitLab reads. */
export function formatCodeClimateReport(reports: readonly FileReport[], settings: LintSettings): string {
  const occurrences = new Map<string, number>()
  const issues = reports.flatMap((report) =>
    selectProblems(report, settings).flatMap(({ kind, check, message, line }) => {
      if (kind !== 'error' && kind !== 'warning') return []
      // A fingerprint without the line stays the same when lines are added above a problem.
      const identity = JSON.stringify([report.path, check, message])
      const occurrence = occurrences.get(identity) ?? 0
      occurrences.set(identity, occurrence + 1)
      return {
        type: 'issue',
        check_name: check,
        description: message,
        categories: ['Style'],
        severity: kind === 'error' ? 'major' : 'minor',
        location: { path: report.path, lines: { begin: line, end: line } },
        fingerprint: createHash('sha256').update(`${identity}${occurrence}`).digest('hex').slice(0, 32),
        content: { body: describe(check) },
      }
    }),
  )
  return `${JSON.stringify(issues, undefined, 2)}\n`
}

function describe(check: string): string {
  const { doc, helpUri } = getRule(check)
  return helpUri === undefined ? doc : `${doc} See [the style guide](${helpUri}).`
}
