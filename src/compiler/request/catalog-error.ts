import { type Diagnostic, inOneLine, isIssue, PuppetError } from '../../base/issue.ts'
import { positionOf } from '../../base/source.ts'
import { printable } from '../../base/text/printable.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { shownPath } from '../../code/environments/shown-path.ts'
import { findValidationError } from '../../language/syntax/validation/validation-error.ts'
import type { CompileLog, CompileRequest } from './compile-request.ts'
import { illegalJump } from './illegal-jump.ts'
import { issues } from './issues.ts'
import { diagnosticLog } from './log-line.ts'

/**
 * Why a catalog could not be made; its message ends with the node's name, as that of Puppet's compiler does, and not what
 * is said when a catalog is stored.
 */
export class CatalogError extends PuppetError {
  /** Logs of the compilation up to the error. */
  readonly logs: readonly CompileLog[]

  constructor(error: PuppetError, { node, environment }: CompileRequest, logs: readonly CompileLog[]) {
    super({ ...error.diagnostic, hint: hintIn(environment, error) }, { cause: error })
    const isStoring = isIssue(error, issues.INVALID_RELATIONSHIP)
    this.message = `${inOneLine(error.diagnostic)}${isStoring ? '' : ` on node ${node.name}`}`
    this.logs = logs
  }
}

/** The words of an error without the place and the node's name, so that those of many nodes can be compared; and the place. */
export interface BareError {
  readonly message: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly hint: string | undefined
}

/** The bare words of an error, with the innermost place that is known. */
export function bareError(error: PuppetError): BareError {
  const original = error instanceof CatalogError && error.cause instanceof PuppetError ? error.cause : error
  const { message, hint } = original.diagnostic
  const { span, wholeFile } = placedError(original)
  const { line, column } = span && !wholeFile ? positionOf(span.source, span.start) : {}
  return { message, file: span?.source.file, line, column, hint }
}

/** The error to throw for a stopped compilation, with all logs up to then; a bug of ours comes back unchanged. */
export function catalogError(thrown: unknown, request: CompileRequest, logs: readonly CompileLog[]): unknown {
  const error = thrown instanceof PuppetError ? thrown : illegalJump(thrown)
  if (!error) return thrown
  const said = findValidationError(error)?.said ?? []
  return new CatalogError(error, request, [...logs, ...said.map(diagnosticLog)])
}

/** The hint, after the place for who has the repository: there is no such folder as the message names. */
function hintIn(environment: CompileEnvironment, error: PuppetError): string | undefined {
  const place = placeIn(environment, placedError(error))
  const { hint } = error.diagnostic
  return place === undefined ? hint : [`In ${printable(place)}.`, hint].filter(Boolean).join(' ')
}

/** `main@1a2b3c4:manifests/site.pp, line 3` */
function placeIn(environment: CompileEnvironment, { span, wholeFile }: Diagnostic): string | undefined {
  const file = span?.source.file
  const path = file && shownPath(environment, file)
  if (!span || !path) return undefined
  return wholeFile ? path : `${path}, line ${positionOf(span.source, span.start).line}`
}

/** The innermost cause that has a place, for an error whose message alone names the place. */
function placedError({ diagnostic, cause }: PuppetError): Diagnostic {
  return diagnostic.span === undefined && cause instanceof PuppetError ? placedError(cause) : diagnostic
}
