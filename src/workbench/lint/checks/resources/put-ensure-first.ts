import type { Resource } from '../../manifest/resources.ts'
import { findNext, findNextName } from '../../manifest/token-search.ts'
import type { TokenList } from '../../tokens/token-list.ts'

/** Swaps the first attribute of a resource with `ensure`. */
export function putEnsureFirst({ parameters, tokens }: Resource, list: TokenList): boolean {
  const first = parameters[0]
  const firstComma = first && findNext(first, 'COMMA')
  const ensure = firstComma && findNextName(firstComma, 'ensure')
  const closing = tokens.at(-1)
  if (!ensure || !closing) return false
  // Without a comma of its own, the attribute ends at the last token of the resource.
  const comma = findNext(ensure, 'COMMA', 'SEMIC', 'RBRACE')
  const firstEnd = firstComma.before
  const ensureEnd = comma === closing ? closing.previousCode : comma?.before
  if (!firstEnd || !ensureEnd) return false
  list.swap({ from: first, to: firstEnd }, { from: ensure, to: ensureEnd })
  return true
}
