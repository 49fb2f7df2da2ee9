import type { SourceSpan } from '../../../base/source.ts'
import { getChildren } from '../../../language/syntax/tree/children.ts'
import type { AnyNode, Case, Expression, Selector, Variable } from '../../../language/syntax/tree/nodes.ts'
import type { Type } from '../../../language/values/type.ts'
import { type CheckedFile, listAncestors, type PlacedNode } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import { indexParameters } from '../code/file-names.ts'
import type { CodeCheck, ReportProblem } from '../code-check.ts'
import { canEqual } from './possible-values.ts'

/** Conditions that are always true or false, options that cannot match, and code after an end. */
export const deadBranch: CodeCheck = {
  name: 'dead_branch',
  check(file, code, report) {
    checkConditions(file, report)
    checkComparisons(file, code, report)
    for (const placed of file.listNodes('Case')) checkCase(placed, code, report)
    for (const placed of file.listNodes('Selector')) checkSelector(placed, code, report)
    for (const { node } of file.listNodes('Block')) checkStatements(node.statements, report)
  },
}

// ---- Conditions

function checkConditions(file: CheckedFile, report: ReportProblem): void {
  for (const { node } of [...file.listNodes('If'), ...file.listNodes('Unless')]) {
    const constant = getConstant(node.test)
    if (constant !== undefined) report(`this condition is always ${constant}`, getWholeSpan(node.test))
  }
  for (const { node, parent } of file.listNodes('If')) {
    const isElsif = parent?.node.kind === 'If' && parent.node.else === node
    if (!isElsif) checkRepeatedTests(node, report)
  }
}

function checkRepeatedTests(first: Extract<AnyNode, { kind: 'If' }>, report: ReportProblem): void {
  const seen = new Set<string>()
  for (let at: Expression = first; at.kind === 'If'; at = at.else) {
    if (isPure(at.test)) {
      const text = getText(at.test)
      if (seen.has(text)) report('this condition repeats an earlier one, so it never decides', getWholeSpan(at.test))
      seen.add(text)
    }
  }
}

function getConstant(node: Expression): boolean | undefined {
  switch (node.kind) {
    case 'LiteralBoolean':
      return node.value
    case 'LiteralUndef':
      return false
    case 'LiteralString':
    case 'LiteralInteger':
      return true
    case 'Parenthesized':
      return getConstant(node.expression)
    case 'Not': {
      const inner = getConstant(node.expression)
      return inner === undefined ? undefined : !inner
    }
    case 'And':
      return [node.left, node.right].some((each) => getConstant(each) === false) ? false : undefined
    case 'Or':
      return [node.left, node.right].some((each) => getConstant(each) === true) ? true : undefined
    default:
      return undefined
  }
}

/** Comparisons of a parameter with a literal that its type excludes. */
function checkComparisons(file: CheckedFile, code: CheckedCode, report: ReportProblem): void {
  for (const placed of file.listNodes('Comparison')) {
    const { left, right, operator } = placed.node
    if ((operator !== '==' && operator !== '!=') || isInQuery(placed)) continue
    for (const [variable, literal] of [
      [left, right],
      [right, left],
    ] as const) {
      const type = variable.kind === 'Variable' ? findType(variable, placed, code) : undefined
      if (!type || canEqual(type, literal)) continue
      const result = operator === '==' ? 'false' : 'true'
      const name = (variable as Variable).name
      report(`this comparison is always ${result}: '$${name}' is never ${getText(literal)}`, getWholeSpan(placed.node))
    }
  }
}

/** True for a comparison in a collector, where a bare word is the name of an attribute. */
function isInQuery(placed: PlacedNode): boolean {
  for (const { node } of listAncestors(placed)) if (node.kind === 'Query') return true
  return false
}

// ---- Options

function checkCase(placed: PlacedNode<Case>, code: CheckedCode, report: ReportProblem): void {
  checkOptions(
    placed,
    placed.node.options.flatMap(({ values }) => values),
    code,
    report,
  )
}

