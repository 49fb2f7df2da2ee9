import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { allChecks } from '../checks/all-checks.ts'
import { plugInChecks } from '../checks/plug-ins/plug-in-checks.ts'
import { semanticRules } from '../checks/semantic-rules.ts'
import type { LintSettings } from './lint-settings.ts'

const issues = defineIssues({
  LINT_UNKNOWN_CHECK: {
    text: (a: { name: string }) => `--only-checks: unknown check '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, checkNames) ?? "'plumb lint --list-checks' prints the names.",
  },
  LINT_NO_CHECK: {
    text: () => '--only-checks: no check given',
    hint: () => "'plumb lint --list-checks' prints the names.",
  },
})

/** Names of all checks, in the order of `--list-checks`. */
export const checkNames: readonly string[] = [...allChecks.map(({ name }) => name), ...semanticRules.keys()]

/** An option of the linter, on the command line and in rc files. */
export interface LintOption {
  /** Flags in commander's syntax. */
  readonly flags: string
  readonly doc: string
  readonly choices?: readonly string[]
  /** The settings that the option changes. */
  set?(value: string): Partial<LintSettings>
  /** Changes the names of the enabled checks. */
  select?(enabled: Set<string>, value: string): unknown
}

const general: readonly LintOption[] = [
  { flags: '--with-context', doc: 'Print the line of each problem.', set: () => ({ withContext: true }) },
  {
    flags: '--with-filename',
    doc: 'Print the path before each problem; the default for several files.',
    set: () => ({ withFilename: true }),
  },
  { flags: '--fail-on-warnings', doc: 'Exit with 1 for warnings.', set: () => ({ failOnWarnings: true }) },
  {
    flags: '--error-level <level>',
    doc: 'Print only errors or only warnings: all, warning or error.',
    choices: ['all', 'warning', 'error'],
    set: (value) => ({ errorLevel: value as LintSettings['errorLevel'] }),
  },
  {
    flags: '--show-ignored',
    doc: 'Print the problems that control comments suppress.',
    set: () => ({ showIgnored: true }),
  },
  {
    flags: '--relative',
    doc: "Compare the path of a class without the name of the module's folder.",
    set: () => ({ relative: true }),
  },
  { flags: '-f, --fix', doc: 'Correct problems in the files.', set: () => ({ fix: true }) },
  {
    flags: '--log-format <format>',
    doc: 'Format of a problem, with %{path}, %{filename}, %{fullpath}, %{line}, %{column}, %{kind}, %{KIND}, %{check} and %{message}.',
    set: (value) => ({ logFormat: value }),
  },
  { flags: '--json', doc: 'Print JSON.', set: () => ({ format: 'json' }) },
  { flags: '--sarif', doc: 'Print SARIF 2.1.0.', set: () => ({ format: 'sarif' }) },
  {
    flags: '--codeclimate-report-file <file>',
    doc: 'Write a report for GitLab and Code Climate.',
    set: (value) => ({ codeClimateReportFile: value }),
  },
  {
    flags: '--junit-report-file <file>',
    doc: 'Write a report in the format of JUnit.',
    set: (value) => ({ junitReportFile: value }),
  },
  { flags: '--list-checks', doc: 'Print the names of all checks.', set: () => ({ listChecks: true }) },
  {
    flags: '--ignore-paths <patterns>',
    doc: 'Comma-separated patterns of paths to skip.',
    set: (value) => ({ ignorePaths: splitList(value) }),
  },
  {
    flags: '--top-scope-variables <names>',
    doc: 'Comma-separated variables of the top scope that are not facts.',
    set: (value) => ({ topScopeVariables: splitList(value) }),
  },
  {
    flags: '--only-checks <checks>',
    doc: 'Comma-separated names of the checks to run.',
    select: (enabled, value) => enableOnly(enabled, splitList(value)),
  },
  {
    flags: '--plug-ins',
    doc: 'Enable the checks of the plug-ins of Vox Pupuli.',
    select: (enabled) => {
      for (const { name } of plugInChecks) enabled.add(name)
    },
  },
  {
    flags: '--semantic',
    doc: 'Enable the checks that read the other files of the module or control repository, such as unknown_class.',
    select: (enabled) => {
      for (const name of semanticRules.keys()) enabled.add(name)
    },
  },
  {
    flags: '--modulepath <folders>',
    doc: 'Colon-separated folders with further modules, for the checks of --semantic.',
    set: (value) => ({ modulepath: value.split(':').filter((part) => part !== '') }),
  },
]

const splitList = (value: string): string[] => value.split(',').filter((part) => part !== '')

function enableOnly(enabled: Set<string>, names: readonly string[]): void {
  if (names.length === 0) throwIssue(issues.LINT_NO_CHECK, {})
  enabled.clear()
  for (const name of names) {
    if (!checkNames.includes(name)) throwIssue(issues.LINT_UNKNOWN_CHECK, { name })
    enabled.add(name)
  }
}

const isOptional = (name: string): boolean =>
  semanticRules.has(name) || allChecks.some((each) => each.name === name && each.isOptional === true)

const ofChecks: readonly LintOption[] = checkNames.flatMap((name): LintOption[] => {
  const disable: LintOption = {
    flags: `--no-${name}-check`,
    doc: `Skip the check ${name}.`,
    select: (enabled) => enabled.delete(name),
  }
  const enable: LintOption = {
    flags: `--${name}-check`,
    doc: `Run the check ${name}.`,
    select: (enabled) => enabled.add(name),
  }
  // Commander takes a flag for enabled unless its positive form comes first.
  return isOptional(name) ? [enable, disable] : [disable]
})

/** All options, in the order in which those of the command line take effect. */
export const lintOptions: readonly LintOption[] = [...general, ...ofChecks]

/** Applies an option with its value; the value of a flag is empty. Throws LINT_NO_CHECK, LINT_UNKNOWN_CHECK. */
export function applyLintOption({ set, select }: LintOption, value: string, settings: LintSettings): void {
  if (set) Object.assign(settings, set(value))
  select?.(settings.enabled, value)
}

/** The long name of an option, without dashes. */
export function getOptionName({ flags }: LintOption): string {
  const start = flags.indexOf('--') + 2
  const end = flags.indexOf(' ', start)
  return flags.slice(start, end === -1 ? undefined : end)
}
