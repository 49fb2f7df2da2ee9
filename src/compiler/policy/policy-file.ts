import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { type ExactJson, type ExactObject, entriesOf, memberOf } from '../../base/json/exact-json.ts'
import { assertInstance } from '../../language/functions/definition/assert-instance.ts'
import { yamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { parseType } from '../../language/types/from-code/parse.ts'
import { capitalizeSegments } from '../../language/types/printing/print.ts'
import type { Type } from '../../language/values/type.ts'
import { valueFromJson } from '../../language/values/value-from-json.ts'
import { policyIssues } from './issues.ts'
import { namePattern } from './name-pattern.ts'
import { plainData } from './plain-data.ts'
import type { Exception, Policies, Rule, RuleSeverity, RuleTest } from './policy.ts'
import { schemaTest } from './schema-test.ts'

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
export function policiesOf(text: string, file: string): Policies {
  const data = parsed(text, file)
  shapeType ??= parseType(shape)
  assertInstance(`The file ${file}`, shapeType, valueFromJson(data), (message) =>
    fail(policyIssues.POLICY_SHAPE, { message: message.trim() }),
  )
  const rules = [...entriesOf((memberOf(data, 'rules') ?? {}) as ExactObject)]
  const exceptions = (memberOf(data, 'exceptions') ?? []) as readonly ExactJson[]
  const { bound } = budgets.policy.rules
  if (rules.length > bound) fail(policyIssues.POLICIES_TOO_MANY, { where: file, what: 'rules', bound })
  return {
    rules: rules.map(([name, rule]) => ruleOf(name, rule, file)),
    exceptions: exceptions.map((each) => exceptionOf(each, file)),
  }
}

function parsed(text: string, file: string): ExactJson {
  try {
    return yamlToJson(text, permitted)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return fail(policyIssues.POLICY_SYNTAX, { file, why: error.message })
  }
}

function ruleOf(name: string, rule: ExactJson | undefined, file: string): Rule {
  return {
    name,
    message: memberOf(rule, 'message') as string,
    severity: (memberOf(rule, 'severity') ?? 'error') as RuleSeverity,
    file,
    types: textsAt(rule, 'type').map((type) => capitalizeSegments(type.toLowerCase())),
    titles: textsAt(rule, 'title').map(namePattern),
    nodes: textsAt(rule, 'nodes').map(namePattern),
    test: testOf(name, rule, file),
  }
}

const tests = ['parameters', 'resource', 'function'] as const

function testOf(rule: string, json: ExactJson | undefined, file: string): RuleTest {
  const given = tests.filter((key) => memberOf(json, key) !== undefined)
  const [kind] = given
  if (kind === undefined || given.length > 1) return fail(policyIssues.POLICY_TEST, { rule, file, given })
  const value = memberOf(json, kind)!
  if (kind === 'function') return { kind, name: value as string }
  return { kind: 'schema', of: kind, violation: schemaTest(plainData(value), { rule, file }) }
}

function exceptionOf(json: ExactJson, file: string): Exception {
  const [rule, until, reason] = ['rule', 'until', 'reason'].map((key) => memberOf(json, key) as string) as [
    string,
    string,
    string,
  ]
  if (!isDate(until)) fail(policyIssues.POLICY_NO_DATE, { until, rule, file })
  return {
    rule,
    until,
    reason,
    resources: textsAt(json, 'resource').map(namePattern),
    nodes: textsAt(json, 'nodes').map(namePattern),
  }
}

/** Returns true for an existing calendar day, such as `2026-12-31`. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the strings in a member that contains either one string or a list. */
function textsAt(json: ExactJson | undefined, key: string): readonly string[] {
  const given = (memberOf(json, key) ?? []) as string | readonly string[]
  return typeof given === 'string' ? [given] : given
}
