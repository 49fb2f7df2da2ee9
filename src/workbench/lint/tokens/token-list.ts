import { isFormatting, renderToken, type Token } from './token.ts'

/** The tokens of a manifest in the order in which they are printed. Corrections insert and delete tokens. */
export class TokenList {
  first: Token | undefined
  last: Token | undefined
  /** The line break of the manifest, for added lines. */
  readonly lineBreak: string

  /** Makes a list of tokens that are linked as they were read. */
  constructor(tokens: readonly Token[]) {
    this.first = tokens[0]
    this.last = tokens.at(-1)
    this.lineBreak = tokens.find(({ type }) => type === 'NEWLINE')?.value ?? '\n'
    for (const token of tokens) {
      token.after = token.next
      token.before = token.previous
    }
  }

  /** Inserts a token without linking it to the neighbors that corrections see. */
  placeBefore(token: Token, removablePlace: Token | undefined): void {
    const place = skipRemoved(removablePlace)
    token.isRemoved = false
    const before = place ? place.before : this.last
    token.before = before
    token.after = place
    if (before) before.after = token
    else this.first = token
    if (place) place.before = token
    else this.last = token
  }

  /** Removes a token without changing the links that corrections see. */
  unplace(token: Token): void {
    const { before, after } = token
    if (token.isRemoved) return
    if (before ? before.after !== token : this.first !== token) return
    if (before) before.after = after
    else this.first = after
    if (after) after.before = before
    else this.last = before
    token.isRemoved = true
  }

  /** Inserts a token before another one, or at the end, and links it to its neighbors. */
  insertBefore(token: Token, removablePlace: Token | undefined): void {
    const place = skipRemoved(removablePlace)
    const before = place ? place.before : this.last
    this.placeBefore(token, place)
    if (!before) return
    const { next } = before
    token.next = next
    token.previous = before
    if (next) next.previous = token
    const isCode = !isFormatting(token.type)
    if (isCode) {
      if (next) next.previousCode = token
      const nextCode = findCode(place, 'after')
      if (nextCode) {
        token.nextCode = nextCode
        nextCode.previousCode = token
      }
    }
    if (isFormatting(before.type)) {
      const previousCode = findCode(before, 'before')
      if (previousCode) {
        token.previousCode = previousCode
        previousCode.nextCode = token
      }
    } else token.previousCode = before
    before.next = token
    if (isCode) before.nextCode = token
  }

  /** Removes a token and links its neighbors to each other. */
  remove(token: Token): void {
    if (token.next) token.next.previous = token.previous
    if (token.previous) token.previous.next = token.next
    if (!isFormatting(token.type)) {
      if (token.previousCode) token.previousCode.nextCode = token.nextCode
      if (token.nextCode) token.nextCode.previousCode = token.previousCode
    }
    this.unplace(token)
  }

  /** Swaps two ranges of tokens, the first of which is before the second, and links all tokens as they are printed. */
  swap(first: TokenRange, second: TokenRange): void {
    const { before } = first.from
    const place = second.to.after
    const firstTokens = listRange(first)
    const secondTokens = listRange(second)
    const middle = first.to.after === second.from ? undefined : first.to.after
    for (const token of firstTokens) this.unplace(token)
    for (const token of secondTokens) this.unplace(token)
    for (const token of firstTokens) this.placeBefore(token, place)
    const start = middle ?? first.from
    for (const token of secondTokens) this.placeBefore(token, start)
    linkRange(before ?? secondTokens[0]!, place)
  }

  /** The text of the manifest. */
  render(): string {
    const texts: string[] = []
    for (let token = this.first; token; token = token.after) texts.push(renderToken(token))
    return texts.join('')
  }
}

/** The first token from a place on that is still printed. */
function skipRemoved(place: Token | undefined): Token | undefined {
  let token = place
  while (token?.isRemoved) token = token.after
  return token
}

/** The nearest token of code in a direction, from a token on. */
function findCode(from: Token | undefined, direction: 'after' | 'before'): Token | undefined {
  let token = from
  while (token && isFormatting(token.type)) token = token[direction]
  return token
}

/** A range of tokens in the order in which they are printed. */
export interface TokenRange {
  readonly from: Token
  /** The last token. */
  readonly to: Token
}

function listRange({ from, to }: TokenRange): Token[] {
  const tokens: Token[] = []
  for (let token: Token | undefined = from; token; token = token.after) {
    tokens.push(token)
    if (token === to) break
  }
  return tokens
}

/** Links tokens to their neighbors, from one on to another one or the end. */
function linkRange(from: Token, to: Token | undefined): void {
  let code = isFormatting(from.type) ? findCode(from, 'before') : from
  for (let token = from; token !== to && token.after; token = token.after) {
    const next: Token = token.after
    token.next = next
    next.previous = token
    if (isFormatting(next.type)) continue
    next.previousCode = code
    if (code) code.nextCode = next
    code = next
  }
}
