import { budgets } from '../../base/budgets/budgets.ts'
import { type Diagnostic, defineIssues, PuppetError } from '../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { readBoundedFile } from '../../machine/system/bounded-file.ts'
import { replaceWritableFile } from '../../machine/system/writable-file.ts'
import { formatManifest } from '../../workbench/format/format.ts'
import { isPlanFile } from '../../workbench/format/plan-files.ts'

const issues = defineIssues({
  FILE_NOT_FORMATTED: { text: (a: { reason: string }) => a.reason },
})

/** The result for one manifest: `changed` if the formatted text is different. */
export type FormatResult =
  | { readonly path: string; readonly status: 'unchanged' | 'changed'; readonly before: string; readonly after: string }
  | { readonly path: string; readonly status: 'error'; readonly diagnostic: Diagnostic }

/** Formats a text, without writing. Errors become part of the result. */
export function formatText(path: string, before: string, width: number): FormatResult {
  try {
    const after = formatManifest({ file: path, text: before }, { width, tasks: isPlanFile(path) })
    return { path, status: before === after ? 'unchanged' : 'changed', before, after }
  } catch (error) {
    return createFailure(path, error)
  }
}

/** Formats a file, without writing. Errors become part of the result. */
export async function formatFile(path: string, width: number): Promise<FormatResult> {
  try {
    return formatText(path, decodeLosslessUtf8(await readBoundedFile(path, budgets.format.manifest.bound)), width)
  } catch (error) {
    return createFailure(path, error)
  }
}

/** Replaces the file with the formatted text, atomically. A symbolic link keeps leading to the file. */
export async function writeResult(result: FormatResult): Promise<FormatResult> {
  if (result.status !== 'changed') return result
  const { path, after } = result
  try {
    await replaceWritableFile(path, after)
    return result
  } catch (error) {
    return createFailure(path, error)
  }
}

/** The result for a path whose formatting threw an error. Other errors than those of files and code are bugs. */
export function createFailure(path: string, error: unknown): FormatResult {
  if (error instanceof PuppetError) return { path, status: 'error', diagnostic: error.diagnostic }
  if (!(error instanceof Error) || !('syscall' in error)) throw error
  return createFileFailure(path, formatError(error))
}

/** The result for a path whose thread ended. */
export function createThreadFailure(path: string, { message }: Error): FormatResult {
  return createFileFailure(path, `${path} was not formatted: ${message}`)
}

function createFileFailure(path: string, message: string): FormatResult {
  const { code } = issues.FILE_NOT_FORMATTED
  return { path, status: 'error', diagnostic: { code, severity: 'error', message, span: undefined, hint: undefined } }
}
