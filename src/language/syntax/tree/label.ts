import { article } from '../../../base/text/article.ts'
import type { AnyNode, NodeOf } from './nodes.ts'

type Labels = { readonly [K in AnyNode['kind']]: string | ((node: NodeOf<K>) => string) }

const byOperator = ({ operator }: { readonly operator: string }): string => `'${operator}' expression`
const byQuery = ({ exported }: { readonly exported: boolean }): string =>
  exported ? 'Exported Query' : 'Virtual Query'

/** Node names in Puppet's messages. Puppet: model_label_provider.rb. */
const labels: Labels = {
  Access: "'[]' expression",
  And: "'and' expression",
  Apply: "'apply' expression",
  Arithmetic: byOperator,
  Assignment: byOperator,
  AttributeOperation: byOperator,
  AttributesOperation: "'* =>' expression",
  Block: 'Block Expression',
  CallMethod: 'Method call',
  CallNamedFunction: 'Function Call',
  Case: "'case' statement",
  CaseOption: 'Case Option',
  Collect: ({ query }) => byQuery(query),
  Comparison: byOperator,
  ConcatenatedString: 'Double Quoted String',
  Epp: 'Epp Template',
  FunctionDefinition: 'Function Definition',
  Heredoc: ({ syntax }) => `'@(${syntax})' expression`,
  HostClassDefinition: 'Host Class Definition',
  If: "'if' statement",
  In: "'in' expression",
  KeyedEntry: 'Hash Entry',
  Lambda: 'Lambda',
  LiteralBoolean: 'Boolean',
  LiteralDefault: "'default' expression",
  LiteralFloat: 'Literal Float',
  LiteralHash: 'Hash Expression',
  LiteralInteger: 'Literal Integer',
  LiteralList: 'Array Expression',
  LiteralRegexp: 'Regular Expression',
  LiteralString: 'String',
  LiteralUndef: "'undef' expression",
  Match: byOperator,
  NamedAccess: "'.' expression",
  NodeDefinition: 'Node Definition',
  Nop: 'Nop Expression',
  Not: "'not' expression",
  Or: "'or' expression",
  Parameter: 'Parameter Definition',
  Parenthesized: 'Parenthesized Expression',
  PlanDefinition: 'Plan Definition',
  Program: 'Program',
  QualifiedName: 'Name',
  QualifiedReference: 'Type-Name',
  Query: byQuery,
  Relationship: byOperator,
  Render: 'Epp Interpolated Expression',
  RenderString: 'Epp Text',
  ReservedWord: ({ word }) => `Reserved Word '${word}'`,
  Resource: 'Resource Statement',
  ResourceBody: 'Resource Instance Definition',
  ResourceDefaults: 'Resource Defaults Expression',
  ResourceOverride: 'Resource Override',
  ResourceTypeDefinition: "'define' expression",
  Selector: 'Selector Expression',
  SelectorEntry: 'Selector Option',
  TextExpression: 'Expression in Interpolated String',
  TypeAlias: 'Type Alias',
  TypeDefinition: 'Type Definition',
  TypeMapping: 'Type Mapping',
  UnaryMinus: 'Unary Minus',
  Unfold: 'Unfold',
  Unless: "'unless' Statement",
  Variable: 'Variable',
}

/** Node name in Puppet's messages, such as `Function Call`. */
export function nodeLabel(node: AnyNode): string {
  const label = labels[node.kind]
  return typeof label === 'string' ? label : (label as (node: AnyNode) => string)(node)
}

/** Node name with an article: `a Function Call`. */
export function aNode(node: AnyNode): string {
  const label = nodeLabel(node)
  return `${article(label)} ${label}`
}

/** Node name with a capitalized article: `A Function Call`. */
export function upperNode(node: AnyNode): string {
  const label = aNode(node)
  return label[0]!.toUpperCase() + label.slice(1)
}
