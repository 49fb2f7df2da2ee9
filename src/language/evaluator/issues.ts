import { defineIssues } from '../../base/issue.ts'
import { getArticle } from '../../base/text/article.ts'
import { argumentIssues } from '../ruby-semantics/argument-error.ts'
import { scriptingIssues } from '../syntax/issues/scripting.ts'
import { validationIssues } from '../syntax/issues/validation.ts'
import { formatNodeCapitalized } from '../syntax/tree/label.ts'
import type { AnyNode } from '../syntax/tree/nodes.ts'
import { sliceIssues } from '../types/from-code/parameterize-issues.ts'
import { getCapitalizedLabel, getLabel, getLabelWithArticle } from '../types/printing/label.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { toText } from '../types/printing/text.ts'
import type { Value } from '../values/value.ts'

const ownIssues = defineIssues({
  UNKNOWN_VARIABLE: {
    text: (a: { name: string; hint?: string }) => `Unknown variable: '${a.name}'.`,
    hint: (a) => a.hint,
  },
  UNKNOWN_FUNCTION: {
    text: (a: { name: string; hint?: string }) => `Unknown function: '${a.name}'.`,
    hint: (a) => a.hint,
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
  OPERATOR_NOT_APPLICABLE_WHEN: {
    text: (a: { operator: string; left: Value; right: Value }) =>
      `Operator '${a.operator}' is not applicable to ${getLabelWithArticle(a.left)} when right side is ${getLabelWithArticle(a.right)}.`,
  },
  COMPARISON_NOT_POSSIBLE: {
    text: (a: { operator: string; left: Value; right: Value; detail: string }) =>
      `Comparison of: ${getLabel(a.left)} ${a.operator} ${getLabel(a.right)}, is not possible. Caused by '${a.detail}'.`,
  },
  MATCH_NOT_REGEXP: {
    text: (a: { detail: string }) =>
      `Can not convert right match operand to a regular expression. Caused by '${a.detail}'.`,
  },
  MATCH_NOT_STRING: {
    text: (a: { left: Value }) =>
      `Left match operand must result in a String value. Got ${getLabelWithArticle(a.left)}.`,
  },
  NOT_NUMERIC: {
    text: (a: { value: Value }) => `The value '${formatAsString(a.value)}' cannot be converted to Numeric.`,
  },
  NUMERIC_COERCION: {
    text: (a: { before: string; after: string }) =>
      `The string '${a.before}' was automatically coerced to the numerical value ${a.after}`,
  },
  DIV_BY_ZERO: { text: () => 'Division by 0' },
  RESULT_IS_INFINITY: { text: (a: { operator: string }) => `The result of the ${a.operator} expression is Infinity` },
  UNMATCHED_SELECTOR: {
    text: (a: { value: Value }) => `No matching entry for selector parameter with value '${toText(a.value)}'`,
  },
  BAD_ARRAY_SLICE_ARITY: {
    text: (a: { actual: number }) => `Array supports [] with one or two arguments. Got ${a.actual}`,
  },
  BAD_HASH_SLICE_ARITY: {
    text: (a: { actual: number }) => `Hash supports [] with one or more arguments. Got ${a.actual}`,
  },
  BAD_SLICE_KEY_TYPE: {
    text: (a: { left: Value; actual: string; expected: string }) =>
      `${getCapitalizedLabel(a.left)}[] cannot use ${a.actual} where ${a.expected} is expected`,
  },
  BAD_STRING_SLICE_KEY_TYPE: {
    text: (a: { actual: string }) =>
      `A substring operation does not accept ${getArticle(a.actual)} ${a.actual} as a character index. Expected an Integer`,
  },
  UNKNOWN_RESOURCE: {
    text: (a: { type: string; title: string }) => `Resource not found: ${a.type}['${a.title}']`,
  },
  UNKNOWN_RESOURCE_PARAMETER: {
    text: (a: { type: string; title: string; name: string }) =>
      `The resource ${capitalizeText(a.type)}['${a.title}'] does not have a parameter called '${a.name}'`,
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
    text: (a: { actual: Value }) => `Resource Override can only operate on resources, got: ${getLabel(a.actual)}`,
  },
  TYPE_MISMATCH: {
    text: (a: { expected: string; actual: string }) => `Expected value of type ${a.expected}, got ${a.actual}`,
  },
  ILLEGAL_RELATIONSHIP_OPERAND_TYPE: {
    text: (a: { operand: Value }) =>
      `Illegal relationship operand, can not form a relationship with ${getLabelWithArticle(a.operand)}. A Catalog type is required.`,
  },
  NOT_CATALOG_TYPE: {
    text: (a: { type: string }) =>
      `Illegal relationship operand, can not form a relationship with something of type ${a.type}. A Catalog type is required.`,
  },
  EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING: {
    text: (a: { node: AnyNode }) => `${formatNodeCapitalized(a.node)} is only available when compiling a catalog`,
  },
  RT_NO_STORECONFIGS: {
    text: () => 'You cannot collect exported resources without storeconfigs being set; the collection will be ignored',
  },
  RT_NO_STORECONFIGS_EXPORT: {
    text: () => 'You cannot collect exported resources without storeconfigs being set; the export is ignored',
  },
})

/**
 * Definitions of evaluation errors in Puppet's words, including those shared with types and validation. Puppet:
 * pops/issues.rb.
 */
export const evaluatorIssues = {
  ...ownIssues,
  ...scriptingIssues,
  RUNTIME_ERROR: argumentIssues.RUNTIME_ERROR,
  BAD_STRING_SLICE_ARITY: sliceIssues.BAD_STRING_SLICE_ARITY,
  OPERATOR_NOT_APPLICABLE: sliceIssues.OPERATOR_NOT_APPLICABLE,
  UNKNOWN_RESOURCE_TYPE: sliceIssues.UNKNOWN_RESOURCE_TYPE,
  CLASS_NOT_VIRTUALIZABLE: validationIssues.CLASS_NOT_VIRTUALIZABLE,
  CROSS_SCOPE_ASSIGNMENT: validationIssues.CROSS_SCOPE_ASSIGNMENT,
  EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING: validationIssues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING,
  ILLEGAL_ASSIGNMENT: validationIssues.ILLEGAL_ASSIGNMENT,
  ILLEGAL_EPP_PARAMETERS: validationIssues.ILLEGAL_EPP_PARAMETERS,
  ILLEGAL_EXPRESSION: validationIssues.ILLEGAL_EXPRESSION,
  ILLEGAL_NUMERIC_ASSIGNMENT: validationIssues.ILLEGAL_NUMERIC_ASSIGNMENT,
  NUMERIC_OVERFLOW: validationIssues.NUMERIC_OVERFLOW,
  RESERVED_WORD: validationIssues.RESERVED_WORD,
} as const

/** Capitalizes a text like Ruby's `String#capitalize`, which converts all other letters to lower case. */
function capitalizeText(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}
