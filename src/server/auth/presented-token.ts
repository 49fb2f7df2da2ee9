import { budgets } from '../../base/budgets/budgets.ts'
import type { DistinctHeaders } from './header-client.ts'

/** The token in a request's headers, or the reason why it is invalid. */
export type PresentedToken = { readonly token: string } | { readonly refused: string }

/**
 * Reads the token of a request from `X-Authentication`, as PuppetDB's clients send it, or from
 * `Authorization: Bearer`. More than one token is refused as ambiguous; other authorization schemes
 * are ignored, since they may be for a proxy.
 */
export function readPresentedToken(headers: DistinctHeaders): PresentedToken | undefined {
  const plain = headers['x-authentication'] ?? []
  const bearers = (headers['authorization'] ?? []).filter((each) => /^bearer(?: |$)/i.test(each))
  const all = [...plain, ...bearers.map((each) => each.slice('bearer '.length).trim())]
  const [token] = all
  if (token === undefined) return undefined
  if (all.length > 1) return { refused: 'the request contains more than one' }
  if (token === '') return { refused: 'it is empty' }
  return token.length > budgets.token.characters.bound ? { refused: 'it is too long' } : { token }
}
