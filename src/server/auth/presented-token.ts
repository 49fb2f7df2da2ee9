import { budgets } from '../../base/budgets/budgets.ts'
import type { DistinctHeaders } from './header-client.ts'

/** The token in a request's headers, or why what is there cannot be one. */
export type PresentedToken = { readonly token: string } | { readonly refused: string }

/**
 * The token of a request: in `X-Authentication`, as PuppetDB's clients send it, or as `Authorization: Bearer`. Of two it
 * would not be clear which is meant by whom; other kinds of authorization are a proxy's, and nothing to us.
 */
export function presentedToken(headers: DistinctHeaders): PresentedToken | undefined {
  const plain = headers['x-authentication'] ?? []
  const bearers = (headers['authorization'] ?? []).filter((each) => /^bearer(?: |$)/i.test(each))
  const all = [...plain, ...bearers.map((each) => each.slice('bearer '.length).trim())]
  const [token] = all
  if (token === undefined) return undefined
  if (all.length > 1) return { refused: 'there is more than one' }
  if (token === '') return { refused: 'it is empty' }
  return token.length > budgets.token.characters.bound ? { refused: 'it is too long' } : { token }
}
