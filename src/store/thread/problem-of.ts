import { inOneLine, PuppetError } from '../../base/issue.ts'

/** Formats an error in one line, for a message between threads. */
export function problemOf(error: unknown): string {
  if (error instanceof PuppetError) return inOneLine(error.diagnostic)
  // An AggregateError contains one error for each address of the host.
  if (error instanceof AggregateError) return error.errors.map(problemOf).join('; ')
  return (error as Error).message
}
