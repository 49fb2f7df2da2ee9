import type { Expression } from '../syntax/tree/nodes.ts'
import { isTruthy, type Value } from '../values/value.ts'
import { type EvaluationContext, type EvaluationRules, preserveMatches } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { stripParentheses } from './literals.ts'
import { matchOption } from './matching.ts'

/**
 * Rules of blocks and conditionals. Captures (`$0`, `$1`) set by a condition are restored after the conditional;
 * see `preserveMatches`.
 */
export const controlEvaluation: EvaluationRules<'Block' | 'If' | 'Unless' | 'Case' | 'Selector' | 'Program'> = {
  Block(node, context) {
    let value: Value
    for (const statement of node.statements) value = context.evaluate(statement)
    return value
  },

  If: preserveMatches((node, context) =>
    context.evaluate(isTruthy(context.evaluate(node.test)) ? node.then : node.else),
  ),

  Unless: preserveMatches((node, context) =>
    context.evaluate(isTruthy(context.evaluate(node.test)) ? node.else : node.then),
  ),

  Case: preserveMatches((node, context) => {
    const test = context.evaluate(node.test)
    let fallback: Expression | undefined
    for (const option of node.options)
      for (const each of option.values) {
        if (each.kind === 'LiteralDefault') fallback = option.then
        else if (isMatchingOption(test, each, context)) return context.evaluate(option.then)
      }
    return fallback && context.evaluate(fallback)
  }),

  Selector: preserveMatches((node, context) => {
    const test = context.evaluate(node.left)
    let fallback: Expression | undefined
    for (const { matching, value } of node.selectors) {
      if (stripParentheses(matching).kind === 'LiteralDefault') fallback = value
      else if (isMatchingOption(test, matching, context)) return context.evaluate(value)
    }
    return fallback
      ? context.evaluate(fallback)
      : failAtSpan(node.left.span, evaluatorIssues.UNMATCHED_SELECTOR, { value: test })
  }),

  Program: (node, context) => context.evaluate(node.body),
}

function isMatchingOption(test: Value, option: Expression, context: EvaluationContext): boolean {
  const inner = stripParentheses(option)
  const value = context.evaluate(inner)
  if (inner.kind === 'Unfold') return (value as readonly Value[]).some((each) => matchOption(test, each, context))
  return matchOption(test, value, context)
}
