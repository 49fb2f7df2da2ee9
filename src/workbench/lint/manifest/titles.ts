import type { Token } from '../tokens/token.ts'
import type { Meter } from './meter.ts'
import type { TokenIndex } from './token-index.ts'

/**
 * Finds the titles of resources: the token before each colon. For a list of titles, puppet-lint searches from the last
 * `[` of the file, and finds nothing if that comes after the colon.
 */
export function findTitles(index: TokenIndex, meter: Meter): Token[] {
  const lastBracket = index.select('LBRACK').at(-1)?.index ?? -1
  const titles: Token[] = []
  for (const colon of index.select('COLON')) {
    const title = colon.previous
    if (title?.type === 'RBRACK') {
      meter.spend(Math.max(0, title.index - lastBracket))
      for (const token of index.tokens.slice(lastBracket + 1, Math.max(title.index, lastBracket + 1)))
        if (token.type === 'STRING' || token.type === 'NAME') titles.push(token)
    } else if (title && colon.nextCode && colon.nextCode.type !== 'LBRACE') titles.push(title)
  }
  return titles
}
