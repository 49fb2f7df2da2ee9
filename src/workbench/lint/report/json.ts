import { type FileReport, toProblemFields } from '../file-report.ts'
import type { LintSettings } from '../options/lint-settings.ts'
import { stripSpace } from '../strip-space.ts'
import { selectProblems } from './text.ts'

/** The problems as JSON: a list for each file. */
export function formatJsonReport(reports: readonly FileReport[], settings: LintSettings): string {
  const files = reports.map((report) =>
    selectProblems(report, settings).map((problem) => ({
      ...toProblemFields(problem, report),
      ...(settings.withContext && { context: stripSpace(report.lines[problem.line - 1] ?? '') }),
    })),
  )
  return `${JSON.stringify(files, undefined, 2)}\n`
}
