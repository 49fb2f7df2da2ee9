import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'

/** Errors in policies. */
export const policyIssues = defineIssues({
  POLICY_SYNTAX: {
    text: (a: { file: string; why: string }) => `Could not read the policies in ${a.file}: ${a.why}`,
    hint: (a) =>
      a.why.includes('alias') ? 'Policies cannot contain YAML aliases. Use $defs and $ref in the schema.' : undefined,
  },
  POLICY_SHAPE: {
    text: (a: { message: string }) => a.message,
    hint: () => 'A policy file has the keys rules and exceptions; see docs/policies.md.',
  },
  POLICY_TEST: {
    text: (a: { rule: string; file: string; given: readonly string[] }) =>
      a.given.length === 0
        ? `The rule '${a.rule}' in ${a.file} has no test`
        : `The rule '${a.rule}' in ${a.file} has ${a.given.join(' and ')}, but only one of them is allowed`,
    hint: () => 'Set parameters or resource to a JSON Schema, or function to the name of a function.',
  },
  POLICY_TWICE: {
    text: (a: { rule: string; file: string; other: string }) =>
      `The rule '${a.rule}' in ${a.file} also exists in ${a.other}`,
    hint: () => 'Rename one of the rules. Exceptions refer to rules by name.',
  },
  POLICY_NO_SUCH_RULE: {
    text: (a: { rule: string; file: string; known: readonly string[] }) =>
      `The exception in ${a.file} refers to an unknown rule '${a.rule}'`,
    hint: (a) => formatSuggestion(a.rule, a.known),
  },
  POLICY_NO_DATE: {
    text: (a: { until: string; rule: string; file: string }) =>
      `The exception from '${a.rule}' in ${a.file} has an invalid end date '${a.until}'`,
    hint: () => 'Give the last day as YYYY-MM-DD, such as 2026-12-31.',
  },
  POLICY_SCHEMA: {
    text: (a: { rule: string; file: string; why: string }) =>
      `The JSON Schema of the rule '${a.rule}' in ${a.file} cannot be used: ${a.why}`,
    hint: (a) =>
      a.why.includes('unknown keyword') || a.why.includes('is ignored')
        ? 'Use the keywords of JSON Schema 2020-12, except format.'
        : undefined,
  },
  POLICIES_TOO_MANY: {
    text: (a: { where: string; what: string; bound: number }) =>
      `The policies in ${a.where} have more than ${a.bound} ${a.what}`,
  },
  POLICY_NOT_ASKED: { text: (a: { why: string }) => `could not be checked: ${a.why}` },
  POLICY_RESULT: {
    text: (a: { name: string; type: string }) =>
      `The policy function ${a.name} returned ${a.type} instead of a list of findings`,
    hint: () =>
      'Return undef or an Array of findings: resources from its argument (optionally with an added message), references such as File[/x], or Strings about the catalog.',
  },
  POLICY_RESULT_RESOURCE: {
    text: (a: { name: string; resource: string }) =>
      `The policy function ${a.name} returned ${a.resource}, which is not in the catalog`,
  },
})
