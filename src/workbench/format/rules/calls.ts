import type { Expression, Lambda, NodeOf } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, group, hardLine } from '../layout/document.ts'
import { printBody, printShortBody } from './blocks.ts'
import type { FormatContext, Rules } from './context.ts'
import { listLayouts, printBareArguments, printExpressions } from './lists.ts'
import { parameterLayouts, printParameters, printReturnType } from './parameters.ts'

type CallKind = 'CallNamedFunction' | 'CallMethod' | 'NamedAccess' | 'Lambda' | 'Apply'

/** Rules for calls and lambdas. */
export const callRules: Rules<CallKind> = {
  CallNamedFunction: printCall,
  CallMethod: printMethodCalls,
  NamedAccess: (e, c) => concat([c.print(e.left), c.take('.'), c.print(e.right)]),
  Lambda: printLambda,
  Apply: (e, c) =>
    concat([c.take('apply'), printExpressions(c, e.arguments, listLayouts.call), ' ', printBody(c, e.body)]),
}

function printCall(e: NodeOf<'CallNamedFunction'>, c: FormatContext): Document {
  const functor = c.print(e.functor)
  if (c.at('('))
    return concat([functor, printExpressions(c, e.arguments, listLayouts.call), printOptionalLambda(e.lambda, c)])
  // A parenthesis at the start of a line is not the argument list of a call.
  return concat([functor, c.at('\n(') ? hardLine : ' ', printBareArguments(c, e.arguments)])
}

function printOptionalLambda(lambda: Lambda | undefined, c: FormatContext): Document {
  return lambda === undefined ? '' : concat([' ', c.print(lambda)])
}

function printLambda(e: Lambda, c: FormatContext): Document {
  const parameters = printParameters(c, e.parameters, parameterLayouts.lambda)
  return concat([parameters, printReturnType(c, e.returnType), ' ', group(printShortBody(c, e.body))])
}

/** Prints `value.a().b()`. A call that the author wrote on a line of its own stays there. */
function printMethodCalls(e: NodeOf<'CallMethod'>, c: FormatContext): Document {
  const calls: NodeOf<'CallMethod'>[] = []
  let base: Expression = e
  for (; base.kind === 'CallMethod'; base = base.functor.left) calls.push(base)
  const parts: Document[] = [c.print(base)]
  for (const call of calls.reverse()) {
    const startsLine = c.startsLine || c.pieceAfter.startsLine
    const { comments, text } = c.takeOperator()
    parts.push(comments, startsLine ? hardLine : '', text, printMethodCall(call, c))
  }
  return concat(parts)
}

function printMethodCall(call: NodeOf<'CallMethod'>, c: FormatContext): Document {
  const name = c.take('NAME', 'type')
  const list = c.at('(') ? printExpressions(c, call.arguments, listLayouts.call) : ''
  return concat([name, list, printOptionalLambda(call.lambda, c)])
}
