import { PuppetError } from '../../../base/issue.ts'
import { checkRegexp } from '../../ruby-semantics/regexp/match.ts'
import { validationIssues as issues } from '../issues/validation.ts'
import type { AnyNode, Case, Expression, NodeOf } from '../tree/nodes.ts'
import type { ValidationContext, ValidationRules } from './context.ts'
import { checkExternalSyntax } from './external-syntax.ts'
import { toLiteralKey } from './literal-key.ts'
import { hasNoEffect, isUntitledResource } from './side-effects.ts'
import { requireAssignable, requireValue } from './values.ts'

/** Rules for expressions (Puppet: checker4_0.rb). */
export const expressionRules: ValidationRules = {
  And: checkOperands,
  Or: checkOperands,
  In: checkOperands,
  Arithmetic: checkOperands,
  Comparison: checkOperands,
  Match: checkOperands,
  Parenthesized: checkOperand,
  Not: checkOperand,
  UnaryMinus: checkOperand,
  Unfold: checkOperand,
  TextExpression: checkOperand,
  Render: checkOperand,
  If: ({ test }, context) => requireValue(test, context),
  Unless: ({ test }, context) => requireValue(test, context),
  Case: checkCase,
  CaseOption({ values }, context) {
    for (const each of values) requireValue(each, context)
  },
  Selector(node, context) {
    requireValue(node.left, context)
    const second = node.selectors.filter(({ matching }) => matching.kind === 'LiteralDefault')[1]
    if (second) context.accept(issues.DUPLICATE_DEFAULT, { container: node }, second.matching)
  },
  SelectorEntry: ({ matching }, context) => requireValue(matching, context),
  Assignment(node, context) {
    if (node.operator === '=') {
      requireAssignable(node.left, context)
      requireValue(node.right, context)
    } else context.accept(issues.APPENDS_DELETES_NO_LONGER_SUPPORTED, { operator: node.operator }, node)
  },
  Block(node, context) {
    if (isUntitledResource(node)) {
      if (!context.options.tasks)
        context.accept(issues.RESOURCE_WITHOUT_TITLE, { name: node.statements[0].value }, node)
      return
    }
    const idle = node.statements.slice(0, -1).find(hasNoEffect)
    if (idle) context.accept(issues.IDEM_EXPRESSION_NOT_LAST, { node: idle }, idle)
  },
  CallNamedFunction(node, context) {
    const { functor } = node
    const name = functor.kind === 'Access' ? functor.left : functor
    if (functor.kind === 'RenderString') context.accept(issues.ILLEGAL_EPP_PARAMETERS, {}, node)
    else if (name.kind !== 'QualifiedReference' && functor.kind !== 'QualifiedName')
      context.accept(issues.ILLEGAL_EXPRESSION, { node: functor, feature: 'function name', container: node }, functor)
  },
  Heredoc({ text, syntax }, context) {
    if (text.kind === 'LiteralString') checkExternalSyntax(text.value, syntax, text.span, context.read)
  },
  KeyedEntry({ key, value }, context) {
    requireValue(key, context)
    requireValue(value, context)
  },
  LiteralList({ values }, context) {
    for (const each of values) requireValue(each, context)
  },
  LiteralHash: checkDuplicateKeys,
  LiteralInteger(node, context) {
    const value = BigInt(node.value)
    if (value > 0x7fff_ffff_ffff_ffffn) context.accept(issues.NUMERIC_OVERFLOW, { node, value }, node)
  },
  LiteralRegexp: checkPattern,
  QualifiedReference(node, context) {
    if (!/^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$/.test(node.casedValue))
      context.accept(issues.ILLEGAL_CLASSREF, { name: node.casedValue }, node)
  },
  ReservedWord: (node, context) => context.accept(issues.RESERVED_WORD, { word: node.word }, node),
  Variable(node, context) {
    const { name } = node
    if (!/^[0-9]/.test(name)) {
      if (!/^(?:::)?(?:[a-z]\w*::)*[a-z_]\w*$/.test(name)) context.accept(issues.ILLEGAL_VAR_NAME, { name }, node)
    } else if (!/^(?:0|[1-9][0-9]*)$/.test(name)) context.accept(issues.ILLEGAL_NUMERIC_VAR_NAME, { name }, node)
  },
}

type Operands = { readonly left: Expression; readonly right: Expression }

function checkOperands({ left, right }: Operands, context: ValidationContext): void {
  requireValue(left, context)
  requireValue(right, context)
}

function checkOperand({ expression }: { readonly expression: AnyNode }, context: ValidationContext): void {
  requireValue(expression, context)
}

function checkCase(node: Case, context: ValidationContext): void {
  requireValue(node.test, context)
  const defaults = node.options.flatMap(({ values }) => values.filter(({ kind }) => kind === 'LiteralDefault'))
  for (const each of defaults.slice(1)) context.accept(issues.DUPLICATE_DEFAULT, { container: node }, each)
}

function checkDuplicateKeys({ entries }: NodeOf<'LiteralHash'>, context: ValidationContext): void {
  const { strict = 'error' } = context.options
  if (strict === 'off') return
  const known = new Set<string>()
  for (const entry of entries) {
    const key = toLiteralKey(entry.key)
    if (!key) continue
    if (known.has(key.id)) context.accept(issues.DUPLICATE_KEY, { key: key.text }, entry, strict)
    known.add(key.id)
  }
}

/** Rejects an invalid regular expression. */
function checkPattern(node: NodeOf<'LiteralRegexp'>, context: ValidationContext): void {
  try {
    checkRegexp(node.pattern)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    context.accept(issues.ILLEGAL_REGEXP, { why: error.message }, node)
  }
}
