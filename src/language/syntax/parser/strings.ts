import type { Token } from '../lexer/token.ts'
import type { ConcatenatedString, Expression, Heredoc, LiteralString } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'

/** Parses a single-quoted string, or a bare word such as `foo-bar`. */
export function literalString(p: TokenCursor): LiteralString {
  return readText(p, p.next())
}

/** Parses `"text ${expression} text"` from its first piece; drops empty pieces. */
export function interpolatedString(p: TokenCursor): ConcatenatedString {
  const first = p.next()
  const segments: Expression[] = []
  addText(p, segments, first)
  for (;;) {
    const expression = p.parse.assignment(p)
    segments.push({ kind: 'TextExpression', span: { ...p.span(first), end: expression.span.end }, expression })
    const isLast = p.at('DQPOST')
    const text = isLast ? p.next() : p.expect('DQMID')
    addText(p, segments, text)
    if (isLast) return { kind: 'ConcatenatedString', span: p.span(first, text), segments }
  }
}

/** Parses `@(TAG)` and its text, which can start on a later line. */
export function heredoc(p: TokenCursor): Heredoc {
  const head = p.next()
  const text = p.at('DQPRE') ? interpolatedString(p) : readText(p, p.expect('STRING'))
  return { kind: 'Heredoc', span: p.span(head), syntax: head.value, text }
}

function addText(p: TokenCursor, segments: Expression[], token: Token): void {
  if (token.value !== '') segments.push(readText(p, token))
}

function readText(p: TokenCursor, token: Token): LiteralString {
  return { kind: 'LiteralString', span: p.span(token), value: token.value }
}
