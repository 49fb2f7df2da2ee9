import { formatDiagnosticLine, PuppetError } from '../../base/issue.ts'

/** Formats an error in one line, for a message between threads. */
export function formatProblem(error: unknown): string {
  if (error instanceof PuppetError) return formatDiagnosticLine(error.diagnostic)
  // An AggregateError contains one error for each address of the host.
  if (error instanceof AggregateError) return error.errors.map(formatProblem).join('; ')
  return (error as Error).message
}
