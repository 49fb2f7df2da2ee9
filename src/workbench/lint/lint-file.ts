import { isAscii, isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { PuppetError } from '../../base/issue.ts'
import { getSystemErrorCode, isMissingFileError } from '../../base/system-error.ts'
import { toPrintableLine } from '../../base/text/printable.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'
import { replaceWritableFile } from '../../machine/system/writable-file.ts'
import type { FileReport } from './file-report.ts'
import { type LintOptions, lintManifest } from './lint-manifest.ts'
import { lintYaml } from './lint-yaml.ts'
import { type LintSettings, listEnabledChecks } from './options/lint-settings.ts'
import type { Problem } from './problem.ts'
import type { FindSemanticProblems } from './semantic-finding.ts'

interface FileOptions extends LintOptions {
  readonly withContext: boolean
}

/** Creates the function that checks a file, and corrects it if `fix` is set. */
export function createFileLinter(
  settings: LintSettings,
  now: Date,
  findMore?: FindSemanticProblems,
): (path: string) => Promise<FileReport> {
  const options: FileOptions = {
    checks: listEnabledChecks(settings),
    fix: settings.fix,
    relative: settings.relative,
    topScopeVariables: settings.topScopeVariables,
    today: now.toISOString().slice(0, 10),
    findMore,
    withContext: settings.withContext,
  }
  return (path) => lintFile(path, options)
}

async function lintFile(path: string, options: FileOptions): Promise<FileReport> {
  const fullPath = resolve(path)
  const text = readText(path)
  if (typeof text !== 'string') return { path, fullPath, problems: [text], lines: [], warnings: [] }
  const lines = options.withContext ? text.split('\n') : []
  if (/\.ya?ml$/i.test(path)) {
    const hasCheck = options.checks.some(({ name }) => name === 'legacy_facts')
    const problems = [...(hasCheck ? lintYaml(text) : []), ...listSemanticProblems(fullPath, options)]
    return { path, fullPath, problems, lines, warnings: [] }
  }
  if (path.endsWith('.epp')) {
    return { path, fullPath, problems: listSemanticProblems(fullPath, options), lines, warnings: [] }
  }
  const manifest = { path, fullPath, text }
  const { problems, fixed, warnings } = lintManifest(manifest, options)
  const failure = fixed === undefined || fixed === text ? undefined : await writeCorrection(path, fixed)
  if (!failure) return { path, fullPath, problems, lines, warnings }
  const remaining = lintManifest(manifest, { ...options, fix: false })
  return { path, fullPath, problems: [failure, ...remaining.problems], lines, warnings: remaining.warnings }
}

/** Problems of a file that has no control comments. */
function listSemanticProblems(fullPath: string, { findMore }: LintOptions): readonly Problem[] {
  return (findMore?.(fullPath) ?? []).map(({ check, severity: kind, message, at }) => ({ kind, check, message, ...at }))
}

/** Writes a corrected manifest. Returns the problem that prevents it. */
async function writeCorrection(path: string, text: string): Promise<Problem | undefined> {
  try {
    await replaceWritableFile(path, text)
    return undefined
  } catch (error) {
    if (error instanceof PuppetError || getSystemErrorCode(error) !== undefined)
      return toFileProblem(`file not corrected: ${(error as Error).message}`)
    throw error
  }
}

/** The problem of a file that cannot be read, checked or written. */
export function toFileProblem(message: string): Problem {
  return { kind: 'error', check: 'file', message: toPrintableLine(message), line: 1, column: 1 }
}

/** The text of a file, or the problem that prevents its checks. */
function readText(path: string): string | Problem {
  try {
    return decodeManifest(readBoundedFileSync(path, budgets.lint.fileBytes.bound))
  } catch (error) {
    if (isMissingFileError(error)) return toFileProblem('specified file does not exist')
    if (error instanceof PuppetError) return toSyntaxProblem(error.message)
    if (getSystemErrorCode(error) !== undefined) return toFileProblem((error as Error).message)
    throw error
  }
}

/** The text of a manifest's bytes, or the problem that prevents its checks. A policy package of SELinux is empty. */
export function decodeManifest(given: Uint8Array): string | Problem {
  const bytes = toBufferView(given)
  if (isSelinuxPolicy(bytes)) return ''
  // Text in ASCII takes a tenth of the time of other text.
  if (isAscii(bytes)) return bytes.toString('latin1')
  return isUtf8(bytes) ? bytes.toString() : toSyntaxProblem('invalid UTF-8')
}

function toSyntaxProblem(reason: string): Problem {
  return { kind: 'error', check: 'syntax', message: `Syntax error (${toPrintableLine(reason)})`, line: 1, column: 1 }
}

/** True for a policy package of SELinux, whose name also ends with `.pp`. */
function isSelinuxPolicy(bytes: Uint8Array): boolean {
  return bytes[0] === 0x8f && bytes[1] === 0xff && bytes[2] === 0x7c && bytes[3] === 0xf9
}
