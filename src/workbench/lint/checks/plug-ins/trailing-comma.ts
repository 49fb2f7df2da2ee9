import type { Manifest } from '../../manifest/manifest.ts'
import { Token, type TokenType } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import type { Check } from '../check.ts'

/** `trailing_comma` */
export const trailingComma: Check = {
  name: 'trailing_comma',
  doc: 'A comma follows the last element of a list that has a line for each element.',
  isOptional: true,
  check(manifest, report) {
    const reported = new Set<Token>()
    for (const { end, empty } of listCollections(manifest)) {
      const last = skipHeredoc(end?.previousCode)
      if (!last || last.type === empty || last.type === 'COMMA' || end?.type === 'SEMIC') continue
      const at = last.next
      // Of nested arrays, the end of the inner one is also taken for the end of the outer one.
      if (at?.type !== 'NEWLINE' || reported.has(at)) continue
      reported.add(at)
      const fix = (list: TokenList) => {
        list.placeBefore(new Token('COMMA', ','), at)
        return true
      }
      report({ severity: 'warning', message: 'missing trailing comma after last element', at, fix })
    }
  },
}

/** The beginning of a heredoc instead of its text. */
function skipHeredoc(last: Token | undefined): Token | undefined {
  if (last?.type !== 'HEREDOC' && last?.type !== 'HEREDOC_POST') return last
  let token: Token | undefined = last
  while (token && token.type !== 'HEREDOC_OPEN') token = token.previousCode
  return token
}

interface Collection {
  /** The token after the last element. */
  readonly end: Token | undefined
  /** The token before the first element, which has no comma after it. */
  readonly empty: TokenType
}

/** Resources, arrays, hashes and defaults of resources. */
function* listCollections(manifest: Manifest): Generator<Collection> {
  const { tokens } = manifest
  // A collection without an end is taken to end with the file.
  const last = tokens.at(-1)
  for (const resource of manifest.resources) yield { end: resource.tokens.at(-1), empty: 'COLON' }
  const findBracket = createForwardSearch(tokens, 'RBRACK')
  for (const token of tokens) {
    const before = token.previousCode?.type
    if (token.type === 'LBRACK' && before !== 'CLASSREF' && before !== 'TYPE')
      yield { end: findBracket(token.index) ?? last, empty: 'LBRACK' }
  }
  const braces = matchBraces(tokens)
  for (const token of tokens) {
    const before = token.previousCode?.type
    if (token.type !== 'LBRACE') continue
    if (before === 'EQUALS' || before === 'ISEQUAL' || before === 'FARROW' || before === 'LPAREN')
      yield { end: braces.get(token) ?? last, empty: 'LBRACE' }
  }
  const findBrace = createForwardSearch(tokens, 'RBRACE')
  for (const token of tokens) if (isDefaults(token)) yield { end: findBrace(token.index) ?? last, empty: 'LBRACE' }
}

/** True for the type in `File { … }`. */
function isDefaults({ type, nextCode, previousCode }: Token): boolean {
  if (type !== 'CLASSREF' || nextCode?.type !== 'LBRACE') return false
  const before = previousCode?.type
  return before !== undefined && before !== 'RSHIFT' && before !== 'MATCH' && before !== 'NOMATCH'
}

/** Finds the first token of a type after an index; the indexes of successive calls do not decrease. */
function createForwardSearch(tokens: readonly Token[], type: TokenType): (index: number) => Token | undefined {
  let at = 0
  return (index) => {
    at = Math.max(at, index + 1)
    while (at < tokens.length && tokens[at]!.type !== type) at++
    return tokens[at]
  }
}

function matchBraces(tokens: readonly Token[]): ReadonlyMap<Token, Token> {
  const open: Token[] = []
  const matches = new Map<Token, Token>()
  for (const token of tokens) {
    if (token.type === 'LBRACE') open.push(token)
    else if (token.type === 'RBRACE') {
      const opener = open.pop()
      if (opener) matches.set(opener, token)
    }
  }
  return matches
}
