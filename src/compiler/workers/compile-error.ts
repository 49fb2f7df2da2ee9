import { createDiagnostic, isIssue, PuppetError } from '../../base/issue.ts'
import { unpackError } from '../../base/threads/packed-error.ts'
import { exportIssues } from '../../store/exports/stored-exports.ts'
import type { BareError } from '../request/catalog-error.ts'
import type { CompiledCatalog, JobFailure, JobLog, WorkerAnswer } from './compile-job.ts'
import { poolIssues } from './issues.ts'

/** The error of a compilation that failed because of code or data, with the logs before the failure. */
export class CompileError extends PuppetError {
  readonly logs: readonly JobLog[]
  /** The message without node and location, and the location; undefined if code or data did not cause the failure. */
  readonly bare: BareError | undefined
  /** True if exported resources could not be collected: the compilation can succeed if the request is repeated. */
  readonly isTemporary: boolean

  constructor(error: PuppetError, { logs, bare }: Pick<JobFailure, 'logs' | 'bare'>) {
    const { message, diagnostic } = error
    super(createDiagnostic(poolIssues.COMPILE_FAILED, { message, hint: diagnostic.hint }))
    this.isTemporary = isIssue(error, exportIssues.EXPORTS_UNAVAILABLE)
    this.logs = logs
    this.bare = bare
  }
}

/** Returns the catalog in a reply. Throws if the job failed. */
export function getReplyCatalog(answer: WorkerAnswer): CompiledCatalog {
  if (answer.kind === 'catalog') return answer.catalog
  throw toFailureError(answer.failure)
}

function toFailureError(failure: JobFailure): Error {
  const error = unpackError(failure.error)
  return error instanceof PuppetError ? new CompileError(error, failure) : error
}
