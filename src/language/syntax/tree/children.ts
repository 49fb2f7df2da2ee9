import type { AnyNode, Expression, NodeOf, Operation, Parameter } from './nodes.ts'

/** Direct children of a node, in the order in which Puppet visits them (ast.rb). Empty bodies are omitted. */
export function getChildren(node: AnyNode): readonly AnyNode[] {
  return (children[node.kind] as (node: AnyNode) => readonly AnyNode[])(node)
}

type Children = { readonly [K in AnyNode['kind']]: (node: NodeOf<K>) => readonly AnyNode[] }

const none = (): readonly AnyNode[] => []
const inside = ({ expression }: { readonly expression: Expression }) => [expression]
const both = ({ left, right }: { readonly left: Expression; readonly right: Expression }) => [left, right]

const children: Children = {
  Access: (e) => [e.left, ...e.keys],
  And: both,
  Apply: (e) => [...e.arguments, ...present(e.body)],
  Arithmetic: both,
  Assignment: both,
  AttributeOperation: (e) => [e.value],
  AttributesOperation: (e) => [e.value],
  Block: (e) => e.statements,
  CallMethod: (e) => [e.functor, ...e.arguments, ...present(e.lambda)],
  CallNamedFunction: (e) => [e.functor, ...e.arguments, ...present(e.lambda)],
  Case: (e) => [e.test, ...e.options],
  CaseOption: (e) => [...e.values, ...present(e.then)],
  Collect: (e) => [e.type, e.query, ...e.operations],
  Comparison: both,
  ConcatenatedString: (e) => e.segments,
  Epp: (e) => present(e.body),
  FunctionDefinition: definition,
  Heredoc: (e) => [e.text],
  HostClassDefinition: definition,
  If: (e) => [e.test, ...present(e.then), ...present(e.else)],
  In: both,
  KeyedEntry: (e) => [e.key, e.value],
  Lambda: definition,
  LiteralBoolean: none,
  LiteralDefault: none,
  LiteralFloat: none,
  LiteralHash: (e) => e.entries,
  LiteralInteger: none,
  LiteralList: (e) => e.values,
  LiteralRegexp: none,
  LiteralString: none,
  LiteralUndef: none,
  Match: both,
  NamedAccess: both,
  NodeDefinition: (e) => [...present(e.parent), ...e.hostMatches, ...present(e.body)],
  Nop: none,
  Not: inside,
  Or: both,
  Parameter: (e) => [...present(e.value), ...present(e.type)],
  Parenthesized: inside,
  PlanDefinition: definition,
  Program: (e) => [e.body],
  QualifiedName: none,
  QualifiedReference: none,
  Query: (e) => present(e.expression),
  Relationship: both,
  Render: inside,
  RenderString: none,
  ReservedWord: none,
  Resource: (e) => [e.typeName, ...e.bodies],
  ResourceBody: (e) => [e.title, ...e.operations],
  ResourceDefaults: (e): readonly (Expression | Operation)[] => [e.typeRef, ...e.operations],
  ResourceOverride: (e) => [e.resources, ...e.operations],
  ResourceTypeDefinition: definition,
  Selector: (e) => [e.left, ...e.selectors],
  SelectorEntry: (e) => [e.matching, e.value],
  TextExpression: inside,
  TypeAlias: (e) => [e.type],
  TypeDefinition: (e) => present(e.body),
  TypeMapping: (e) => [e.type, e.mapping],
  UnaryMinus: inside,
  Unfold: inside,
  Unless: (e) => [e.test, ...present(e.then), ...present(e.else)],
  Variable: none,
}

interface Defined {
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType?: Expression | undefined
}

function definition({ parameters, body, returnType }: Defined): AnyNode[] {
  return [...parameters, ...present(body), ...present(returnType)]
}

function present(node: AnyNode | undefined): AnyNode[] {
  return node === undefined || node.kind === 'Nop' ? [] : [node]
}
