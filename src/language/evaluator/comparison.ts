import { PuppetError } from '../../base/issue.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import type { Comparison, Match } from '../syntax/tree/nodes.ts'
import { areSameTypes, isAssignable } from '../types/is-assignable.ts'
import { isInstance } from '../types/is-instance.ts'
import { getRubyName } from '../types/ruby-class.ts'
import { compareValues } from '../values/comparison.ts'
import { isEqualValue, isNumericValue } from '../values/equality.ts'
import { Regexp } from '../values/regexp.ts'
import { matchesOrder, SemVer, SemVerRange } from '../values/semver.ts'
import type { Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import { isTruthy, type Value } from '../values/value.ts'
import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'
import { evaluateIn, isInRange, matchText } from './matching.ts'

/**
 * Rules of operators that return a Boolean. Between types, `<` means "is narrower than". String
 * equality ignores ASCII case.
 */
export const comparison: EvaluationRules<'Comparison' | 'Match' | 'In' | 'And' | 'Or' | 'Not'> = {
  Comparison(node, context) {
    const left = context.evaluate(node.left)
    const right = context.evaluate(node.right)
    if (isType(left)) {
      if (!isType(right)) return node.operator === '!='
      return wrapComparisonError(node, left, right, () => compareTypes(node.operator, left, right))
    }
    switch (node.operator) {
      case '==':
        return isEqualValue(left, right)
      case '!=':
        return !isEqualValue(left, right)
    }
    if (typeof left === 'number' && typeof right === 'number') return matchesOrder(node.operator, left - right)
    return matchesOrder(node.operator, compareOrder(node, left, right))
  },

  Match(node, context) {
    const left = context.evaluate(node.left)
    const right = context.evaluate(node.right)
    return (node.operator === '=~') === evaluateMatch(node, left, right, context)
  },

  In: (node, context) => {
    const left = context.evaluate(node.left)
    return evaluateIn(context.evaluate(node.right), left, context)
  },

  And: (node, context) => isTruthy(context.evaluate(node.left)) && isTruthy(context.evaluate(node.right)),
  Or: (node, context) => isTruthy(context.evaluate(node.left)) || isTruthy(context.evaluate(node.right)),
  Not: (node, context) => !isTruthy(context.evaluate(node.expression)),
}

function compareOrder(node: Comparison, left: Value, right: Value): number {
  // Ruby tries to convert the version to a Float, since Puppet's version class is a Numeric.
  if (isNumericValue(left) && right instanceof SemVer)
    throwArgumentError("can't convert SemanticPuppet::Version into Float")
  return wrapComparisonError(node, left, right, () => compareValues(left, right))
}

/** Runs `work`. Replaces an error with the issue that the two values cannot be compared. */
function wrapComparisonError<Result>(node: Comparison, left: Value, right: Value, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const detail = error.diagnostic.message
    return failAtSpan(node.span, evaluatorIssues.COMPARISON_NOT_POSSIBLE, {
      operator: node.operator,
      left,
      right,
      detail,
    })
  }
}

/** Compares two types; a narrower type is smaller: `Integer < Numeric`. */
function compareTypes(operator: Comparison['operator'], left: Type, right: Type): boolean {
  switch (operator) {
    case '==':
      return areSameTypes(left, right)
    case '!=':
      return !areSameTypes(left, right)
    case '<':
      return isAssignable(right, left) && !areSameTypes(left, right)
    case '<=':
      return isAssignable(right, left)
    case '>':
      return isAssignable(left, right) && !areSameTypes(left, right)
    case '>=':
      return isAssignable(left, right)
  }
}

function evaluateMatch(node: Match, left: Value, right: Value, context: EvaluationContext): boolean {
  if (isType(right)) return isInstance(right, left)
  if (right instanceof SemVerRange) return isInRange(left, right)
  if (!(right instanceof Regexp) && typeof right !== 'string')
    failAtSpan(node.right.span, evaluatorIssues.MATCH_NOT_REGEXP, {
      detail: `no implicit conversion of ${getRubyName(right)} into String`,
    })
  if (typeof left !== 'string') failAtSpan(node.left.span, evaluatorIssues.MATCH_NOT_STRING, { left })
  return matchText(left, typeof right === 'string' ? new Regexp(right) : right, context)
}
