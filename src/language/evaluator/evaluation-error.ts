import { type Diagnostic, defineIssues, diagnose, type Issue, PuppetError } from '../../base/issue.ts'
import type { Span } from '../../base/source.ts'
import { aNode } from '../syntax/tree/label.ts'
import type { AnyNode } from '../syntax/tree/nodes.ts'
import { VerbatimError } from '../values/verbatim-error.ts'

const issues = defineIssues({
  STACK_TOO_DEEP: {
    text: (a: { node: AnyNode }) => `Error while evaluating ${aNode(a.node)}, stack level too deep`,
    hint: () => 'Look for a function that calls itself without end, or classes that inherit each other.',
  },
})

const prefix = 'Evaluation Error: '

/** Ends of V8's messages where the stack has no room. */
const stackEnds = ['Maximum call stack size exceeded', ': Stack overflow', ': Regular expression too large']

/** An error met while code ran; its message begins as Puppet's does. It knows its place and passes through unchanged. */
export class EvaluationError extends PuppetError {
  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super({ ...diagnostic, message: prefix + diagnostic.message }, options)
    this.name = 'EvaluationError'
  }
}

/** Throws an issue of the evaluator's, at a place. */
export function failAt<Arguments>(span: Span, issue: Issue<Arguments>, a: Arguments): never {
  throw new EvaluationError(diagnose(issue, a, span))
}

/** The error to throw on for an error that came out of a node; an error without a place is placed at the node. */
export function errorAt(node: AnyNode, error: unknown): unknown {
  if (error instanceof EvaluationError || error instanceof VerbatimError) return error
  if (error instanceof PuppetError) {
    const { diagnostic } = error
    if (diagnostic.span) return new EvaluationError(diagnostic, { cause: error })
    const message = `Error while evaluating ${aNode(node)}, ${diagnostic.message}`
    return new EvaluationError({ ...diagnostic, message, span: node.span }, { cause: error })
  }
  if (isStackOverflow(error)) {
    return new EvaluationError(diagnose(issues.STACK_TOO_DEEP, { node }, node.span))
  }
  return error
}

/**
 * True for V8's errors at the end of the stack. A regular expression that is compiled there is a syntax error; this function
 * has none, for Node 20 may abort then.
 */
function isStackOverflow(error: unknown): boolean {
  if (!(error instanceof RangeError || error instanceof SyntaxError)) return false
  return stackEnds.some((words) => error.message.endsWith(words))
}
