import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'

/** Errors in policies. */
export const policyIssues = defineIssues({
  POLICY_SYNTAX: {
    text: (a: { file: string; why: string }) => `Could not read the policies in ${a.file}: ${a.why}`,
    hint: (a) =>
      a.why.includes('alias') ? 'Policies have no aliases: $defs and $ref of a schema do as much.' : undefined,
  },
  POLICY_SHAPE: {
    text: (a: { message: string }) => a.message,
    hint: () => 'A file of policies has the keys rules and exceptions; docs/policies.md shows both.',
  },
  POLICY_TEST: {
    text: (a: { rule: string; file: string; given: readonly string[] }) =>
      a.given.length === 0
        ? `The rule '${a.rule}' in ${a.file} tests nothing`
        : `The rule '${a.rule}' in ${a.file} has ${a.given.join(' and ')}, and may have one of them`,
    hint: () => 'A rule has a JSON Schema, as parameters or resource, or the name of a function.',
  },
  POLICY_TWICE: {
    text: (a: { rule: string; file: string; other: string }) =>
      `The rule '${a.rule}' in ${a.file} is in ${a.other}, too`,
    hint: () => 'Exceptions name a rule by its name: give one of them another.',
  },
  POLICY_NO_SUCH_RULE: {
    text: (a: { rule: string; file: string; known: readonly string[] }) =>
      `The exception in ${a.file} is from a rule '${a.rule}', which is not there`,
    hint: (a) => formatSuggestion(a.rule, a.known),
  },
  POLICY_NO_DATE: {
    text: (a: { until: string; rule: string; file: string }) =>
      `The exception from '${a.rule}' in ${a.file} ends on '${a.until}', which is no date`,
    hint: () => 'Write the last day of it as YEAR-MONTH-DAY, such as 2026-12-31.',
  },
  POLICY_SCHEMA: {
    text: (a: { rule: string; file: string; why: string }) =>
      `The JSON Schema of the rule '${a.rule}' in ${a.file} cannot be used: ${a.why}`,
    hint: (a) =>
      a.why.includes('unknown keyword') || a.why.includes('is ignored')
        ? 'Keywords are those of JSON Schema 2020-12, but for format.'
        : undefined,
  },
  POLICIES_TOO_MANY: {
    text: (a: { where: string; what: string; bound: number }) =>
      `The policies in ${a.where} have more than ${a.bound} ${a.what}`,
  },
  POLICY_NOT_ASKED: { text: (a: { why: string }) => `could not be checked: ${a.why}` },
  POLICY_RESULT: {
    text: (a: { name: string; type: string }) =>
      `The function ${a.name} of a policy gave ${a.type}, which is no list of findings`,
    hint: () =>
      'It gives undef or an Array of: resources as it got them, with a message added where it has more to say; references, such as File[/x]; Strings about the catalog.',
  },
  POLICY_RESULT_RESOURCE: {
    text: (a: { name: string; resource: string }) =>
      `The function ${a.name} of a policy gave ${a.resource}, which is not in the catalog`,
  },
})
