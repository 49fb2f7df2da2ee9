import { allChecks } from '../../../src/workbench/lint/checks/all-checks.ts'
import { type LintResult, lintManifest } from '../../../src/workbench/lint/lint-manifest.ts'

/** How a text is checked. */
export interface LintTextOptions {
  readonly path?: string
  /** Names of checks; all checks by default. */
  readonly checks?: readonly string[]
  readonly fix?: boolean
  readonly today?: string
}

/** Checks a manifest. */
export function lintText(text: string, options: LintTextOptions = {}): LintResult {
  const { path = '/m/manifests/init.pp', checks, fix = false, today = '2026-06-15' } = options
  const enabled = allChecks.filter(({ name }) => checks === undefined || checks.includes(name))
  return lintManifest({ path, fullPath: path, text }, { checks: enabled, fix, today })
}

/** The problems as rows: check, kind, line, column, message. */
export function toRows({ problems }: LintResult): readonly unknown[] {
  return problems.map(({ check, kind, line, column, message }) => [check, kind, line, column, message])
}
