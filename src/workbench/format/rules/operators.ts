import type { Expression, NodeOf } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, group, hardLine, indent, isForced, line } from '../layout/document.ts'
import { printAssignment } from './assignments.ts'
import type { FormatContext, Rules } from './context.ts'
import { listLayouts, printEntries } from './lists.ts'
import { printPair, printSinglePair } from './pairs.ts'

type OperatorKind =
  | 'And'
  | 'Or'
  | 'In'
  | 'Arithmetic'
  | 'Comparison'
  | 'Match'
  | 'Relationship'
  | 'Assignment'
  | 'Not'
  | 'UnaryMinus'
  | 'Unfold'
  | 'Parenthesized'
  | 'Selector'
  | 'SelectorEntry'

/** Rules for operators. */
export const operatorRules: Rules<OperatorKind> = {
  And: printChain,
  Or: printChain,
  In: printChain,
  Arithmetic: printChain,
  Comparison: printChain,
  Match: printChain,
  Relationship: printChain,
  Assignment: (e, c) => printAssignment(e, c),
  Not: printPrefix,
  UnaryMinus: printPrefix,
  Unfold: printPrefix,
  Parenthesized: printParenthesized,
  Selector: printSelector,
  SelectorEntry: (e, c) => printSinglePair(printPair(c, () => c.print(e.matching), e.value)),
}

type Binary = NodeOf<'And' | 'Or' | 'In' | 'Arithmetic' | 'Comparison' | 'Match' | 'Relationship'>

/**
 * Prints operands joined by operators of one kind. A broken chain has each operator at the start of a line, without
 * further indentation, as the style guide requires for chaining arrows.
 */
function printChain(node: Binary, c: FormatContext): Document {
  const operands = listOperands(node)
  const first = c.print(operands[0]!)
  let isForcedOperand = isForced(first)
  let isBroken = false
  const links = operands.slice(1).map((operand) => {
    isBroken ||= c.startsLine
    const { comments, text } = c.takeOperator()
    isBroken ||= c.startsLine || isForced(comments)
    const content = c.print(operand)
    isForcedOperand ||= isForced(content)
    return { comments, text, content }
  })
  const separator = isBroken ? hardLine : isForcedOperand ? ' ' : line
  const rest = links.flatMap(({ comments, text, content }) => [comments, separator, text, ' ', content])
  const chain = concat([first, ...rest])
  return isBroken || !isForcedOperand ? group(chain) : chain
}

function listOperands(node: Binary): readonly Expression[] {
  const operands: Expression[] = []
  let left: Expression = node
  for (; left.kind === node.kind; left = (left as Binary).left) operands.push((left as Binary).right)
  operands.push(left)
  return operands.reverse()
}

function printPrefix({ expression }: { readonly expression: Expression }, c: FormatContext): Document {
  return concat([c.take(), c.print(expression)])
}

function printParenthesized({ expression }: NodeOf<'Parenthesized'>, c: FormatContext): Document {
  const open = c.take('(', '\n(')
  if (!c.startsLine) return concat([open, indent(c.print(expression)), c.take(')')])
  const leading = c.leading()
  return group(concat([open, c.close(concat([hardLine, leading, c.print(expression)]), hardLine, ')')]))
}

function printSelector(e: NodeOf<'Selector'>, c: FormatContext): Document {
  const left = c.print(e.left)
  const mark = concat([' ', c.take('?'), ' '])
  if (!c.at('?{')) return concat([left, mark, c.print(e.selectors[0]!)])
  const printEntry = (entry: NodeOf<'SelectorEntry'>) => printPair(c, () => c.print(entry.matching), entry.value)
  return concat([left, mark, printEntries(c, e.selectors, printEntry, listLayouts.selector)])
}
