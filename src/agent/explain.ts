import { PuppetError } from '../base/issue.ts'
import { errorText } from '../base/system-error.ts'

/** An error with its hint on a line of its own, unless that was `said` before. */
export function explained(error: unknown, said: Set<string> = new Set()): string {
  if (!(error instanceof PuppetError)) return errorText(error)
  const { hint } = error.diagnostic
  if (hint === undefined || said.has(hint)) return error.message
  said.add(hint)
  return `${error.message}\n${hint}`
}
