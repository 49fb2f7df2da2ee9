import type { Token } from '../tokens/token.ts'
import type { Meter } from './meter.ts'

/**
 * Finds the titles of resources: the token before each colon. For a list of titles, puppet-lint searches from the last
 * `[` of the file, and finds nothing if that comes after the colon.
 */
export function findTitles(tokens: readonly Token[], meter: Meter): Token[] {
  const lastBracket = tokens.findLastIndex(({ type }) => type === 'LBRACK')
  const titles: Token[] = []
  for (const colon of tokens) {
    const title = colon.type === 'COLON' ? colon.previous : undefined
    if (title?.type === 'RBRACK') {
      meter.spend(Math.max(0, title.index - lastBracket))
      for (const token of tokens.slice(lastBracket + 1, Math.max(title.index, lastBracket + 1)))
        if (token.type === 'STRING' || token.type === 'NAME') titles.push(token)
    } else if (title && colon.nextCode && colon.nextCode.type !== 'LBRACE') titles.push(title)
  }
  return titles
}
