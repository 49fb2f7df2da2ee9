import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkCode } from '../../../src/workbench/code-checks/check-code.ts'
import { CheckedCode } from '../../../src/workbench/code-checks/code/checked-code.ts'
import { CodeWorkspace } from '../../../src/workbench/code-index/code-workspace.ts'
import { semanticRules } from '../../../src/workbench/lint/checks/semantic-rules.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Files by their paths. */
export type Files = Readonly<Record<string, string>>

/** Writes files below a new folder, and returns the folder. */
export function writeCode(files: Files): string {
  const root = scratchFolder('code')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

/** The problems of files in a control repository, as `CHECK LINE:COLUMN MESSAGE` with the path if it is not the first one. */
export function checkFiles(files: Files, only: readonly string[] = [...semanticRules.keys()]): readonly string[] {
  const root = writeCode({ 'environment.conf': '', ...files })
  const code = new CheckedCode(new CodeWorkspace(root))
  return Object.keys(files)
    .filter((name) => /\.(?:pp|epp|yaml)$/.test(name) && !name.endsWith('hiera.yaml'))
    .flatMap((name) =>
      checkCode(join(root, name), code, new Set(only)).map(
        ({ check, at, message }) => `${name} ${at.line}:${at.column} ${check}: ${message}`,
      ),
    )
}
