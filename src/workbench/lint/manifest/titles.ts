import type { Token } from '../tokens/token.ts'
import type { Meter } from './meter.ts'

/**
 * Finds the titles of resources: the token before each colon. For a list of titles, puppet-lint searches from the last
 * `[` of the file, and finds nothing if that comes after the colon.
 */
export function findTitles(tokens: readonly Token[], meter: Meter): Token[] {
  const lastBracket = tokens.findLastIndex(({ type }) => type === 'LBRACK')
  return tokens.flatMap((colon, index) => {
    if (colon.type !== 'COLON') return []
    const title = tokens[index - 1]
    if (!title) return []
    if (title.type === 'RBRACK') {
      const end = index - 1
      if (lastBracket >= end) return []
      meter.spend(end - lastBracket)
      return tokens.slice(lastBracket + 1, end).filter(({ type }) => type === 'STRING' || type === 'NAME')
    }
    return colon.nextCode && colon.nextCode.type !== 'LBRACE' ? [title] : []
  })
}
