import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable, toPrintableLine } from '../../base/text/printable.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { FileReport } from '../../workbench/lint/file-report.ts'
import { findFiles, removeIgnored } from '../../workbench/lint/files/find-files.ts'
import { lintFiles } from '../../workbench/lint/lint-files.ts'
import { applyLintOption, checkNames, getOptionName, lintOptions } from '../../workbench/lint/options/lint-options.ts'
import {
  createLintSettings,
  type LintSettings,
  listEnabledSemanticChecks,
} from '../../workbench/lint/options/lint-settings.ts'
import { formatCodeClimateReport } from '../../workbench/lint/report/code-climate.ts'
import { formatJsonReport } from '../../workbench/lint/report/json.ts'
import { formatJunitReport } from '../../workbench/lint/report/junit.ts'
import { formatSarifReport } from '../../workbench/lint/report/sarif.ts'
import { createTextFormatter } from '../../workbench/lint/report/text.ts'
import type { FindSemanticProblems } from '../../workbench/lint/semantic-finding.ts'
import { type CliCommand, type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { version } from '../command/version.ts'
import { loadRcFiles } from './rc-files.ts'

const issues = defineIssues({
  LINT_NO_FILE: {
    text: () => 'no file specified',
    hint: () => "Name manifests or folders: 'plumb lint manifests'.",
  },
})

const options = [
  { flags: '--no-config', doc: 'Do not read the default rc files.' },
  { flags: '-c, --config <file>', doc: 'Read options from a file, one a line.' },
  renderAs,
  ...lintOptions.map(({ flags, doc, choices }): Option => ({ flags, doc, ...(choices && { choices }) })),
] as readonly Option[]

/** Characters that are collected before they are written. */
const textOfWrite = 16_384

/** The command `plumb lint`. */
export const lintCommand: CliCommand = defineCommand({
  name: 'lint',
  summary: 'Check manifests against the style guide, and correct them.',
  description: `Prints the problems of manifests, and of legacy facts in YAML files. Checks, messages, options, rc files and control
comments are those of puppet-lint; the checks of the plug-ins of Vox Pupuli are included, but have to be enabled.
Options are read from /etc/puppet-lint.rc, ~/.puppet-lint.rc and .puppet-lint.rc, one a line, and then from the command
line. A comment after code, or a pair of comments around lines, suppresses a check:

  $x = "\${name}" # lint:ignore:only_variable_string the reason
  # lint:ignore:140chars until 2027-01-31
  # lint:endignore

With --semantic, it also reads the other files of the module or control repository, and reports names that do not exist,
values of the wrong type, missing files, unreachable code, and parameters and variables without use.

Exits with 0; with 1 if there are errors, if a file does not exist, or for warnings with --fail-on-warnings.

  plumb lint manifests
  plumb lint --semantic --modulepath modules .
  plumb lint --fix --only-checks trailing_whitespace,hard_tabs manifests/init.pp
  plumb lint --fail-on-warnings --codeclimate-report-file gl-code-quality-report.json .`,
  usage: '[paths...]',
  options,
  run: runLint,
})

async function runLint({ args, options: given, io }: CommandInvocation<readonly Option[]>): Promise<number> {
  const values = given as Readonly<Record<string, unknown>>
  const settings = createLintSettings(process.env)
  const config = values['config']
  await loadRcFiles(settings, typeof config === 'string' ? config : config !== false, io)
  applyOptions(values, settings)
  if (settings.listChecks) {
    io.out(checkNames.map((name) => `${name}\n`).join(''))
    return 0
  }
  const [first] = args
  if (first === undefined) return throwIssue(issues.LINT_NO_FILE, {})
  const templates = listEnabledSemanticChecks(settings).size > 0
  const files = findFiles(args, { skipLinks: settings.fix, templates })
  if (files.length > 1) settings.withFilename = true
  const reports = await printReports(removeIgnored(files, settings.ignorePaths), settings, io)
  await writeReports(reports, settings, io, first)
  const kinds = new Set(reports.flatMap(({ problems }) => problems.map(({ kind }) => kind)))
  return kinds.has('error') || (kinds.has('warning') && settings.failOnWarnings) ? 1 : 0
}

/** Applies the options of the command line in the order of the table. */
function applyOptions(values: Readonly<Record<string, unknown>>, settings: LintSettings): void {
  if (values['renderAs'] === 'json') settings.format = 'json'
  for (const option of lintOptions) {
    const name = getOptionName(option)
    const isNegative = name.startsWith('no-')
    const value = values[toCamelCase(isNegative ? name.slice(3) : name)]
    if (isNegative ? value === false : value === true) applyLintOption(option, '', settings)
    else if (typeof value === 'string') applyLintOption(option, value, settings)
  }
}

/** Commander's name of an option: `onlyChecks` for `only-checks`. */
function toCamelCase(name: string): string {
  const [first, ...rest] = name.split('-')
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

/** Opens the code around the first file if a semantic check is enabled. The other checks need no compiler in memory. */
async function openSemanticSearch(
  settings: LintSettings,
  first: string | undefined,
): Promise<FindSemanticProblems | undefined> {
  if (first === undefined || listEnabledSemanticChecks(settings).size === 0) return undefined
  const { createSemanticSearch } = await import('./semantic-search.ts')
  return createSemanticSearch(settings, first)
}

async function printReports(files: readonly string[], settings: LintSettings, io: Io): Promise<readonly FileReport[]> {
  const format = createTextFormatter(settings)
  const clean = (text: string) => (io.terminal ? text.split('\n').map(toPrintable).join('\n') : text)
  const reports: FileReport[] = []
  let text = ''
  const print = () => {
    if (text !== '') io.out(clean(text))
    text = ''
  }
  for await (const report of lintFiles(files, settings, new Date(), await openSemanticSearch(settings, files[0]))) {
    reports.push(report)
    if (report.warnings.length > 0) print()
    for (const warning of report.warnings) io.err(`WARNING: ${toPrintableLine(report.path)}: ${toPrintable(warning)}\n`)
    if (settings.format === 'text') text += format(report)
    if (text.length > textOfWrite || io.terminal) print()
    if (!report.problems.some(({ check }) => check === 'syntax')) continue
    print()
    io.err('Try running `plumb parser validate <file>`\n')
  }
  print()
  return reports
}

async function writeReports(
  reports: readonly FileReport[],
  settings: LintSettings,
  io: Io,
  path: string,
): Promise<void> {
  if (settings.format === 'json') io.out(formatJsonReport(reports, settings))
  if (settings.format === 'sarif') {
    const full = resolve(path)
    const folder = statSync(full, { throwIfNoEntry: false })?.isDirectory() ? full : dirname(full)
    io.out(formatSarifReport(reports, settings, folder, { name: 'plumb lint', version }))
  }
  const { codeClimateReportFile, junitReportFile } = settings
  if (codeClimateReportFile !== undefined)
    await localFiles.replace(codeClimateReportFile, formatCodeClimateReport(reports, settings), {})
  if (junitReportFile !== undefined) await localFiles.replace(junitReportFile, formatJunitReport(reports, settings), {})
}
