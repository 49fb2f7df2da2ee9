import { diagnose, PuppetError } from '../../base/issue.ts'
import { unpackError } from '../../base/threads/packed-error.ts'
import type { BareError } from '../request/catalog-error.ts'
import { poolIssues } from './issues.ts'
import type { CompiledCatalog, JobFailure, JobLog, WorkerAnswer } from './job.ts'

/** A compilation that failed because of the code or its data; what was said before is with it. */
export class CompileError extends PuppetError {
  readonly logs: readonly JobLog[]
  /** Its words without node and place, and the place; absent where the code was not at fault. */
  readonly bare: BareError | undefined

  constructor({ message, diagnostic: { hint } }: PuppetError, { logs, bare }: Pick<JobFailure, 'logs' | 'bare'>) {
    super(diagnose(poolIssues.COMPILE_FAILED, { message, hint }))
    this.logs = logs
    this.bare = bare
  }
}

/** The catalog of an answer. Throws the failure. */
export function catalogOf(answer: WorkerAnswer): CompiledCatalog {
  if (answer.kind === 'catalog') return answer.catalog
  throw failureError(answer.failure)
}

function failureError(failure: JobFailure): Error {
  const error = unpackError(failure.error)
  return error instanceof PuppetError ? new CompileError(error, failure) : error
}
