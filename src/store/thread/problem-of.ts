import { inOneLine, PuppetError } from '../../base/issue.ts'

/** An error in a line, for who is told by a message. */
export function problemOf(error: unknown): string {
  if (error instanceof PuppetError) return inOneLine(error.diagnostic)
  // Each address of a host was tried.
  if (error instanceof AggregateError) return error.errors.map(problemOf).join('; ')
  return (error as Error).message
}
