import type { Token } from '../tokens/token.ts'
import type { Meter } from './meter.ts'
import { SyntaxFault } from './syntax-fault.ts'
import { findNext } from './token-search.ts'

/** The body of a resource, from the colon after its title to the `;` or `}` that ends it. */
export interface Resource {
  /** The token before the brace that opens the resource: usually the name of the type. */
  readonly type: Token | undefined
  readonly tokens: readonly Token[]
  /** The names of the attributes. */
  readonly parameters: readonly Token[]
}

/** Finds the resources. The search ends at a colon within the resource before it. Throws SyntaxFault. */
export function findResources(tokens: readonly Token[], meter: Meter): Resource[] {
  const resources: Resource[] = []
  let end = 0
  let brace: Token | undefined
  let scanned = 0
  for (const colon of tokens) {
    if (colon.type !== 'COLON' || !colon.nextCode || colon.nextCode.type === 'LBRACE') continue
    if (followsReference(colon, meter)) continue
    const start = colon.index
    if (start < end) break
    const closing = findNext(colon, 'SEMIC', 'RBRACE')
    if (!closing) throw new SyntaxFault(colon)
    end = closing.index
    for (; scanned < start; scanned++) {
      const token = tokens[scanned]!
      if (token.type === 'LBRACE' && token.previousCode?.type !== 'QMARK') brace = token
    }
    if (!brace) throw new SyntaxFault(colon)
    const body = tokens.slice(start, end + 1)
    resources.push({ type: brace.previousCode, tokens: body, parameters: findParameterNames(colon, end) })
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

function findParameterNames(colon: Token, end: number): Token[] {
  const names: Token[] = []
  if (!colon.previous) return names
  for (let name = findNext(colon.previous, 'NAME'); name; name = findNext(name, 'NAME')) {
    if (name.index > end) break
    if (name.nextCode?.type === 'FARROW') names.push(name)
  }
  return names
}
