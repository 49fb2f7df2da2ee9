import { isKeyword } from '../lexer/token.ts'
import type { AttributeOperation, AttributesOperation, Operation } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'

/**
 * Parses a list such as `a => 1, b +> 2, * => $hash,`, which can be empty. As in Puppet, the list may start with a
 * comma.
 */
export function attributeOperations(p: TokenCursor): Operation[] {
  const operations: Operation[] = []
  if (startsAttribute(p)) operations.push(attribute(p))
  while (p.accept(',') && startsAttribute(p)) operations.push(attribute(p))
  return operations
}

/** True if the next tokens form an attribute and not a title. */
export function isAttribute(p: TokenCursor): boolean {
  return startsAttribute(p) && (p.kindAfter === '=>' || p.kindAfter === '+>')
}

function startsAttribute(p: TokenCursor): boolean {
  return p.at('NAME') || p.at('*') || isKeyword(p.kind)
}

function attribute(p: TokenCursor): AttributeOperation | AttributesOperation {
  const name = p.next()
  if (name.kind === '*') {
    p.expect('=>')
    const value = p.parse.expression(p)
    return { kind: 'AttributesOperation', span: p.span(name, value.span), value }
  }
  const operator = p.at('+>') ? '+>' : '=>'
  p.expect(operator)
  const value = p.parse.expression(p)
  return { kind: 'AttributeOperation', span: p.span(name, value.span), name: name.value, operator, value }
}
