import type { Token } from '../tokens/token.ts'

/** A correction that encloses a word in single quotes. */
export function quoteToken(token: Token): () => boolean {
  return () => {
    token.type = 'SSTRING'
    return true
  }
}
