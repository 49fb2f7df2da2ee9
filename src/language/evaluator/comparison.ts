import { PuppetError } from '../../base/issue.ts'
import { refuse } from '../ruby-semantics/argument-error.ts'
import type { Comparison, Match } from '../syntax/tree/nodes.ts'
import { areSameTypes, isAssignable } from '../types/is-assignable.ts'
import { isInstance } from '../types/is-instance.ts'
import { getRubyName } from '../types/ruby-class.ts'
import { compare } from '../values/compare.ts'
import { equals, isNumber } from '../values/equals.ts'
import { Regexp } from '../values/regexp.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import type { Type } from '../values/type.ts'
import { isType } from '../values/type.ts'
import { isTruthy, type Value } from '../values/value.ts'
import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'
import { includes, isInRange, matchText } from './matching.ts'

/**
 * Rules of operators that return a Boolean. Between types, `<` means "is narrower than". String
 * equality ignores ASCII case.
 */
export const comparison: Rules<'Comparison' | 'Match' | 'In' | 'And' | 'Or' | 'Not'> = {
  Comparison(node, context) {
    const left = context.evaluate(node.left)
    const right = context.evaluate(node.right)
    if (isType(left)) {
      if (!isType(right)) return node.operator === '!='
      return comparing(node, left, right, () => compareTypes(node.operator, left, right))
    }
    switch (node.operator) {
      case '==':
        return equals(left, right)
      case '!=':
        return !equals(left, right)
    }
    if (typeof left === 'number' && typeof right === 'number') return ordered(node.operator, left - right)
    return ordered(node.operator, compareOrder(node, left, right))
  },

  Match(node, context) {
    const left = context.evaluate(node.left)
    const right = context.evaluate(node.right)
    return (node.operator === '=~') === matches(node, left, right, context)
  },

  In: (node, context) => {
    const left = context.evaluate(node.left)
    return includes(context.evaluate(node.right), left, context)
  },

  And: (node, context) => isTruthy(context.evaluate(node.left)) && isTruthy(context.evaluate(node.right)),
  Or: (node, context) => isTruthy(context.evaluate(node.left)) || isTruthy(context.evaluate(node.right)),
  Not: (node, context) => !isTruthy(context.evaluate(node.expression)),
}

function compareOrder(node: Comparison, left: Value, right: Value): number {
  // Ruby's version class is a Numeric.
  if (isNumber(left) && right instanceof SemVer) refuse("can't convert SemanticPuppet::Version into Float")
  return comparing(node, left, right, () => compare(left, right))
}

/** Runs `work`. Replaces an error with the issue that the two values cannot be compared. */
function comparing<Result>(node: Comparison, left: Value, right: Value, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const detail = error.diagnostic.message
    return failAt(node.span, issues.COMPARISON_NOT_POSSIBLE, { operator: node.operator, left, right, detail })
  }
}

function ordered(operator: Comparison['operator'], order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '==':
      return order === 0
    case '!=':
      return order !== 0
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

function matches(node: Match, left: Value, right: Value, context: Context): boolean {
  if (isType(right)) return isInstance(right, left)
  if (right instanceof SemVerRange) return isInRange(left, right)
  if (!(right instanceof Regexp) && typeof right !== 'string')
    failAt(node.right.span, issues.MATCH_NOT_REGEXP, {
      detail: `no implicit conversion of ${getRubyName(right)} into String`,
    })
  if (typeof left !== 'string') failAt(node.left.span, issues.MATCH_NOT_STRING, { left })
  return matchText(left, typeof right === 'string' ? new Regexp(right) : right, context)
}
