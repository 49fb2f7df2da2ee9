import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../base/issue.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { type Catalog, formatResourceReference } from '../../model/catalog.ts'
import { type CheckedResource, createCheckedResource } from './checked-resource.ts'
import { parseFunctionFindings } from './function-findings.ts'
import { policyIssues } from './issues.ts'
import { matchesAnyPattern } from './name-pattern.ts'
import type {
  CallFunction,
  Exception,
  Policies,
  PolicyFinding,
  PolicyRule,
  PrintedException,
  RuleTest,
  Violation,
} from './policy.ts'

/** Inputs of a check besides the catalog and the policies. */
export interface PolicyWorld {
  /** The time at which exceptions are checked for expiration. */
  readonly now: Date
  /** Calls a function of a rule. */
  readonly call: CallFunction
}

/** Returns the findings in a catalog, in the order of the rules; includes findings that an exception covers. */
export function checkPolicies(catalog: Catalog, { rules, exceptions }: Policies, world: PolicyWorld): PolicyFinding[] {
  const resources = catalog.resources.map(createCheckedResource)
  const today = world.now.toISOString().slice(0, 10)
  return rules
    .filter(({ nodes }) => matchesAnyPattern(nodes, catalog.name))
    .flatMap((rule) => {
      const own = exceptions.filter((each) => each.rule === rule.name && matchesAnyPattern(each.nodes, catalog.name))
      return evaluateRule(rule, resources, world).map((place) => {
        const exception = isFailure(place) ? undefined : findException(place, own, today)
        return createFinding(rule, catalog.name, place, exception)
      })
    })
}

/** Returns false if an exception that has not expired covers the finding. */
export function isActiveFinding({ exception }: PolicyFinding): boolean {
  return !exception || exception.isOver
}

/**
 * Location of a finding: a resource, or a parameter of a resource; the fields are undefined for a finding about the
 * catalog.
 */
interface Place {
  readonly checked: CheckedResource | undefined
  readonly parameter: string | undefined
  readonly detail: string | undefined
}

/** A rule that could not be evaluated; exceptions do not apply to it. */
interface Failure {
  readonly failure: string
}

const isFailure = (found: Place | Failure): found is Failure => 'failure' in found

function evaluateRule(
  rule: PolicyRule,
  resources: readonly CheckedResource[],
  world: PolicyWorld,
): (Place | Failure)[] {
  const asked = resources.filter(({ resource }) => isRuleTarget(rule, resource))
  try {
    return limitFindings(
      rule.test.kind === 'schema'
        ? findSchemaViolations(rule.test, asked)
        : findFunctionViolations(rule.test.name, asked, resources, world),
    )
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return [{ failure: error.message }]
  }
}

function isRuleTarget({ types, titles }: PolicyRule, { type, title }: CheckedResource['resource']): boolean {
  return (types.length === 0 || types.includes(type)) && matchesAnyPattern(titles, title)
}

function* findSchemaViolations(
  { of, violation }: RuleTest & { kind: 'schema' },
  asked: readonly CheckedResource[],
): Generator<Place> {
  for (const checked of asked) {
    const data = checked.data()
    const found = violation(of === 'resource' ? data : data.parameters)
    if (found) yield toViolationPlace(checked, found, of)
  }
}

/** Returns the location of a violation. Within parameters, the first name in the path is the name of the parameter. */
function toViolationPlace(
  checked: CheckedResource,
  { path, message }: Violation,
  of: 'resource' | 'parameters',
): Place {
  const inParameters = of === 'parameters' ? path : path[0] === 'parameters' ? path.slice(1) : []
  const [parameter] = inParameters
  const names = parameter === undefined ? path : inParameters
  return { checked, parameter, detail: [names.join('.'), message].filter((each) => each !== '').join(' ') }
}

function* findFunctionViolations(
  name: string,
  asked: readonly CheckedResource[],
  all: readonly CheckedResource[],
  { call }: PolicyWorld,
): Generator<Place> {
  const given = parseFunctionFindings(name, call(name, [asked.map(({ value }) => value())]))
  if (given.length === 0) return
  const known = new Map(all.map((each) => [formatResourceReference(each.resource), each]))
  for (const { reference, parameter, detail } of given) {
    const checked = reference === undefined ? undefined : known.get(reference)
    if (reference !== undefined && !checked)
      throwIssue(policyIssues.POLICY_RESULT_RESOURCE, { name, resource: reference })
    yield { checked, parameter, detail }
  }
}

function limitFindings(places: Iterable<Place>): Place[] {
  const { bound } = budgets.policy.findings
  const kept: Place[] = []
  let more = 0
  for (const place of places) {
    if (kept.length < bound) kept.push(place)
    else more++
  }
  if (more === 0) return kept
  return [...kept, { checked: undefined, parameter: undefined, detail: `and ${more} more, which are omitted` }]
}

/** Returns the matching exception with the latest expiration. */
function findException(
  { checked }: Place,
  exceptions: readonly Exception[],
  today: string,
): PrintedException | undefined {
  const reference = checked && formatResourceReference(checked.resource)
  const [last] = exceptions
    .filter(({ resources }) =>
      reference === undefined ? resources.length === 0 : matchesAnyPattern(resources, reference),
    )
    .sort((a, b) => compareCodeUnits(b.until, a.until))
  return last && { until: last.until, reason: last.reason, isOver: last.until < today }
}

function createFinding(
  { name: rule, severity, message }: PolicyRule,
  node: string,
  found: Place | Failure,
  exception: PrintedException | undefined,
): PolicyFinding {
  const nowhere = { resource: undefined, file: undefined, line: undefined, parameter: undefined }
  if (isFailure(found)) {
    const detail = createPuppetError(policyIssues.POLICY_NOT_ASKED, { why: found.failure }).message
    return { rule, severity: 'error', message, detail, node, ...nowhere, exception }
  }
  const { checked, parameter, detail } = found
  const { file, line } = checked?.resource ?? nowhere
  const resource = checked && formatResourceReference(checked.resource)
  return { rule, severity, message, detail, node, resource, file, line, parameter, exception }
}
