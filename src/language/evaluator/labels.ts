import type { AnyNode } from '../ast/nodes.ts'
import { article } from '../types/label.ts'

/** What messages call a node. Puppet: pops/model/model_label_provider.rb. */
const labels: Readonly<Record<AnyNode['kind'], string | ((node: never) => string)>> = {
  LiteralString: 'String',
  LiteralInteger: 'Literal Integer',
  LiteralFloat: 'Literal Float',
  LiteralBoolean: 'Boolean',
  LiteralUndef: "'undef' expression",
  LiteralDefault: "'default' expression",
  LiteralRegexp: 'Regular Expression',
  LiteralList: 'Array Expression',
  LiteralHash: 'Hash Expression',
  KeyedEntry: 'Hash Entry',
  QualifiedName: 'Name',
  QualifiedReference: 'Type-Name',
  Variable: 'Variable',
  ReservedWord: ({ word }: { word: string }) => `Reserved Word '${word}'`,
  ConcatenatedString: 'Double Quoted String',
  TextExpression: 'Expression in Interpolated String',
  Heredoc: ({ syntax }: { syntax: string }) => `'@(${syntax})' expression`,
  Nop: 'Nop Expression',
  Parenthesized: 'Parenthesized Expression',
  Not: "'not' expression",
  UnaryMinus: 'Unary Minus',
  Unfold: 'Unfold',
  And: "'and' expression",
  Or: "'or' expression",
  In: "'in' expression",
  Arithmetic: operatorLabel,
  Comparison: operatorLabel,
  Match: operatorLabel,
  Assignment: operatorLabel,
  Relationship: operatorLabel,
  Access: "'[]' expression",
  NamedAccess: "'.' expression",
  Block: 'Block Expression',
  If: "'if' statement",
  Unless: "'unless' Statement",
  Case: "'case' statement",
  CaseOption: 'Case Option',
  Selector: 'Selector Expression',
  SelectorEntry: 'Selector Option',
  CallNamedFunction: 'Function Call',
  CallMethod: 'Method call',
  Lambda: 'Lambda',
  Parameter: 'Parameter Definition',
  Resource: 'Resource Statement',
  ResourceBody: 'Resource Instance Definition',
  AttributeOperation: operatorLabel,
  AttributesOperation: "'* =>' expression",
  ResourceDefaults: 'Resource Defaults Expression',
  ResourceOverride: 'Resource Override',
  Collect: ({ query }: { query: { exported: boolean } }) => (query.exported ? 'Exported Query' : 'Virtual Query'),
  Query: ({ exported }: { exported: boolean }) => (exported ? 'Exported Query' : 'Virtual Query'),
  Epp: 'Epp Template',
  RenderString: 'Epp Text',
  Render: 'Epp Interpolated Expression',
  HostClassDefinition: 'Host Class Definition',
  ResourceTypeDefinition: "'define' expression",
  NodeDefinition: 'Node Definition',
  FunctionDefinition: 'Function Definition',
  PlanDefinition: 'Plan Definition',
  TypeAlias: 'Type Alias',
  TypeDefinition: 'Type Definition',
  TypeMapping: 'Type Mapping',
  Apply: "'apply' expression",
  Program: 'Program',
}

/** `Function Call` */
export function labelOf(node: AnyNode): string {
  const label = labels[node.kind]
  return typeof label === 'string' ? label : label(node as never)
}

/** `a Function Call` */
export function aLabelOf(node: AnyNode): string {
  const label = labelOf(node)
  return `${article(label)} ${label}`
}

function operatorLabel({ operator }: { operator: string }): string {
  return `'${operator}' expression`
}

/** `A Function Call`, where a sentence begins with it. */
export function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1)
}
