import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { type ExactJson, type ExactObject, getEntries, getMember } from '../../base/json/exact-json.ts'
import { assertInstance } from '../../language/functions/definition/assert-instance.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import type { Type } from '../../language/values/type.ts'
import { policyIssues } from './issues.ts'
import { parseReferencePattern } from './name-pattern.ts'
import type { Exception, Policies, PolicyRule, RuleSeverity, RuleTest } from './policy.ts'
import { compileSchemaTest } from './schema-test.ts'
import { toValidatorData } from './validator-data.ts'

/** Dates are read as strings. Aliases are rejected, since they could multiply the size of the data. */
const permitted = { Date: (text: string) => text, Time: (text: string) => text, aliases: false }

const names = 'Variant[String[1], Array[String[1], 1]]'
const typeName = 'Pattern[/\\A[A-Za-z]\\w*(::[A-Za-z]\\w*)*\\z/]'
const types = `Variant[${typeName}, Array[${typeName}, 1]]`
const shape = `Optional[Struct[{
  Optional[rules] => Optional[Hash[Pattern[/\\A[a-z0-9][a-z0-9_-]*\\z/], Struct[{
    message => String[1, 1000],
    Optional[severity] => Enum[error, warning],
    Optional['type'] => ${types}, Optional[title] => ${names}, Optional[nodes] => ${names},
    Optional[parameters] => Variant[Boolean, Hash], Optional[resource] => Variant[Boolean, Hash],
    Optional['function'] => Pattern[/\\A[a-z]\\w*(::[a-z]\\w*)*\\z/] }]]],
  Optional[exceptions] => Optional[Array[Struct[{
    rule => String[1], until => String[1], reason => String[1, 1000],
    Optional[resource] => ${names}, Optional[nodes] => ${names} }]]] }]]`

let shapeType: Type | undefined

/** Parses the rules and exceptions in a policy file. Throws POLICY_…. */
export function parsePolicies(text: string, file: string): Policies {
  const data = parsePolicyYaml(text, file)
  shapeType ??= parseType(shape)
  assertInstance(`The file ${file}`, shapeType, convertJsonToValue(data), (message) =>
    throwIssue(policyIssues.POLICY_SHAPE, { message: message.trim() }),
  )
  const rules = [...getEntries((getMember(data, 'rules') ?? {}) as ExactObject)]
  const exceptions = (getMember(data, 'exceptions') ?? []) as readonly ExactJson[]
  const { bound } = budgets.policy.rules
  if (rules.length > bound) throwIssue(policyIssues.POLICIES_TOO_MANY, { where: file, what: 'rules', bound })
  return {
    rules: rules.map(([name, rule]) => parseRule(name, rule, file)),
    exceptions: exceptions.map((each) => parseException(each, file)),
  }
}

function parsePolicyYaml(text: string, file: string): ExactJson {
  try {
    return convertYamlToJson(text, permitted)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return throwIssue(policyIssues.POLICY_SYNTAX, { file, why: error.message })
  }
}

function parseRule(name: string, rule: ExactJson | undefined, file: string): PolicyRule {
  return {
    name,
    message: getMember(rule, 'message') as string,
    severity: (getMember(rule, 'severity') ?? 'error') as RuleSeverity,
    file,
    types: getStringList(rule, 'type').map((type) => capitalizeSegments(type.toLowerCase())),
    titles: getStringList(rule, 'title').map(parseReferencePattern),
    nodes: getStringList(rule, 'nodes').map(parseReferencePattern),
    test: parseRuleTest(name, rule, file),
  }
}

const tests = ['parameters', 'resource', 'function'] as const

function parseRuleTest(rule: string, json: ExactJson | undefined, file: string): RuleTest {
  const given = tests.filter((key) => getMember(json, key) !== undefined)
  const [kind] = given
  if (kind === undefined || given.length > 1) return throwIssue(policyIssues.POLICY_TEST, { rule, file, given })
  const value = getMember(json, kind)!
  if (kind === 'function') return { kind, name: value as string }
  return { kind: 'schema', of: kind, violation: compileSchemaTest(toValidatorData(value), { rule, file }) }
}

function parseException(json: ExactJson, file: string): Exception {
  const [rule, until, reason] = ['rule', 'until', 'reason'].map((key) => getMember(json, key) as string) as [
    string,
    string,
    string,
  ]
  if (!isCalendarDate(until)) throwIssue(policyIssues.POLICY_NO_DATE, { until, rule, file })
  return {
    rule,
    until,
    reason,
    resources: getStringList(json, 'resource').map(parseReferencePattern),
    nodes: getStringList(json, 'nodes').map(parseReferencePattern),
  }
}

/** Returns true for an existing calendar day, such as `2026-12-31`. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the strings in a member that contains either one string or a list. */
function getStringList(json: ExactJson | undefined, key: string): readonly string[] {
  const given = (getMember(json, key) ?? []) as string | readonly string[]
  return typeof given === 'string' ? [given] : given
}
