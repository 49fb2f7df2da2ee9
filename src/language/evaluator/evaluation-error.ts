import { type Diagnostic, diagnose, type Issue, PuppetError } from '../../base/issue.ts'
import type { Span } from '../../base/source.ts'
import { aNode } from '../ast/label.ts'
import type { AnyNode } from '../ast/nodes.ts'

const prefix = 'Evaluation Error: '

/** An error met while code ran; its message begins as Puppet's does. It knows its place and passes through unchanged. */
export class EvaluationError extends PuppetError {
  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super({ ...diagnostic, message: prefix + diagnostic.message }, options)
    this.name = 'EvaluationError'
  }
}

/** An error that is said as it is: a syntax error, or one that has its place in its words. */
export class VerbatimError extends PuppetError {}

/** Throws an issue that is said as it is, without the place of the code that led to it. */
export function failVerbatim<Arguments>(issue: Issue<Arguments>, a: Arguments): never {
  throw new VerbatimError(diagnose(issue, a))
}

/** Throws an issue of the evaluator's, at a place. */
export function failAt<Arguments>(span: Span, issue: Issue<Arguments>, a: Arguments): never {
  throw new EvaluationError(diagnose(issue, a, span))
}

/** What to throw on for an error that came out of a node: an error without a place happened there, and is said so. */
export function errorAt(node: AnyNode, error: unknown): unknown {
  if (error instanceof EvaluationError || error instanceof VerbatimError) return error
  if (error instanceof PuppetError) {
    const { diagnostic } = error
    if (diagnostic.span) return new EvaluationError(diagnostic, { cause: error })
    const message = `Error while evaluating ${aNode(node)}, ${diagnostic.message}`
    return new EvaluationError({ ...diagnostic, message, span: node.span }, { cause: error })
  }
  if (error instanceof RangeError && error.message.includes('call stack')) {
    const message = `Error while evaluating ${aNode(node)}, stack level too deep`
    const hint = 'Look for a function that calls itself without end, or classes that inherit each other.'
    return new EvaluationError({ code: 'STACK_TOO_DEEP', severity: 'error', message, span: node.span, hint })
  }
  return error
}
