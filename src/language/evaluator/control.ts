import type { Expression } from '../syntax/tree/nodes.ts'
import { isTruthy, type Value } from '../values/value.ts'
import { type Context, guarded, type Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'
import { unparenthesized } from './literals.ts'
import { fits } from './matching.ts'

/**
 * Rules of blocks and conditionals. Captures (`$0`, `$1`) set by a condition are restored after the
 * conditional; see `guarded`.
 */
export const control: Rules<'Block' | 'If' | 'Unless' | 'Case' | 'Selector' | 'Program'> = {
  Block(node, context) {
    let value: Value
    for (const statement of node.statements) value = context.evaluate(statement)
    return value
  },

  If: guarded((node, context) => context.evaluate(isTruthy(context.evaluate(node.test)) ? node.then : node.else)),

  Unless: guarded((node, context) => context.evaluate(isTruthy(context.evaluate(node.test)) ? node.else : node.then)),

  Case: guarded((node, context) => {
    const test = context.evaluate(node.test)
    let fallback: Expression | undefined
    for (const option of node.options)
      for (const each of option.values) {
        if (each.kind === 'LiteralDefault') fallback = option.then
        else if (fitsOption(test, each, context)) return context.evaluate(option.then)
      }
    return fallback && context.evaluate(fallback)
  }),

  Selector: guarded((node, context) => {
    const test = context.evaluate(node.left)
    let fallback: Expression | undefined
    for (const { matching, value } of node.selectors) {
      if (unparenthesized(matching).kind === 'LiteralDefault') fallback = value
      else if (fitsOption(test, matching, context)) return context.evaluate(value)
    }
    return fallback ? context.evaluate(fallback) : failAt(node.left.span, issues.UNMATCHED_SELECTOR, { value: test })
  }),

  Program: (node, context) => context.evaluate(node.body),
}

function fitsOption(test: Value, option: Expression, context: Context): boolean {
  const inner = unparenthesized(option)
  const value = context.evaluate(inner)
  if (inner.kind === 'Unfold') return (value as readonly Value[]).some((each) => fits(test, each, context))
  return fits(test, value, context)
}
