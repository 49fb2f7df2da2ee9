import { article } from '../../base/article.ts'
import { defineIssues } from '../../base/issue.ts'
import { aNode, upperNode } from '../ast/label.ts'
import type { AnyNode } from '../ast/nodes.ts'
import { rubyText } from '../functions/ruby-text.ts'
import { labelOf, withArticle, withCapitalArticle } from '../types/label.ts'
import { toText } from '../values/print.ts'
import type { Value } from '../values/value.ts'

/** What can go wrong when code runs, in Puppet's words. Puppet: pops/issues.rb. */
export const issues = defineIssues({
  UNKNOWN_VARIABLE: {
    text: (a: { name: string; hint?: string }) => `Unknown variable: '${a.name}'.`,
    hint: (a) => a.hint,
  },
  UNKNOWN_FUNCTION: {
    text: (a: { name: string; hint?: string }) => `Unknown function: '${a.name}'.`,
    hint: (a) => a.hint,
  },
  UNKNOWN_RESOURCE_TYPE: {
    text: (a: { name: string; hint?: string | undefined }) => `Resource type not found: ${a.name}`,
    hint: (a) => a.hint,
  },
  RESERVED_WORD: {
    text: (a: { word: string }) => `Use of reserved word: ${a.word}, must be quoted if intended to be a String value`,
  },
  CROSS_SCOPE_ASSIGNMENT: {
    text: (a: { name: string }) =>
      `Illegal attempt to assign to '${a.name}'. Cannot assign to variables in other namespaces`,
  },
  ILLEGAL_ASSIGNMENT: {
    text: (a: { node: AnyNode }) => `Illegal attempt to assign to '${aNode(a.node)}'. Not an assignable reference`,
  },
  ILLEGAL_REASSIGNMENT: {
    text: (a: { name: string }) =>
      a.name === 'name' || a.name === 'title'
        ? `Cannot reassign built in (or already assigned) variable '$${a.name}'`
        : `Cannot reassign variable '$${a.name}'`,
  },
  ILLEGAL_RESERVED_ASSIGNMENT: {
    text: (a: { name: string }) => `Attempt to assign to a reserved variable name: '$${a.name}'`,
  },
  ILLEGAL_NUMERIC_ASSIGNMENT: {
    text: (a: { name: string }) =>
      `Illegal attempt to assign to the numeric match result variable '$${a.name}'. Numeric variables are not assignable`,
  },
  ILLEGAL_MULTI_ASSIGNMENT_SIZE: {
    text: (a: { expected: number; actual: number }) =>
      `Mismatched number of assignable entries and values, expected ${a.expected}, got ${a.actual}`,
  },
  MISSING_MULTI_ASSIGNMENT_KEY: {
    text: (a: { key: string }) => `No value for required key '${a.key}' in assignment to variables from hash`,
  },
  MISSING_MULTI_ASSIGNMENT_VARIABLE: {
    text: (a: { name: string }) =>
      `No value for required variable '$${a.name}' in assignment to variables from class reference`,
  },
  UNSUPPORTED_OPERATOR: { text: (a: { operator: string }) => `The operator '${a.operator}' is not supported.` },
  OPERATOR_NOT_APPLICABLE: {
    text: (a: { operator: string; left: Value }) =>
      `Operator '${a.operator}' is not applicable to ${withArticle(a.left)}.`,
  },
  OPERATOR_NOT_APPLICABLE_WHEN: {
    text: (a: { operator: string; left: Value; right: Value }) =>
      `Operator '${a.operator}' is not applicable to ${withArticle(a.left)} when right side is ${withArticle(a.right)}.`,
  },
  COMPARISON_NOT_POSSIBLE: {
    text: (a: { operator: string; left: Value; right: Value; detail: string }) =>
      `Comparison of: ${labelOf(a.left)} ${a.operator} ${labelOf(a.right)}, is not possible. Caused by '${a.detail}'.`,
  },
  MATCH_NOT_REGEXP: {
    text: (a: { detail: string }) =>
      `Can not convert right match operand to a regular expression. Caused by '${a.detail}'.`,
  },
  MATCH_NOT_STRING: {
    text: (a: { left: Value }) => `Left match operand must result in a String value. Got ${withArticle(a.left)}.`,
  },
  NOT_NUMERIC: {
    text: (a: { value: Value }) => `The value '${rubyText(a.value)}' cannot be converted to Numeric.`,
  },
  NUMERIC_COERCION: {
    text: (a: { before: string; after: string }) =>
      `The string '${a.before}' was automatically coerced to the numerical value ${a.after}`,
  },
  NUMERIC_OVERFLOW: {
    text: (a: { node: AnyNode; value: bigint }) => {
      const end = a.value > 0n ? 'max' : 'min'
      const hex = `${a.value > 0n ? '+' : '-'}0x${(a.value > 0n ? a.value : -a.value).toString(16)}`
      return `${upperNode(a.node)} resulted in a value outside of Puppet Integer ${end} range, got '${hex}'`
    },
  },
  DIV_BY_ZERO: { text: () => 'Division by 0' },
  RESULT_IS_INFINITY: { text: (a: { operator: string }) => `The result of the ${a.operator} expression is Infinity` },
  UNMATCHED_SELECTOR: {
    text: (a: { value: Value }) => `No matching entry for selector parameter with value '${toText(a.value)}'`,
  },
  BAD_STRING_SLICE_ARITY: {
    text: (a: { actual: number }) => `String supports [] with one or two arguments. Got ${a.actual}`,
  },
  BAD_ARRAY_SLICE_ARITY: {
    text: (a: { actual: number }) => `Array supports [] with one or two arguments. Got ${a.actual}`,
  },
  BAD_HASH_SLICE_ARITY: {
    text: (a: { actual: number }) => `Hash supports [] with one or more arguments. Got ${a.actual}`,
  },
  BAD_SLICE_KEY_TYPE: {
    text: (a: { left: Value; actual: string; expected: string }) =>
      `${withCapitalArticle(a.left)}[] cannot use ${a.actual} where ${a.expected} is expected`,
  },
  BAD_STRING_SLICE_KEY_TYPE: {
    text: (a: { actual: string }) =>
      `A substring operation does not accept ${article(a.actual)} ${a.actual} as a character index. Expected an Integer`,
  },
  BAD_TYPE_SLICE_ARITY: {
    text: (a: { base: string; actual: number }) => `${a.base}[] accepts 1 or more arguments. Got ${a.actual}`,
  },
  BAD_TYPE_SPECIALIZATION: {
    text: (a: { type: string; message: string }) => `Error creating type specialization of ${a.type}, ${a.message}`,
  },
  ILLEGAL_RESOURCE_SPECIALIZATION: {
    text: (a: { actual: string }) =>
      `First argument to Resource[] must be a resource type or a String. Got ${a.actual}.`,
  },
  ILLEGAL_CLASSREF: {
    text: (a: { name: string }) =>
      `Illegal type reference. The given name '${a.name}' does not conform to the naming rule`,
  },
  ILLEGAL_HOSTCLASS_NAME: {
    text: (a: { name: Value }) =>
      `Illegal Class name in class reference. ${withCapitalArticle(a.name)} cannot be used where a String is expected`,
  },
  ILLEGAL_NAME: {
    text: (a: { name: string }) =>
      `Illegal name. The given name '${a.name}' does not conform to the naming rule /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/`,
  },
  UNKNOWN_RESOURCE: {
    text: (a: { type: string; title: string }) => `Resource not found: ${a.type}['${a.title}']`,
  },
  UNKNOWN_RESOURCE_PARAMETER: {
    text: (a: { type: string; title: string; name: string }) =>
      `The resource ${capitalizedOnly(a.type)}['${a.title}'] does not have a parameter called '${a.name}'`,
  },
  ILLEGAL_EXPRESSION: {
    text: (a: { node: AnyNode; feature: string; container: AnyNode }) =>
      `Illegal expression. ${upperNode(a.node)} is unacceptable as ${a.feature} in ${aNode(a.container)}`,
  },
  ILLEGAL_EPP_PARAMETERS: {
    text: () =>
      "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace",
  },
  MISSING_REQUIRED_PARAMETER: {
    text: (a: { name: string }) => `Parameter $${a.name} is required but no value was given`,
  },
  REQUIRED_PARAMETER_AFTER_OPTIONAL: {
    text: (a: { name: string }) => `Parameter $${a.name} is required but appears after optional parameters`,
  },
  MISSING_TITLE: { text: () => 'Missing title. The title expression resulted in undef' },
  MISSING_TITLE_AT: {
    text: (a: { index: number }) =>
      `Missing title at index ${a.index}. The title expression resulted in an undef title`,
  },
  ILLEGAL_TITLE_TYPE_AT: {
    text: (a: { index: number; actual: string }) =>
      `Illegal title type at index ${a.index}. Expected String, got ${a.actual}`,
  },
  EMPTY_STRING_TITLE_AT: {
    text: (a: { index: number }) =>
      `Empty string title at ${a.index}. Title strings must have a length greater than zero.`,
  },
  DUPLICATE_TITLE: {
    text: (a: { title: string }) => `The title '${a.title}' has already been used in this resource expression`,
  },
  DUPLICATE_ATTRIBUTE: { text: (a: { name: string }) => `The attribute '${a.name}' has already been set` },
  ILLEGAL_RESOURCE_TYPE: {
    text: (a: { actual: string }) =>
      `Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got ${a.actual}`,
  },
  ILLEGAL_OVERRIDDEN_TYPE: {
    text: (a: { actual: Value }) => `Resource Override can only operate on resources, got: ${labelOf(a.actual)}`,
  },
  TYPE_MISMATCH: {
    text: (a: { expected: string; actual: string }) => `Expected value of type ${a.expected}, got ${a.actual}`,
  },
  ILLEGAL_RELATIONSHIP_OPERAND_TYPE: {
    text: (a: { operand: Value }) =>
      `Illegal relationship operand, can not form a relationship with ${withArticle(a.operand)}. A Catalog type is required.`,
  },
  NOT_CATALOG_TYPE: {
    text: (a: { type: string }) =>
      `Illegal relationship operand, can not form a relationship with something of type ${a.type}. A Catalog type is required.`,
  },
  EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING: {
    text: (a: { node: AnyNode }) => `${upperNode(a.node)} is only available when compiling a catalog`,
  },
  EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING: {
    text: (a: { node: AnyNode }) => `${upperNode(a.node)} is not available when compiling a catalog`,
  },
  CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING: {
    text: (a: { operation: string }) =>
      `The catalog operation '${a.operation}' is only available when compiling a catalog`,
  },
  RT_NO_STORECONFIGS: {
    text: () => 'You cannot collect exported resources without storeconfigs being set; the collection will be ignored',
  },
  RT_NO_STORECONFIGS_EXPORT: {
    text: () => 'You cannot collect exported resources without storeconfigs being set; the export is ignored',
  },
  CLASS_NOT_VIRTUALIZABLE: { text: () => 'Classes are not virtualizable' },
  /** Errors that have words only, said by whoever met them. */
  RUNTIME_ERROR: { text: (a: { detail: string }) => a.detail },
})

/** As Ruby's String#capitalize: the rest becomes lower case. */
function capitalizedOnly(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}
