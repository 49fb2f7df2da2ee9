import { defineIssues } from '../../../base/issue.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { statementFunctions } from '../parser/statement-calls.ts'
import { formatNode, formatNodeCapitalized, getNodeLabel } from '../tree/label.ts'
import type { AnyNode } from '../tree/nodes.ts'

/** The node that the message names. */
interface About {
  readonly node: AnyNode
}
interface Named {
  readonly name: string
}
interface In {
  readonly container: AnyNode
}

/** Error definitions of syntax tree validation, in Puppet's words. Puppet: pops/issues.rb. */
export const validationIssues = defineIssues({
  APPENDS_DELETES_NO_LONGER_SUPPORTED: {
    text: (a: { operator: string }) =>
      `The operator '${a.operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals`,
  },
  CAPTURES_REST_NOT_LAST: {
    text: (a: Named) => `Parameter $${a.name} is not last, and has 'captures rest'`,
  },
  CAPTURES_REST_NOT_SUPPORTED: {
    text: (a: Named & In) => `Parameter $${a.name} has 'captures rest' - not supported in ${formatNode(a.container)}`,
  },
  CLASS_NOT_VIRTUALIZABLE: { text: () => 'Classes are not virtualizable' },
  CROSS_SCOPE_ASSIGNMENT: {
    text: (a: Named) => `Illegal attempt to assign to '${a.name}'. Cannot assign to variables in other namespaces`,
  },
  DUPLICATE_DEFAULT: {
    text: (a: In) => `This ${getNodeLabel(a.container)} already has a 'default' entry - this is a duplicate`,
  },
  DUPLICATE_KEY: { text: (a: { key: string }) => `The key '${a.key}' is declared more than once` },
  DUPLICATE_PARAMETER: {
    text: (a: Named) => `The parameter '${a.name}' is declared more than once in the parameter list`,
  },
  EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING: {
    text: (a: About) => `${formatNodeCapitalized(a.node)} is not available when compiling a catalog`,
  },
  NOT_SUPPORTED_WHEN_SCRIPTING: {
    text: (a: About) => `${formatNodeCapitalized(a.node)} is only available when compiling a catalog`,
  },
  FUTURE_RESERVED_WORD: { text: (a: { word: string }) => `Use of future reserved word: '${a.word}'` },
  IDEM_EXPRESSION_NOT_LAST: {
    text: (a: About) =>
      `This ${getNodeLabel(a.node)} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)`,
    hint: ({ node }) => (node.kind === 'QualifiedName' ? formatSuggestion(node.value, statementFunctions) : undefined),
  },
  IDEM_NOT_ALLOWED_LAST: {
    text: (a: About & In) =>
      `This ${getNodeLabel(a.node)} has no effect. ${formatNodeCapitalized(a.container)} can not end with a value-producing expression without other effect`,
  },
  ILLEGAL_ASSIGNMENT: {
    text: (a: About) => `Illegal attempt to assign to '${formatNode(a.node)}'. Not an assignable reference`,
  },
  ILLEGAL_ASSIGNMENT_CONTEXT: { text: () => 'Assignment not allowed here' },
  ILLEGAL_ATTRIBUTE_APPEND: {
    text: (a: Named & { parent: AnyNode }) =>
      `Illegal +> operation on attribute ${a.name}. This operator can not be used in ${formatNode(a.parent)}`,
  },
  ILLEGAL_CLASSREF: {
    text: (a: Named) => `Illegal type reference. The given name '${a.name}' does not conform to the naming rule`,
  },
  ILLEGAL_DEFINITION_LOCATION: {
    text: (a: Named & { file: string }) =>
      `Unacceptable location. The name '${a.name}' is unacceptable in file '${a.file}'`,
  },
  ILLEGAL_DEFINITION_NAME: {
    text: (a: Named & About) =>
      `Unacceptable name. The name '${a.name}' is unacceptable as the name of ${formatNode(a.node)}`,
  },
  ILLEGAL_EPP_PARAMETERS: {
    text: () =>
      "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace",
  },
  ILLEGAL_EXPRESSION: {
    text: (a: About & In & { feature: string }) =>
      `Illegal expression. ${formatNodeCapitalized(a.node)} is unacceptable as ${a.feature} in ${formatNode(a.container)}`,
  },
  ILLEGAL_HOSTNAME_CHARS: {
    text: (a: { hostname: string }) =>
      `The hostname '${a.hostname}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)`,
  },
  ILLEGAL_HOSTNAME_INTERPOLATION: {
    text: () => 'An interpolated expression is not allowed in a hostname of a node',
  },
  ILLEGAL_INDEXED_ASSIGNMENT: {
    text: () => 'Illegal attempt to assign via [index/key]. Not an assignable reference',
  },
  ILLEGAL_NODE_INHERITANCE: {
    text: () =>
      'Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation',
  },
  ILLEGAL_NUMERIC_ASSIGNMENT: {
    text: (a: Named) =>
      `Illegal attempt to assign to the numeric match result variable '$${a.name}'. Numeric variables are not assignable`,
  },
  ILLEGAL_NUMERIC_PARAMETER: {
    text: (a: Named) =>
      `The numeric parameter name '$${a.name}' cannot be used (clashes with numeric match result variables)`,
  },
  ILLEGAL_NUMERIC_VAR_NAME: {
    text: (a: Named) =>
      `Illegal numeric variable name, The given name '${a.name}' must be a decimal value if it starts with a digit 0-9`,
  },
  ILLEGAL_PARAM_NAME: {
    text: (a: Named) =>
      `Illegal parameter name. The given name '${a.name}' does not conform to the naming rule /^[a-z_]\\w*$/`,
  },
  ILLEGAL_QUERY_EXPRESSION: {
    text: (a: About) => `Illegal query expression. ${formatNodeCapitalized(a.node)} cannot be used in a query`,
  },
  ILLEGAL_REGEXP: { text: (a: { why: string }) => a.why },
  ILLEGAL_TOP_CONSTRUCT_LOCATION: {
    text: (a: About) =>
      'name' in a.node && a.node.kind !== 'TypeAlias' && a.node.kind !== 'TypeDefinition'
        ? `The ${getNodeLabel(a.node)} '${a.node.name}' is unacceptable as a top level construct in this location`
        : `This ${getNodeLabel(a.node)} is unacceptable as a top level construct in this location`,
  },
  ILLEGAL_TYPE_MAPPING: {
    text: (a: About & { expected: string }) =>
      `Illegal type mapping. Expected a ${a.expected} on the left side, got ${formatNodeCapitalized(a.node)}`,
  },
  ILLEGAL_VAR_NAME: {
    text: (a: Named) =>
      `Illegal variable name, The given name '${a.name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/`,
  },
  INVALID_PRODUCED_TEXT: {
    text: (a: { syntax: string; detail: string }) => `Invalid produced text having syntax: '${a.syntax}'. ${a.detail}`,
  },
  MULTIPLE_ATTRIBUTES_UNFOLD: {
    text: () => 'Unfolding of attributes from Hash can only be used once per resource body',
  },
  NOT_ABSOLUTE_TOP_LEVEL: { text: (a: About) => `${formatNodeCapitalized(a.node)} may only appear at toplevel` },
  NOT_RVALUE: {
    text: (a: About) => `Invalid use of expression. ${formatNodeCapitalized(a.node)} does not produce a value`,
  },
  NOT_TOP_LEVEL: {
    text: () => 'Classes, definitions, and nodes may only appear at toplevel or inside other classes',
  },
  NOT_VIRTUALIZEABLE: { text: () => 'Resource Defaults are not virtualizable' },
  NUMERIC_OVERFLOW: {
    text: (a: About & { value: bigint }) =>
      `${formatNodeCapitalized(a.node)} resulted in a value outside of Puppet Integer ${a.value > 0 ? 'max' : 'min'} range, got '${
        a.value > 0 ? '+' : '-'
      }0x${(a.value > 0 ? a.value : -a.value).toString(16)}'`,
  },
  RESERVED_PARAMETER: {
    text: (a: Named & In) =>
      `The parameter $${a.name} redefines a built in parameter in the ${getNodeLabel(a.container)}`,
  },
  RESERVED_TYPE_NAME: {
    text: (a: Named & About) =>
      `The name: '${a.name}' is already defined by Puppet and can not be used as the name of ${formatNode(a.node)}.`,
  },
  RESERVED_WORD: {
    text: (a: { word: string }) => `Use of reserved word: ${a.word}, must be quoted if intended to be a String value`,
  },
  RESOURCE_WITHOUT_TITLE: {
    text: (a: Named) => `This expression is invalid. Did you try declaring a '${a.name}' resource without a title?`,
  },
  UNSUPPORTED_EXPRESSION: {
    text: (a: About) => `Expressions of type ${formatNode(a.node)} are not supported in this version of Puppet`,
  },
})
