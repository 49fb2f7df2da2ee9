import type { AnyNode, Block, Expression, QualifiedName } from '../tree/nodes.ts'

/** Kinds of nodes that have a value but no effect when evaluated. Puppet: checker4_0.rb, "idem". */
const values: ReadonlySet<AnyNode['kind']> = new Set<AnyNode['kind']>([
  ...(['Nop', 'LiteralString', 'LiteralInteger', 'LiteralFloat', 'LiteralBoolean', 'LiteralUndef'] as const),
  ...(['LiteralDefault', 'LiteralRegexp', 'LiteralList', 'LiteralHash', 'QualifiedName'] as const),
  ...(['QualifiedReference', 'ReservedWord', 'Access', 'And', 'Or', 'In', 'Arithmetic', 'Comparison'] as const),
  ...(['NamedAccess', 'Not', 'UnaryMinus', 'Unfold', 'TextExpression', 'Variable'] as const),
  ...(['ConcatenatedString', 'Heredoc', 'Selector'] as const),
])

/** True if evaluation of the node has no effect other than its value. */
export function hasNoEffect(node: AnyNode): boolean {
  switch (node.kind) {
    case 'Parenthesized':
      return hasNoEffect(node.expression)
    case 'Block':
      return node.statements.every(hasNoEffect)
    case 'If':
    case 'Unless':
      return hasNoEffect(node.test) && hasNoEffect(node.then) && hasNoEffect(node.else)
    case 'Case':
      return hasNoEffect(node.test) && node.options.every(hasNoEffect)
    case 'CaseOption':
      return node.values.every(hasNoEffect) && hasNoEffect(node.then)
    default:
      return values.has(node.kind)
  }
}

/** The last statement of a body, if that statement has no effect. */
export function findIneffectiveStatement(body: Expression): Expression | undefined {
  if (body.kind === 'Nop') return undefined
  const last = body.kind === 'Block' ? body.statements.at(-1)! : body
  return hasNoEffect(last) ? last : undefined
}

/** True for `file { mode => '0644' }`, a resource without a title, which is parsed as a name and a hash. */
export function isUntitledResource(
  node: AnyNode,
): node is Block & { statements: readonly [QualifiedName, Expression] } {
  if (node.kind !== 'Block' || node.statements.length !== 2) return false
  return node.statements[0]!.kind === 'QualifiedName' && node.statements[1]!.kind === 'LiteralHash'
}
