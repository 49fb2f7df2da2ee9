import { allChecks } from '../checks/all-checks.ts'
import { builtInChecks } from '../checks/built-in-checks.ts'
import type { Check } from '../checks/check.ts'
import { semanticRules } from '../checks/semantic-rules.ts'

/** The settings of a run, from rc files and the command line. */
export interface LintSettings {
  withContext: boolean
  withFilename: boolean
  failOnWarnings: boolean
  errorLevel: 'all' | 'warning' | 'error'
  showIgnored: boolean
  relative: boolean
  fix: boolean
  /** A pattern with placeholders such as `%{message}`; empty for the usual one. */
  logFormat: string
  format: 'text' | 'json' | 'sarif'
  codeClimateReportFile: string | undefined
  junitReportFile: string | undefined
  gitHubAnnotations: boolean
  listChecks: boolean
  ignorePaths: readonly string[]
  topScopeVariables: readonly string[]
  /** Folders of modules besides those of the checked code, for semantic checks. */
  modulepath: readonly string[]
  /** The names of the enabled checks. */
  readonly enabled: Set<string>
}

/** Creates the settings without any options. */
export function createLintSettings(env: Readonly<Record<string, string | undefined>>): LintSettings {
  return {
    withContext: false,
    withFilename: false,
    failOnWarnings: false,
    errorLevel: 'all',
    showIgnored: false,
    relative: false,
    fix: false,
    logFormat: '',
    format: 'text',
    codeClimateReportFile: env['CODECLIMATE_REPORT_FILE'],
    junitReportFile: undefined,
    gitHubAnnotations: env['GITHUB_ACTION'] !== undefined,
    listChecks: false,
    ignorePaths: ['vendor/**/*.pp'],
    topScopeVariables: [],
    modulepath: [],
    enabled: new Set(builtInChecks.filter(({ isOptional }) => !isOptional).map(({ name }) => name)),
  }
}

/** The enabled checks, in order. */
export function listEnabledChecks({ enabled }: LintSettings): readonly Check[] {
  return allChecks.filter(({ name }) => enabled.has(name))
}

/** The names of the enabled semantic checks. */
export function listEnabledSemanticChecks({ enabled }: LintSettings): ReadonlySet<string> {
  return new Set([...semanticRules.keys()].filter((name) => enabled.has(name)))
}
