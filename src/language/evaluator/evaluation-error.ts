import { createDiagnostic, type Diagnostic, defineIssues, type Issue, PuppetError } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { formatNode } from '../syntax/tree/label.ts'
import type { AnyNode } from '../syntax/tree/nodes.ts'
import { VerbatimError } from '../values/verbatim-error.ts'

const issues = defineIssues({
  STACK_TOO_DEEP: {
    text: (a: { node: AnyNode }) => `Error while evaluating ${formatNode(a.node)}, stack level too deep`,
    hint: () => 'Check for a function that calls itself endlessly, or classes that inherit from each other.',
  },
})

const prefix = 'Evaluation Error: '

/** The last words of V8's messages for stack exhaustion. */
const stackEnds = ['Maximum call stack size exceeded', ': Stack overflow', ': Regular expression too large']

/** An evaluation error with its location and Puppet's message prefix. Outer nodes rethrow it unchanged. */
export class EvaluationError extends PuppetError {
  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super({ ...diagnostic, message: prefix + diagnostic.message }, options)
    this.name = 'EvaluationError'
  }
}

/** Throws an evaluator issue at a location. */
export function failAtSpan<Arguments>(span: SourceSpan, issue: Issue<Arguments>, a: Arguments): never {
  throw new EvaluationError(createDiagnostic(issue, a, span))
}

/** Adds the location of the node to an error without a location. */
export function addErrorLocation(node: AnyNode, error: unknown): unknown {
  if (error instanceof EvaluationError || error instanceof VerbatimError) return error
  if (error instanceof PuppetError) {
    const { diagnostic } = error
    if (diagnostic.span) return new EvaluationError(diagnostic, { cause: error })
    const message = `Error while evaluating ${formatNode(node)}, ${diagnostic.message}`
    return new EvaluationError({ ...diagnostic, message, span: node.span }, { cause: error })
  }
  if (isStackOverflow(error)) {
    return new EvaluationError(createDiagnostic(issues.STACK_TOO_DEEP, { node }, node.span))
  }
  return error
}

/**
 * True for V8's stack exhaustion errors. A regular expression compiled near the end of the stack
 * throws a SyntaxError. This function uses no regular expression, because Node 20 may abort there.
 */
function isStackOverflow(error: unknown): boolean {
  if (!(error instanceof RangeError || error instanceof SyntaxError)) return false
  return stackEnds.some((words) => error.message.endsWith(words))
}
