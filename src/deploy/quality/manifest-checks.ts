import { resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatDiagnosticLine, PuppetError } from '../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import type { BlobReader } from '../../code/environments/git/blob-bridge.ts'
import { checkCode } from '../../workbench/code-checks/check-code.ts'
import { CheckedCode } from '../../workbench/code-checks/code/checked-code.ts'
import { CodeWorkspace } from '../../workbench/code-index/code-workspace.ts'
import { formatManifest } from '../../workbench/format/format.ts'
import { isPlanFile } from '../../workbench/format/plan-files.ts'
import { removeIgnored } from '../../workbench/lint/files/find-files.ts'
import { decodeManifest } from '../../workbench/lint/lint-file.ts'
import { type LintOptions, lintManifest } from '../../workbench/lint/lint-manifest.ts'
import {
  type LintSettings,
  listEnabledChecks,
  listEnabledSemanticChecks,
} from '../../workbench/lint/options/lint-settings.ts'
import type { Problem } from '../../workbench/lint/problem.ts'
import type { FindSemanticProblems } from '../../workbench/lint/semantic-finding.ts'
import { CommitFiles } from './commit-files.ts'
import { readPushedOptions } from './pushed-options.ts'
import type { QualityAnswer, QualityQuestion } from './quality-answer.ts'
import { QualityResult } from './quality-result.ts'

/** Checks manifests of a commit with the linter and the formatter. An error in the options is an error of the linter. */
export async function checkManifests(
  { name, entries, manifests, lint, format, timeMs }: QualityQuestion,
  read: BlobReader['read'],
): Promise<QualityAnswer> {
  const until = performance.now() + timeMs
  const root = `/${name}`
  const files = new CommitFiles(root, entries, read)
  const result = new QualityResult()
  const settings = await readOptions(root, files, result)
  const options = lint && settings ? createLintOptions(root, files, settings) : undefined
  const paths = removeIgnored(
    manifests.map(({ path }) => path),
    settings?.ignorePaths ?? [],
  )
  for (const [at, path] of paths.entries()) {
    if (performance.now() > until) {
      result.unchecked = paths.length - at
      break
    }
    const bytes = files.readBytes(`${root}/${path}`, budgets.format.manifest.bound)
    if (!bytes) {
      result.unsupported.push(`${path}: the file is larger than ${budgets.format.manifest.bound} bytes`)
      continue
    }
    if (options)
      for (const problem of lintBytes(path, `${root}/${path}`, bytes, options)) result.addProblem(path, problem)
    if (format) checkFormat(path, bytes, isPlanFile(`${root}/${path}`, files.exists), result)
  }
  return result.toAnswer(settings?.failOnWarnings ?? false)
}

async function readOptions(root: string, files: CommitFiles, result: QualityResult): Promise<LintSettings | undefined> {
  try {
    return await readPushedOptions(root, files)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { message } = error
    result.addProblem('.puppet-lint.rc', { kind: 'error', check: 'options', message, line: 1, column: 1 })
    return undefined
  }
}

function createLintOptions(root: string, files: CommitFiles, settings: LintSettings): LintOptions {
  const { relative, topScopeVariables } = settings
  const checks = listEnabledChecks(settings)
  const findMore = createSemanticSearch(root, files, settings)
  return { checks, relative, topScopeVariables, findMore, today: new Date().toISOString().slice(0, 10) }
}

function createSemanticSearch(
  root: string,
  files: CommitFiles,
  settings: LintSettings,
): FindSemanticProblems | undefined {
  const enabled = listEnabledSemanticChecks(settings)
  if (enabled.size === 0) return undefined
  const modulepath = settings.modulepath.map((folder) => resolve(root, folder))
  const code = new CheckedCode(new CodeWorkspace(root, { modulepath, files }), settings.topScopeVariables)
  return (path) => checkCode(path, code, enabled)
}

function lintBytes(path: string, fullPath: string, bytes: Uint8Array, options: LintOptions): readonly Problem[] {
  const text = decodeManifest(bytes)
  return typeof text === 'string' ? lintManifest({ path, fullPath, text }, options).problems : [text]
}

/** Compares a manifest with its formatted text. A syntax error is a problem of the linter and of the parser. */
function checkFormat(path: string, bytes: Uint8Array, tasks: boolean, result: QualityResult): void {
  const text = decodeLosslessUtf8(bytes)
  try {
    if (formatManifest({ file: path, text }, { tasks }) !== text) result.addUnformatted(path)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    result.unsupported.push(formatDiagnosticLine(error.diagnostic))
  }
}