function checkSelector(placed: PlacedNode<Selector>, code: CheckedCode, report: ReportProblem): void {
  checkOptions(
    placed,
    placed.node.selectors.map(({ matching }) => matching),
    code,
    report,
  )
}

function checkOptions(
  placed: PlacedNode<Case | Selector>,
  options: readonly Expression[],
  code: CheckedCode,
  report: ReportProblem,
): void {
  const { node } = placed
  const test = node.kind === 'Case' ? node.test : node.left
  const type = test.kind === 'Variable' ? findType(test, placed, code) : undefined
  const seen = new Set<string>()
  for (const each of options) {
    const key = getOptionKey(each)
    if (key !== undefined && seen.has(key)) report(`this option repeats an earlier one and never matches`, each.span)
    else if (type && !canEqual(type, each))
      report(`this option never matches: '$${(test as Variable).name}' is never ${getText(each)}`, each.span)
    if (key !== undefined) seen.add(key)
  }
}

/** The value of an option; strings match without regard to case. */
function getOptionKey(node: Expression): string | undefined {
  if (node.kind === 'LiteralString' || node.kind === 'QualifiedName') return `string ${node.value.toLowerCase()}`
  if (node.kind === 'LiteralBoolean' || node.kind === 'LiteralInteger') return `${node.kind} ${node.value}`
  if (node.kind === 'LiteralDefault' || node.kind === 'LiteralUndef') return node.kind
  return node.kind === 'LiteralRegexp' ? `regexp ${node.pattern}` : undefined
}

/** The declared type of a parameter that a variable means. */
function findType({ name }: Variable, placed: PlacedNode, code: CheckedCode): Type | undefined {
  for (let at: PlacedNode | undefined = placed; at; at = at.parent) {
    const { node } = at
    if (!('parameters' in node)) continue
    const parameter = indexParameters(node.parameters).get(name)
    if (parameter) return parameter.type && !parameter.capturesRest ? code.types.resolve(parameter.type) : undefined
    if (node.kind !== 'Lambda') return undefined
  }
  return undefined
}

// ---- Statements

const endings: ReadonlySet<string> = new Set(['fail', 'return', 'next', 'break'])

/** Statements after one that ends the code around them, except definitions and values, which have no effect anyway. */
function checkStatements(statements: readonly Expression[], report: ReportProblem): void {
  const at = statements.findIndex((each) => isEnding(each))
  const next = at === -1 ? undefined : statements.slice(at + 1).find((each) => !isIdle(each))
  if (next) report('this code is never reached', next.span)
}

function isIdle(node: Expression): boolean {
  return ('name' in node && 'body' in node) || node.kind.startsWith('Literal') || node.kind === 'Variable'
}

function isEnding(node: Expression): boolean {
  switch (node.kind) {
    case 'CallNamedFunction':
      return node.functor.kind === 'QualifiedName' && endings.has(node.functor.value)
    case 'Block':
      return node.statements.some(isEnding)
    case 'If':
    case 'Unless':
      return isEnding(node.then) && isEnding(node.else)
    default:
      return false
  }
}

// ---- Texts

function isPure(root: Expression): boolean {
  const pending: AnyNode[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'CallNamedFunction' || node.kind === 'CallMethod') return false
    pending.push(...getChildren(node))
  }
  return true
}

function getText(root: Expression): string {
  const { source, start, end } = getWholeSpan(root)
  return source.text.slice(start, end)
}

/** The span of a node with its operands, since the span of an operator is that of its sign. */
function getWholeSpan(root: Expression): SourceSpan {
  let { start, end } = root.span
  const pending: AnyNode[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    start = Math.min(start, node.span.start)
    end = Math.max(end, node.span.end)
    pending.push(...getChildren(node))
  }
  return { source: root.span.source, start, end }
}
