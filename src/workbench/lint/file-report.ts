import { basename } from 'node:path'
import type { Problem } from './problem.ts'

/** The problems of one file, for reports. */
export interface FileReport {
  /** The path as given. */
  readonly path: string
  readonly fullPath: string
  readonly problems: readonly Problem[]
  /** Lines of the file; empty without `--with-context`. */
  readonly lines: readonly string[]
  /** Messages that are no problems of the code. */
  readonly warnings: readonly string[]
}

/** The fields of a problem that `--json` and `--log-format` have. */
export interface ProblemFields {
  readonly message: string
  readonly line: number
  readonly column: number
  readonly kind: Problem['kind']
  readonly check: string
  readonly fullpath: string
  readonly path: string
  readonly filename: string
  readonly KIND: string
  readonly reason?: string
  readonly context?: string
}

/** The fields of a problem. */
export function toProblemFields(
  { message, line, column, kind, check, reason }: Problem,
  { path, fullPath }: Pick<FileReport, 'path' | 'fullPath'>,
): ProblemFields {
  return {
    message,
    line,
    column,
    kind,
    check,
    fullpath: fullPath,
    path,
    filename: basename(path),
    KIND: kind.toUpperCase(),
    ...(reason !== undefined && { reason }),
  }
}
