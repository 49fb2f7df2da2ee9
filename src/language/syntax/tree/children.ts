import type { AnyNode, Expression, NodeOf, Operation, Parameter } from './nodes.ts'

/** Direct children of a node, in the order in which Puppet visits them (ast.rb). Empty bodies are omitted. */
export function getChildren(node: AnyNode): readonly AnyNode[] {
  return (children[node.kind] as (node: AnyNode) => readonly AnyNode[])(node)
}

type Children = { readonly [K in AnyNode['kind']]: (node: NodeOf<K>) => readonly AnyNode[] }

const listNoChildren = (): readonly AnyNode[] => []
const listOperand = ({ expression }: { readonly expression: Expression }) => [expression]
const listOperands = ({ left, right }: { readonly left: Expression; readonly right: Expression }) => [left, right]

const children: Children = {
  Access: (e) => [e.left, ...e.keys],
  And: listOperands,
  Apply: (e) => [...e.arguments, ...keepPresent(e.body)],
  Arithmetic: listOperands,
  Assignment: listOperands,
  AttributeOperation: (e) => [e.value],
  AttributesOperation: (e) => [e.value],
  Block: (e) => e.statements,
  CallMethod: (e) => [e.functor, ...e.arguments, ...keepPresent(e.lambda)],
  CallNamedFunction: (e) => [e.functor, ...e.arguments, ...keepPresent(e.lambda)],
  Case: (e) => [e.test, ...e.options],
  CaseOption: (e) => [...e.values, ...keepPresent(e.then)],
  Collect: (e) => [e.type, e.query, ...e.operations],
  Comparison: listOperands,
  ConcatenatedString: (e) => e.segments,
  Epp: (e) => keepPresent(e.body),
  FunctionDefinition: listDefinitionChildren,
  Heredoc: (e) => [e.text],
  HostClassDefinition: listDefinitionChildren,
  If: (e) => [e.test, ...keepPresent(e.then), ...keepPresent(e.else)],
  In: listOperands,
  KeyedEntry: (e) => [e.key, e.value],
  Lambda: listDefinitionChildren,
  LiteralBoolean: listNoChildren,
  LiteralDefault: listNoChildren,
  LiteralFloat: listNoChildren,
  LiteralHash: (e) => e.entries,
  LiteralInteger: listNoChildren,
  LiteralList: (e) => e.values,
  LiteralRegexp: listNoChildren,
  LiteralString: listNoChildren,
  LiteralUndef: listNoChildren,
  Match: listOperands,
  NamedAccess: listOperands,
  NodeDefinition: (e) => [...keepPresent(e.parent), ...e.hostMatches, ...keepPresent(e.body)],
  Nop: listNoChildren,
  Not: listOperand,
  Or: listOperands,
  Parameter: (e) => [...keepPresent(e.value), ...keepPresent(e.type)],
  Parenthesized: listOperand,
  PlanDefinition: listDefinitionChildren,
  Program: (e) => [e.body],
  QualifiedName: listNoChildren,
  QualifiedReference: listNoChildren,
  Query: (e) => keepPresent(e.expression),
  Relationship: listOperands,
  Render: listOperand,
  RenderString: listNoChildren,
  ReservedWord: listNoChildren,
  Resource: (e) => [e.typeName, ...e.bodies],
  ResourceBody: (e) => [e.title, ...e.operations],
  ResourceDefaults: (e): readonly (Expression | Operation)[] => [e.typeRef, ...e.operations],
  ResourceOverride: (e) => [e.resources, ...e.operations],
  ResourceTypeDefinition: listDefinitionChildren,
  Selector: (e) => [e.left, ...e.selectors],
  SelectorEntry: (e) => [e.matching, e.value],
  TextExpression: listOperand,
  TypeAlias: (e) => [e.type],
  TypeDefinition: (e) => keepPresent(e.body),
  TypeMapping: (e) => [e.type, e.mapping],
  UnaryMinus: listOperand,
  Unfold: listOperand,
  Unless: (e) => [e.test, ...keepPresent(e.then), ...keepPresent(e.else)],
  Variable: listNoChildren,
}

interface Defined {
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType?: Expression | undefined
}

function listDefinitionChildren({ parameters, body, returnType }: Defined): AnyNode[] {
  return [...parameters, ...keepPresent(body), ...keepPresent(returnType)]
}

function keepPresent(node: AnyNode | undefined): AnyNode[] {
  return node === undefined || node.kind === 'Nop' ? [] : [node]
}
