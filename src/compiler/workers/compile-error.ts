import { diagnose, PuppetError } from '../../base/issue.ts'
import { unpackError } from '../../base/packed-error.ts'
import { poolIssues } from './issues.ts'
import type { CompiledCatalog, JobFailure, JobLog, WorkerAnswer } from './job.ts'

/** A compilation that failed because of the code or its data; what was said before is with it. */
export class CompileError extends PuppetError {
  readonly logs: readonly JobLog[]

  constructor({ message, diagnostic: { hint } }: PuppetError, logs: readonly JobLog[]) {
    super(diagnose(poolIssues.COMPILE_FAILED, { message, hint }))
    this.logs = logs
  }
}

/** The catalog of an answer. Throws the failure. */
export function catalogOf(answer: WorkerAnswer): CompiledCatalog {
  if (answer.kind === 'catalog') return answer.catalog
  throw failureError(answer.failure)
}

function failureError({ error: packed, logs }: JobFailure): Error {
  const error = unpackError(packed)
  return error instanceof PuppetError ? new CompileError(error, logs) : error
}
