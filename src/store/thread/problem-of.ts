import { inOneLine, PuppetError } from '../../base/issue.ts'

/** An error in a line, for who is told by a message. */
export function problemOf(error: unknown): string {
  return error instanceof PuppetError ? inOneLine(error.diagnostic) : (error as Error).message
}
