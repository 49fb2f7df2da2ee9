import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { createLintSettings, type LintSettings } from '../../workbench/lint/options/lint-settings.ts'
import { applyRcFile } from '../../workbench/lint/options/rc-file.ts'
import type { CommitFiles } from './commit-files.ts'

const issues = defineIssues({
  PUSHED_RC_TOO_LARGE: {
    text: (a: { file: string }) => `${a.file} is larger than ${budgets.lint.rcFileBytes.bound} bytes`,
  },
})

const rcFile = '.puppet-lint.rc'

/**
 * Reads the options of the linter from `.puppet-lint.rc` at the root of a commit; `--config` includes other files of the
 * commit alone. Only options that choose checks, paths and the failure for warnings have an effect in a push. Throws
 * PUSHED_RC_TOO_LARGE, and the errors of an rc file.
 */
export async function readPushedOptions(root: string, files: CommitFiles): Promise<LintSettings> {
  const settings = createLintSettings({})
  const read = async (file: string) => {
    const path = join(root, file)
    if (!path.startsWith(`${root}/`) || !files.exists(path)) return undefined
    const bytes = files.readBytes(path, budgets.lint.rcFileBytes.bound)
    return bytes ? Buffer.from(bytes).toString('utf8') : throwIssue(issues.PUSHED_RC_TOO_LARGE, { file })
  }
  const text = await read(rcFile)
  if (text !== undefined) await applyRcFile(rcFile, text, settings, read)
  settings.fix = false
  return settings
}
