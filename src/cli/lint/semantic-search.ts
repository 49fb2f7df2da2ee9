import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkCode } from '../../workbench/code-checks/check-code.ts'
import { CheckedCode } from '../../workbench/code-checks/code/checked-code.ts'
import { CodeWorkspace } from '../../workbench/code-index/code-workspace.ts'
import { type LintSettings, listEnabledSemanticChecks } from '../../workbench/lint/options/lint-settings.ts'
import type { FindSemanticProblems } from '../../workbench/lint/semantic-finding.ts'

/** The enabled semantic checks, in the module or control repository around the first file. */
export function createSemanticSearch(settings: LintSettings, first: string): FindSemanticProblems {
  const enabled = listEnabledSemanticChecks(settings)
  const modulepath = settings.modulepath.map((folder) => resolve(folder))
  const code = new CheckedCode(new CodeWorkspace(findRoot(first), { modulepath }), settings.topScopeVariables)
  return (fullPath) => checkCode(fullPath, code, enabled)
}

/** The folder of the control repository around a file, otherwise of its module, otherwise the current folder. */
function findRoot(file: string): string {
  const folders = listFoldersAround(resolve(file))
  const control = folders.find((folder) =>
    ['environment.conf', 'Puppetfile'].some((name) => existsSync(join(folder, name))),
  )
  return control ?? folders.find((folder) => existsSync(join(folder, 'metadata.json'))) ?? resolve('.')
}

function listFoldersAround(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...listFoldersAround(folder)]
}
