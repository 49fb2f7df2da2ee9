import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FileReport } from '../file-report.ts'
import type { LintSettings } from '../options/lint-settings.ts'
import type { Problem } from '../problem.ts'
import { getRule } from './rules.ts'
import { selectProblems } from './text.ts'

/** The program in the report. */
export interface ReportingTool {
  readonly name: string
  readonly version: string
}

/** The problems as SARIF 2.1.0. Paths are relative to a folder. Corrected problems are omitted. */
export function formatSarifReport(
  reports: readonly FileReport[],
  settings: LintSettings,
  folder: string,
  tool: ReportingTool,
): string {
  const ruleIndexes = new Map<string, number>()
  const rules: object[] = []
  const results = reports.flatMap((report) =>
    selectProblems(report, settings).flatMap((problem) => {
      if (problem.kind === 'fixed') return []
      if (!ruleIndexes.has(problem.check)) {
        ruleIndexes.set(problem.check, rules.length)
        rules.push(describeRule(problem))
      }
      return toResult(problem, ruleIndexes.get(problem.check)!, toRelativeUri(report.fullPath, folder))
    }),
  )
  const root = pathToFileURL(folder.endsWith('/') ? folder : `${folder}/`).href
  const log = {
    $schema: 'https://www.schemastore.org/schemas/json/sarif-2.1.0-rtm.5.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules } },
        results,
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { ROOTPATH: { uri: root } },
      },
    ],
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

const levelOf = ({ kind }: Problem): 'error' | 'warning' => (kind === 'error' ? 'error' : 'warning')

function describeRule(problem: Problem): object {
  const { doc, helpUri } = getRule(problem.check)
  return {
    id: problem.check,
    fullDescription: { text: doc },
    defaultConfiguration: { level: levelOf(problem) },
    ...(helpUri !== undefined && { helpUri }),
  }
}

function toResult(problem: Problem, ruleIndex: number, uri: string): object {
  const { check, message, line, column, kind, reason } = problem
  const region = { startLine: line, startColumn: Math.max(1, column) }
  return {
    ruleId: check,
    ruleIndex,
    level: levelOf(problem),
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: 'ROOTPATH' }, region } }],
    ...(kind === 'ignored' && { suppressions: [{ kind: 'inSource', justification: reason ?? '' }] }),
  }
}

function toRelativeUri(path: string, folder: string): string {
  return relative(folder, path).split('/').map(encodeURIComponent).join('/')
}
