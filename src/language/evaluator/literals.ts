import { requireBoundedCount, requireBoundedText } from '../ruby-semantics/size-limits.ts'
import type { Expression, Parenthesized } from '../syntax/tree/nodes.ts'
import { toText } from '../types/printing/text.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { IteratorValue } from '../values/iterator.ts'
import { Regexp } from '../values/regexp.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { collectBounded } from '../values/value-size-limits.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { resolveTypeName } from './type-names.ts'

/**
 * Rules of literals, names and strings. A splat `*$list` evaluates to an array, which `evaluateAll`
 * spreads.
 */
export const literals: EvaluationRules<
  | 'LiteralString'
  | 'LiteralInteger'
  | 'LiteralFloat'
  | 'LiteralBoolean'
  | 'LiteralUndef'
  | 'LiteralDefault'
  | 'LiteralRegexp'
  | 'LiteralList'
  | 'LiteralHash'
  | 'QualifiedName'
  | 'QualifiedReference'
  | 'ReservedWord'
  | 'ConcatenatedString'
  | 'TextExpression'
  | 'Heredoc'
  | 'Nop'
  | 'Parenthesized'
  | 'Unfold'
> = {
  LiteralString: (node) => node.value,
  LiteralInteger: (node) => node.value,
  LiteralFloat: (node) => new Float(node.value),
  LiteralBoolean: (node) => node.value,
  LiteralUndef: () => undefined,
  LiteralDefault: () => DEFAULT,
  LiteralRegexp: (node) => regexps.get(node) ?? cacheValue(regexps, node, new Regexp(node.pattern)),
  LiteralList: (node, context) => evaluateAll(node.values, context),
  LiteralHash: (node, context) =>
    Hash.of(node.entries.map(({ key, value }) => [context.evaluate(key), context.evaluate(value)] as const)),
  QualifiedName: (node) => node.value,
  QualifiedReference: (node, context) => resolveTypeName(node, context),
  ReservedWord(node) {
    if (!node.future) failAtSpan(node.span, evaluatorIssues.RESERVED_WORD, { word: node.word })
    return node.word
  },
  ConcatenatedString(node, context) {
    let text = ''
    for (const segment of node.segments)
      text = requireBoundedText(
        text + (segment.kind === 'LiteralString' ? segment.value : toText(context.evaluate(segment))),
      )
    return text
  },
  TextExpression: (node, context) => toText(context.evaluate(node.expression)),
  Heredoc: (node, context) => context.evaluate(node.text),
  Nop: () => undefined,
  Parenthesized: (node, context) => context.evaluate(node.expression),
  Unfold: (node, context) => unfoldValue(context.evaluate(node.expression)),
}

/**
 * Values of regular expression literals. All evaluations of a literal share one object, so that its compiled form is
 * reused.
 */
const regexps = new WeakMap<object, Regexp>()

function cacheValue<Key extends object, Kept>(map: WeakMap<Key, Kept>, key: Key, value: Kept): Kept {
  map.set(key, value)
  return value
}

/** Evaluates expressions; spreads the elements of a splat `*$list`. */
export function evaluateAll(nodes: readonly Expression[], context: EvaluationContext): Value[] {
  const values: Value[] = []
  for (const node of nodes) {
    const inner = node.kind === 'Parenthesized' ? stripParentheses(node) : node
    const value = context.evaluate(inner)
    if (inner.kind === 'Unfold') {
      requireBoundedCount(values.length + (value as readonly Value[]).length)
      values.push(...(value as readonly Value[]))
    } else values.push(value)
  }
  return values
}

/** Removes enclosing parentheses. */
export function stripParentheses(node: Expression): Expression {
  let inner = node
  while (inner.kind === 'Parenthesized') inner = (inner as Parenthesized).expression
  return inner
}

function unfoldValue(value: Value): readonly Value[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  if (value instanceof Hash) return [...value].map(([key, each]) => [key, each])
  if (value instanceof IteratorValue) return collectBounded(value)
  return [value]
}
