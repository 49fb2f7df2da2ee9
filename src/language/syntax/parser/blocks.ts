import type { SourceSpan } from '../../../base/source.ts'
import type { Block, Expression, Nop } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'

/** Parses the `{ … }` of a definition, lambda or case option. Returns a `Block`, or `Nop` if it is empty. */
export function blockBody(p: TokenCursor): Block | Nop {
  const open = p.expect('{')
  const statements = p.at('}') ? [] : p.parse.statements(p)
  const span = p.span(open, p.expect('}'))
  return statements.length === 0 ? { kind: 'Nop', span } : { kind: 'Block', span, statements }
}

/** Parses the `{ … }` of a conditional. Returns a single statement without a `Block`. */
export function branch(p: TokenCursor): Expression {
  const body = blockBody(p)
  return body.kind === 'Block' && body.statements.length === 1 ? body.statements[0]! : body
}

/** Combines statements into one expression. */
export function toBlock(p: TokenCursor, statements: readonly Expression[], span?: SourceSpan): Expression {
  if (statements.length === 1) return statements[0]!
  return { kind: 'Block', span: span ?? p.span(statements[0]!.span, statements.at(-1)!.span), statements }
}
