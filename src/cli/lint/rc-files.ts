import { homedir } from 'node:os'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { LintSettings } from '../../workbench/lint/options/lint-settings.ts'
import { applyRcFile } from '../../workbench/lint/options/rc-file.ts'

/** Applies the default rc files unless `config` is false, and then the given one. A file that does not exist is empty. */
export async function loadRcFiles(settings: LintSettings, config: string | boolean): Promise<void> {
  const defaults = ['/etc/puppet-lint.rc', join(homedir(), '.puppet-lint.rc'), '.puppet-lint.rc']
  const files = [...(config === false ? [] : defaults), ...(typeof config === 'string' ? [config] : [])]
  for (const file of files) {
    const text = await readOptions(file)
    if (text !== undefined) await applyRcFile(file, text, settings, readOptions)
  }
}

async function readOptions(file: string): Promise<string | undefined> {
  return (await localFiles.readWithin(file, budgets.lint.rcFileBytes.bound))?.toString('utf8')
}
