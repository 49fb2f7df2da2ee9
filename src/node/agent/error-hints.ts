import { PuppetError } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'

/** An error's text, followed by its hint on a new line. Hints in `said` were printed before and are omitted. */
export function formatErrorWithHint(error: unknown, said: Set<string> = new Set()): string {
  const text = formatError(error)
  const hint = error instanceof PuppetError ? error.diagnostic.hint : undefined
  if (hint === undefined || said.has(hint)) return text
  said.add(hint)
  return `${text}\n${hint}`
}
