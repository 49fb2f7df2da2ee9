import { MiB } from '../../base/budgets/budget.ts'
import { budgets } from '../../base/budgets/budgets.ts'
import { getLineAndColumn, type SourceSpan } from '../../base/source.ts'
import { runToEnd } from '../../base/threads/cooperative-tasks.ts'
import { isDataFile } from '../code-index/data-keys.ts'
import { semanticRules } from '../lint/checks/semantic-rules.ts'
import type { SemanticFinding } from '../lint/semantic-finding.ts'
import { codeChecks, dataChecks } from './all-code-checks.ts'
import { CheckedFile } from './checked-file.ts'
import type { CheckedCode } from './code/checked-code.ts'

/** Runs the enabled semantic checks on a manifest, an EPP template or a file of Hiera data, by its absolute path. */
export function checkCode(path: string, code: CheckedCode, enabled: ReadonlySet<string>): readonly SemanticFinding[] {
  return runToEnd(checkCodeInSteps(path, code, enabled))
}

/** Like `checkCode`; yields after each check. */
export function* checkCodeInSteps(
  path: string,
  code: CheckedCode,
  enabled: ReadonlySet<string>,
): Generator<void, readonly SemanticFinding[]> {
  const findings: SemanticFinding[] = []
  const createReport =
    (check: string) =>
    (message: string, { source, start }: SourceSpan) => {
      if (findings.length >= budgets.lint.problems.bound) return
      const { line, column } = getLineAndColumn(source, start)
      findings.push({ check, severity: semanticRules.get(check)!.severity, message, at: { line, column } })
    }
  if (isDataFile(path)) {
    const text = code.workspace.text(path)
    if (text === undefined) return [tooLarge]
    for (const each of dataChecks) {
      yield
      if (enabled.has(each.name)) yield* each.check(path, text, code, createReport(each.name))
    }
    return findings
  }
  const file = code.workspace.file(path)
  if (!file) return [tooLarge]
  if (!file.program) return findings
  yield
  const checked = new CheckedFile(file)
  for (const each of codeChecks) {
    yield
    if (enabled.has(each.name)) each.check(checked, code, createReport(each.name))
  }
  return findings
}

/** The problem of a file that the linter read, but whose syntax tree would need too much memory. */
const tooLarge: SemanticFinding = {
  check: 'file',
  severity: 'error',
  message: `the file is larger than ${budgets.push.codeFile.bound / MiB} MiB, and semantic checks skip it`,
  at: { line: 1, column: 1 },
}
