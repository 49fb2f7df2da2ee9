import { getLineAndColumn } from '../../../base/source.ts'
import type { Expression, NodeOf } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document } from '../layout/document.ts'
import type { FormatContext } from './context.ts'
import { findWidest, printValue } from './pairs.ts'

/** Prints `left = right` with `padding` additional spaces before the operator. */
export function printAssignment(e: NodeOf<'Assignment'>, c: FormatContext, padding = ''): Document {
  return concat([c.print(e.left), padding, ' ', c.take('=', '+=', '-='), ' ', printValue(c, e.right)])
}

/** Assignments with their `=` beyond this column are not aligned. */
const maxAlignedColumn = 200

/**
 * Spaces before the `=` of each statement. Consecutive assignments stay aligned if the author aligned them; other
 * statements have none.
 */
export function alignAssignments(statements: readonly Expression[]): readonly string[] {
  const paddings: string[] = []
  for (let at = 0; at < statements.length; ) {
    const column = findColumn(statements[at]!)
    let end = at + 1
    while (column !== undefined && end < statements.length && findColumn(statements[end]!) === column) end++
    const widths = statements.slice(at, end).map(measureName)
    const widest = findWidest(widths)
    for (const width of widths) paddings.push(' '.repeat(widest - width))
    at = end
  }
  return paddings
}

/**
 * Column of the `=` of an assignment to a variable. Undefined for other statements, for an assignment that does not
 * start its line, and if anything but spaces precedes the `=`.
 */
function findColumn(statement: Expression): number | undefined {
  if (statement.kind !== 'Assignment' || statement.left.kind !== 'Variable') return undefined
  const { source, start, end } = statement.left.span
  const equals = statement.span.start
  const { column } = getLineAndColumn(source, equals)
  const lineStart = equals - column + 1
  if (column > maxAlignedColumn || start < lineStart) return undefined
  const around = source.text.slice(lineStart, start) + source.text.slice(end, equals)
  return end < equals && /^[ \t]*$/.test(around) ? column : undefined
}

function measureName(statement: Expression): number {
  if (statement.kind !== 'Assignment') return 0
  return statement.left.span.end - statement.left.span.start
}
