import { type Diagnostic, formatDiagnosticLine, isIssue, PuppetError } from '../../base/issue.ts'
import { getLineAndColumn } from '../../base/source.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatCommitPath } from '../../code/environments/commit-path.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { findValidationError } from '../../language/syntax/validation/validation-error.ts'
import type { CompileLog, CompileRequest } from './compile-request.ts'
import { toIllegalJumpError } from './illegal-jump.ts'
import { issues } from './issues.ts'
import { toCompileLog } from './log-line.ts'

/**
 * The error of a failed compilation. As in Puppet's compiler, the message ends with the name of the node; for an error
 * in a catalog for the store, it does not.
 */
export class CatalogError extends PuppetError {
  /** Logs of the compilation before the error. */
  readonly logs: readonly CompileLog[]

  constructor(error: PuppetError, { node, environment }: CompileRequest, logs: readonly CompileLog[]) {
    super({ ...error.diagnostic, hint: addRepositoryLocation(environment, error) }, { cause: error })
    const isStoring = isIssue(error, issues.INVALID_RELATIONSHIP)
    this.message = `${formatDiagnosticLine(error.diagnostic)}${isStoring ? '' : ` on node ${node.name}`}`
    this.logs = logs
  }
}

/**
 * The location of an error, and its message without location and node name, for comparison with errors of other
 * nodes.
 */
export interface BareError {
  readonly message: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly hint: string | undefined
}

/** Returns the message without location and node name, and the innermost known location. */
export function toBareError(error: PuppetError): BareError {
  const original = error instanceof CatalogError && error.cause instanceof PuppetError ? error.cause : error
  const { message, hint } = original.diagnostic
  const { span, wholeFile } = findLocatedDiagnostic(original)
  const { line, column } = span && !wholeFile ? getLineAndColumn(span.source, span.start) : {}
  return { message, file: span?.source.file, line, column, hint }
}

/**
 * Returns the error to throw for a failed compilation, with all logs. An error that is a bug in Plumb is returned
 * unchanged.
 */
export function toCatalogError(thrown: unknown, request: CompileRequest, logs: readonly CompileLog[]): unknown {
  const error = thrown instanceof PuppetError ? thrown : toIllegalJumpError(thrown)
  if (!error) return thrown
  const said = findValidationError(error)?.said ?? []
  return new CatalogError(error, request, [...logs, ...said.map(toCompileLog)])
}

/** Returns the hint, preceded by the location in the repository, since the path in the message is virtual. */
function addRepositoryLocation(environment: CompileEnvironment, error: PuppetError): string | undefined {
  const place = formatRepositoryLocation(environment, findLocatedDiagnostic(error))
  const { hint } = error.diagnostic
  return place === undefined ? hint : [`In ${toPrintable(place)}.`, hint].filter(Boolean).join(' ')
}

/** Returns a location in the repository, such as `main@1a2b3c4:manifests/site.pp, line 3`. */
function formatRepositoryLocation(
  environment: CompileEnvironment,
  { span, wholeFile }: Diagnostic,
): string | undefined {
  const file = span?.source.file
  const path = file && formatCommitPath(environment, file)
  if (!span || !path) return undefined
  return wholeFile ? path : `${path}, line ${getLineAndColumn(span.source, span.start).line}`
}

/** Returns the diagnostic of the innermost cause, if the error itself has its location only in the message. */
function findLocatedDiagnostic({ diagnostic, cause }: PuppetError): Diagnostic {
  return diagnostic.span === undefined && cause instanceof PuppetError ? findLocatedDiagnostic(cause) : diagnostic
}
