import { basename } from 'node:path'
import { toPrintableLine } from '../../../base/text/printable.ts'
import { type FileReport, type ProblemFields, toProblemFields } from '../file-report.ts'
import type { LintSettings } from '../options/lint-settings.ts'
import type { Problem } from '../problem.ts'
import { stripSpace } from '../strip-space.ts'
import { formatGitHubAnnotation } from './github.ts'
import { compileLogFormat, formatProblem, getDefaultFormat } from './log-format.ts'

/** The problems of a report that the settings select. */
export function selectProblems({ problems }: FileReport, settings: LintSettings): readonly Problem[] {
  const { showIgnored, errorLevel } = settings
  return problems.filter(({ kind }) => {
    if (kind === 'ignored' && !showIgnored) return false
    return kind === 'fixed' || errorLevel === 'all' || errorLevel === kind
  })
}

/** Creates the formatter of the text output. */
export function createTextFormatter(settings: LintSettings): (report: FileReport) => string {
  const format = compileLogFormat(settings.logFormat || getDefaultFormat(settings.withFilename))
  return (report) => {
    const problems = selectProblems(report, settings)
    if (problems.length === 0) return ''
    const texts: string[] = []
    const paths = toPrintablePaths(report)
    for (const problem of problems) {
      const fields = { ...toProblemFields(problem, report), ...paths }
      texts.push(`${formatProblem(format, fields)}\n`)
      if (problem.reason !== undefined) texts.push(`  ${problem.reason}\n`)
      if (settings.withContext) texts.push(formatContext(fields, report))
      if (settings.gitHubAnnotations) texts.push(formatGitHubAnnotation(report.path, problem))
    }
    return texts.join('')
  }
}

/** A path may contain line breaks, which would look like other problems. */
function toPrintablePaths({ path, fullPath }: FileReport): Pick<ProblemFields, 'path' | 'fullpath' | 'filename'> {
  const filename = toPrintableLine(basename(path))
  return { path: toPrintableLine(path), fullpath: toPrintableLine(fullPath), filename }
}

/** The line of a problem, with a marker below its column. */
function formatContext({ kind, line, column }: ProblemFields, { lines }: FileReport): string {
  const text = lines[line - 1]
  if (kind === 'fixed' || text === undefined) return ''
  const indent = text.length - text.trimStart().length
  return `\n  ${stripSpace(text)}\n${' '.repeat(Math.max(0, column + 1 - indent))}^\n\n`
}
