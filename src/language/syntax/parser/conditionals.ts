import type { Token } from '../lexer/token.ts'
import type { Case, CaseOption, Expression, If, Nop, Selector, SelectorEntry, Unless } from '../tree/nodes.ts'
import { blockBody, branch } from './blocks.ts'
import type { TokenCursor } from './cursor.ts'

/** Parses `if … { } elsif … { } else { }`. */
export function ifExpression(p: TokenCursor): If {
  return ifBranches(p, p.next())
}

function ifBranches(p: TokenCursor, word: Token): If {
  p.enter()
  const test = p.parse.expression(p)
  const brace = p.token
  const then = branch(p)
  const last = { ...p.span(brace), end: then.span.end }
  const otherwise = p.at('elsif') ? ifBranches(p, p.next()) : elseBranch(p, last.end)
  p.leave()
  return {
    kind: 'If',
    span: p.span(word, otherwise.kind === 'Nop' ? last : otherwise.span),
    test,
    then,
    else: otherwise,
  }
}

/** Parses `unless … { } else { }`. */
export function unlessExpression(p: TokenCursor): Unless {
  const word = p.next()
  const test = p.parse.expression(p)
  const then = branch(p)
  const otherwise = elseBranch(p, then.span.end)
  return { kind: 'Unless', span: p.span(word, then.span), test, then, else: otherwise }
}

function elseBranch(p: TokenCursor, end: number): Expression {
  if (p.accept('else')) return branch(p)
  const nothing: Nop = { kind: 'Nop', span: { source: p.source, start: end, end } }
  return nothing
}

/** Parses `case … { a, b: { } }`. */
export function caseExpression(p: TokenCursor): Case {
  const word = p.next()
  const test = p.parse.expression(p)
  p.expect('{')
  const options = [caseOption(p)]
  while (!p.at('}')) options.push(caseOption(p))
  return { kind: 'Case', span: p.span(word, p.expect('}')), test, options }
}

function caseOption(p: TokenCursor): CaseOption {
  const values = [p.parse.expression(p)]
  while (p.accept(',')) values.push(p.parse.expression(p))
  const colon = p.expect(':')
  const then = blockBody(p)
  return { kind: 'CaseOption', span: p.span(colon, then.span), values, then }
}

/** Parses `? { a => b }` or `? a => b` after the tested value. */
export function selector(p: TokenCursor, left: Expression): Selector {
  p.expect('?')
  const selectors: SelectorEntry[] = []
  let last: Token | undefined
  if (p.accept('?{')) {
    selectors.push(selectorEntry(p))
    while (p.accept(',') && !p.at('}')) selectors.push(selectorEntry(p))
    last = p.expect('}')
  } else selectors.push(selectorEntry(p))
  return { kind: 'Selector', span: p.span(left.span, last ?? selectors[0]!.value.span), left, selectors }
}

function selectorEntry(p: TokenCursor): SelectorEntry {
  const matching = p.parse.expression(p)
  const arrow = p.expect('=>')
  return { kind: 'SelectorEntry', span: p.span(arrow), matching, value: p.parse.expression(p) }
}
