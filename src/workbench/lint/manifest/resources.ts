import type { Token } from '../tokens/token.ts'
import type { Meter } from './meter.ts'
import { SyntaxFault } from './syntax-fault.ts'
import type { TokenIndex } from './token-index.ts'
import { closers } from './token-search.ts'

/** The body of a resource, from the colon after its title to the `;` or `}` that ends it. */
export interface Resource {
  /** The token before the brace that opens the resource: usually the name of the type. */
  readonly type: Token | undefined
  readonly tokens: readonly Token[]
  /** The names of the attributes. */
  readonly parameters: readonly Token[]
  /** The arrows, braces and semicolons of the body, those of values included. */
  readonly outline: readonly Token[]
  /** The arrows of the body. */
  readonly arrows: readonly Token[]
}

/** Finds the resources. The search ends at a colon within the resource before it. Throws SyntaxFault. */
export function findResources(index: TokenIndex, meter: Meter): Resource[] {
  const resources: Resource[] = []
  const braces = index.select('LBRACE')
  let end = 0
  let brace: Token | undefined
  let scanned = 0
  for (const colon of index.select('COLON')) {
    if (!colon.nextCode || colon.nextCode.type === 'LBRACE') continue
    if (followsReference(colon, meter)) continue
    const start = colon.index
    if (start < end) break
    const body = readBody(colon)
    end = body.closing.index
    for (; scanned < braces.length && braces[scanned]!.index < start; scanned++)
      if (braces[scanned]!.previousCode?.type !== 'QMARK') brace = braces[scanned]
    if (!brace) throw new SyntaxFault(colon)
    const { parameters, outline, arrows } = body
    const tokens = index.tokens.slice(start, end + 1)
    resources.push({ type: brace.previousCode, tokens, parameters, outline, arrows })
  }
  return resources
}

/** True if a reference such as `File` comes before the colon, without a name between them. */
function followsReference(colon: Token, meter: Meter): boolean {
  let steps = 0
  for (let token = colon.previousCode; token; token = token.previousCode) {
    steps++
    if (token.type === 'CLASSREF' || token.type === 'NAME') {
      meter.spend(steps)
      return token.type === 'CLASSREF'
    }
  }
  meter.spend(steps)
  return false
}

/** Reads the body of a resource up to the token that closes it. Throws SyntaxFault. */
function readBody(colon: Token): Pick<Resource, 'parameters' | 'outline' | 'arrows'> & { readonly closing: Token } {
  const parameters: Token[] = []
  const outline: Token[] = []
  const arrows: Token[] = []
  const open: string[] = []
  let closer: string | undefined
  for (let token = colon.next; token; token = token.next) {
    const { type } = token
    switch (type) {
      case 'NAME':
        if (closer === undefined && token.nextCode?.type === 'FARROW') parameters.push(token)
        break
      case 'FARROW':
        outline.push(token)
        arrows.push(token)
        break
      case 'SEMIC':
      case 'RBRACE':
        outline.push(token)
        if (closer === undefined) return { parameters, outline, arrows, closing: token }
        if (type === closer) {
          open.pop()
          closer = open.at(-1)
        }
        break
      case 'RBRACK':
      case 'RPAREN':
        if (type === closer) {
          open.pop()
          closer = open.at(-1)
        }
        break
      case 'LBRACE':
      case 'LBRACK':
      case 'LPAREN':
        if (type === 'LBRACE') outline.push(token)
        closer = closers[type]!
        open.push(closer)
        break
    }
  }
  throw new SyntaxFault(colon)
}
