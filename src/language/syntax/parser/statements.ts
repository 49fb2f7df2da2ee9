import type { Assignment, Expression, Relationship } from '../tree/nodes.ts'
import type { TokenCursor } from './cursor.ts'
import { resource, startsResource } from './resources.ts'
import { type CommaList, transformCalls } from './statement-calls.ts'

/** Parses one or more statements, optionally separated by `;`. */
export function statements(p: TokenCursor): Expression[] {
  p.enter()
  const list: (Expression | CommaList)[] = []
  do list.push(statement(p))
  while (p.accept(';') || startsResource(p.kind))
  p.leave()
  p.lookAhead()
  return transformCalls(p, list)
}

function statement(p: TokenCursor): Expression | CommaList {
  const first = assignment(p)
  const comma = p.token
  if (comma.kind !== ',') return first
  const values = [first]
  while (p.accept(',')) values.push(assignment(p))
  return { kind: 'CommaList', comma, values }
}

/** Parses `$a = $b = …`, or an operand of `=`. */
export function assignment(p: TokenCursor): Expression {
  const left = relationship(p)
  if (!p.at('=') && !p.at('+=') && !p.at('-=')) return left
  p.enter(2)
  const token = p.next()
  const operator = token.kind as Assignment['operator']
  const result: Assignment = { kind: 'Assignment', span: p.span(token), operator, left, right: assignment(p) }
  p.leave(2)
  return result
}

function relationship(p: TokenCursor): Expression {
  let left = resource(p)
  let levels = 0
  while (p.at('->') || p.at('~>') || p.at('<-') || p.at('<~')) {
    p.enter()
    levels++
    const token = p.next()
    const operator = token.kind as Relationship['operator']
    left = { kind: 'Relationship', span: p.span(token), operator, left, right: resource(p) }
  }
  p.leave(levels)
  return left
}
