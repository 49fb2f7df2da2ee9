import type { Expression } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, hardLine, line } from '../layout/document.ts'
import { alignAssignments, printAssignment } from './assignments.ts'
import type { FormatContext } from './context.ts'

/** Statements of a body. */
export function listStatements(body: Expression): readonly Expression[] {
  return body.kind === 'Nop' ? [] : body.kind === 'Block' ? body.statements : [body]
}

/** Prints statements on lines of their own, with at most one empty line between two of them. */
export function printStatements(c: FormatContext, statements: readonly Expression[]): Document {
  const parts: Document[] = []
  const paddings = alignAssignments(statements)
  for (const [index, statement] of statements.entries()) {
    if (index > 0) parts.push(c.itemBreak(hardLine))
    const leading = c.leading()
    const isAssignment = statement.kind === 'Assignment'
    parts.push(leading, isAssignment ? printAssignment(statement, c, paddings[index]) : c.print(statement, true))
    if (c.at(';')) parts.push(printSemicolon(c))
  }
  return concat(parts)
}

/** Prints a semicolon only if the next statement would otherwise continue the statement before. */
function printSemicolon(c: FormatContext): Document {
  return ['-', '*', '{'].includes(c.pieceAfter.kind) ? c.take(';') : c.skip(';')
}

/** Prints a body in braces with its statements on lines of their own. */
export function printBody(c: FormatContext, body: Expression): Document {
  const open = c.take('{')
  const statements = listStatements(body)
  if (statements.length === 0) return c.closeEmpty(open, '}')
  return concat([open, c.close(concat([hardLine, printStatements(c, statements)]), hardLine, '}')])
}

/**
 * Prints a body in braces. A single statement that the author wrote on the line of its braces stays there if it fits;
 * the caller makes the group.
 */
export function printShortBody(c: FormatContext, body: Expression): Document {
  const statements = listStatements(body)
  if (statements.length !== 1) return printBody(c, body)
  const start = c.piece.end
  const open = c.take('{')
  const leading = c.leading()
  const statement = c.print(statements[0]!)
  const edge = c.hasLineBreakSince(start) ? hardLine : line
  return concat([open, c.close(concat([edge, leading, statement]), edge, '}')])
}

/** Prints an indented block between braces that is never empty. */
export function printBraces(c: FormatContext, printContent: () => Document): Document {
  const open = c.take('{')
  const content = printContent()
  return concat([open, c.close(concat([hardLine, content]), hardLine, '}')])
}
