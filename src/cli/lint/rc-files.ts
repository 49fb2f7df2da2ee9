import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { LintSettings } from '../../workbench/lint/options/lint-settings.ts'
import { applyRcFile } from '../../workbench/lint/options/rc-file.ts'
import { printMessage, type Terminal } from '../command/messages.ts'

const issues = defineIssues({
  LINT_REPORT_ELSEWHERE: {
    text: (a: { path: string }) => `${folderFile}: the report file ${a.path} is not in a folder below the current one`,
    hint: () => 'Name the file on the command line.',
  },
})

/** The rc file of the current folder. Authors of the code can change it, so it may neither correct files nor write elsewhere. */
const folderFile = '.puppet-lint.rc'

/**
 * Applies the default rc files unless `config` is false, and then the given one. A file that does not exist is empty.
 * Throws LINT_REPORT_ELSEWHERE.
 */
export async function loadRcFiles(settings: LintSettings, config: string | boolean, terminal: Terminal): Promise<void> {
  const trusted = ['/etc/puppet-lint.rc', join(homedir(), '.puppet-lint.rc')]
  if (config !== false) {
    for (const file of trusted) await loadRcFile(file, settings)
    const before = { ...settings }
    await loadRcFile(folderFile, settings)
    restrict(settings, before, terminal)
  }
  if (typeof config === 'string') await loadRcFile(config, settings)
}

async function loadRcFile(file: string, settings: LintSettings): Promise<void> {
  const text = await readOptions(file)
  if (text !== undefined) await applyRcFile(file, text, settings, readOptions)
}

/** Takes back what the rc file of the current folder may not change. */
function restrict(settings: LintSettings, before: LintSettings, terminal: Terminal): void {
  if (settings.fix && !before.fix) {
    settings.fix = false
    printMessage('Warning', `${folderFile}: --fix is ignored`, terminal, 'Use --fix on the command line.')
  }
  for (const name of ['codeClimateReportFile', 'junitReportFile'] as const) {
    const path = settings[name]
    if (path !== undefined && path !== before[name] && !isBelowCurrentFolder(path))
      throwIssue(issues.LINT_REPORT_ELSEWHERE, { path })
  }
}

/** True if a file would be written below the current folder, also if links lead to its folder. */
function isBelowCurrentFolder(path: string): boolean {
  try {
    const way = relative(realpathSync('.'), realpathSync(dirname(resolve(path))))
    return way !== '..' && !way.startsWith(`..${sep}`)
  } catch (error) {
    if (getSystemErrorCode(error) === undefined) throw error
    return false
  }
}

async function readOptions(file: string): Promise<string | undefined> {
  return (await localFiles.readWithin(file, budgets.lint.rcFileBytes.bound))?.toString('utf8')
}
