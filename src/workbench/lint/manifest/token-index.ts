import type { Token, TokenType } from '../tokens/token.ts'

const none: readonly Token[] = []

/** The tokens of a manifest by their types, so that a check reads only tokens that concern it. */
export class TokenIndex {
  readonly tokens: readonly Token[]
  readonly #groups = new Map<string, Token[]>()

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
    for (const token of tokens) {
      const group = this.#groups.get(token.type)
      if (group) group.push(token)
      else this.#groups.set(token.type, [token])
    }
  }

  /** The tokens of some types, in order. */
  select(...types: readonly TokenType[]): readonly Token[] {
    if (types.length === 1) return this.#groups.get(types[0]!) ?? none
    const key = types.join(' ')
    const known = this.#groups.get(key)
    if (known) return known
    let merged: Token[] = []
    for (const type of types) merged = merge(merged, this.#groups.get(type) ?? [])
    this.#groups.set(key, merged)
    return merged
  }

  /** The tokens of some types between two positions, including both. */
  selectRange(start: number, end: number, ...types: readonly TokenType[]): readonly Token[] {
    const all = this.select(...types)
    return all.slice(findPosition(all, start), findPosition(all, end + 1))
  }
}

/** Merges lists of tokens that are in order. */
function merge(left: Token[], right: Token[]): Token[] {
  if (left.length === 0) return right
  if (right.length === 0) return left
  const merged: Token[] = []
  let at = 0
  for (const token of left) {
    while (at < right.length && right[at]!.index < token.index) merged.push(right[at++]!)
    merged.push(token)
  }
  while (at < right.length) merged.push(right[at++]!)
  return merged
}

/** The position in a list of the first token that is not before a position of the manifest. */
function findPosition(list: readonly Token[], index: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.index < index) low = middle + 1
    else high = middle
  }
  return low
}
