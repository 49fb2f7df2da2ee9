import { getArticle } from '../../../base/text/article.ts'
import type { AnyNode, NodeOf } from './nodes.ts'

type Labels = { readonly [K in AnyNode['kind']]: string | ((node: NodeOf<K>) => string) }

const formatOperatorLabel = ({ operator }: { readonly operator: string }): string => `'${operator}' expression`
const formatQueryLabel = ({ exported }: { readonly exported: boolean }): string =>
  exported ? 'Exported Query' : 'Virtual Query'

/** Node names in Puppet's messages. Puppet: model_label_provider.rb. */
const labels: Labels = {
  Access: "'[]' expression",
  And: "'and' expression",
  Apply: "'apply' expression",
  Arithmetic: formatOperatorLabel,
  Assignment: formatOperatorLabel,
  AttributeOperation: formatOperatorLabel,
  AttributesOperation: "'* =>' expression",
  Block: 'Block Expression',
  CallMethod: 'Method call',
  CallNamedFunction: 'Function Call',
  Case: "'case' statement",
  CaseOption: 'Case Option',
  Collect: ({ query }) => formatQueryLabel(query),
  Comparison: formatOperatorLabel,
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
  Match: formatOperatorLabel,
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
  Query: formatQueryLabel,
  Relationship: formatOperatorLabel,
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
export function getNodeLabel(node: AnyNode): string {
  const label = labels[node.kind]
  return typeof label === 'string' ? label : (label as (node: AnyNode) => string)(node)
}

/** Node name with an article: `a Function Call`. */
export function formatNode(node: AnyNode): string {
  const label = getNodeLabel(node)
  return `${getArticle(label)} ${label}`
}

/** Node name with a capitalized article: `A Function Call`. */
export function formatNodeCapitalized(node: AnyNode): string {
  const label = formatNode(node)
  return label[0]!.toUpperCase() + label.slice(1)
}
