import { inOneLine, PuppetError } from '../base/issue.ts'

/** What went wrong, in one line. */
export function wordsOf(error: unknown): string {
  if (error instanceof PuppetError) return inOneLine(error.diagnostic)
  return error instanceof Error ? error.message : String(error)
}
