import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { type ExactJson, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { compileDottedNameGlob, type Glob } from '../../base/text/glob.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'

/** Errors in approval rules. */
export const approvalIssues = defineIssues({
  APPROVALS_SYNTAX: {
    text: (a: { file: string; why: string }) => `Could not read the approval rules in ${a.file}: ${a.why}`,
    hint: () => 'See docs/merge-requests.md for the format.',
  },
})

/** The kinds of risks that a rule may name. */
export const riskKinds = ['restarts', 'services', 'packages', 'secrets'] as const

/** A kind of risk. */
export type RiskKind = (typeof riskKinds)[number]

/** The file with the approval rules, at the root of a control repository. */
export const approvalsFile = 'approvals.yaml'

/** A rule of approvals.yaml: changes to which it applies, and the approvals that they need. */
export interface ApprovalRule {
  readonly name: string
  /** Environments in which the rule applies; undefined for all that are served already. */
  readonly environments: readonly Glob[] | undefined
  readonly paths: readonly Glob[]
  readonly impact: ApprovalImpact
  /** Number of approvals. */
  readonly approvals: number
  /** Accounts and teams whose approvals count; undefined for all accounts that may approve. */
  readonly by: readonly string[] | undefined
}

/** Effects on nodes to which a rule applies. */
export interface ApprovalImpact {
  /** The rule applies to a change of more nodes than this. */
  readonly moreThan: number | undefined
  /** Names of classes in lower case. */
  readonly classes: readonly string[]
  /** Patterns for references of resources. */
  readonly resources: readonly Glob[]
  readonly risks: readonly RiskKind[]
}

/** Dates are read as strings. Aliases are rejected, since they could multiply the size of the data. */
const permitted = { Date: (text: string) => text, Time: (text: string) => text, aliases: false }

/** Parses approvals.yaml. Throws APPROVALS_SYNTAX. */
export function parseApprovalRules(text: string, file: string = approvalsFile): readonly ApprovalRule[] {
  const { rulesFile, rules: most } = budgets.review
  const fail: Fail = (why) => throwIssue(approvalIssues.APPROVALS_SYNTAX, { file, why })
  if (text.length > rulesFile.bound) fail(`it exceeds ${rulesFile.bound} characters`)
  const whole = readObject(parseRulesYaml(text, fail), 'the file', ['rules'], fail)
  const rules = [...getEntries(readObject(whole('rules') ?? {}, 'rules', undefined, fail).object)]
  if (rules.length > most.bound) fail(`it contains more than ${most.bound} rules`)
  return rules.map(([name, rule]) => parseRule(name, rule, fail))
}

type Fail = (why: string) => never

function parseRulesYaml(text: string, fail: Fail): ExactJson {
  try {
    return convertYamlToJson(text, permitted) ?? {}
  } catch (error) {
    if (error instanceof YamlError || error instanceof PuppetError) return fail(error.message)
    throw error
  }
}

const ruleKeys = ['environments', 'paths', 'impact', 'approvals', 'by']
const impactKeys = ['more_than', 'classes', 'resources', 'risks']

function parseRule(name: string, json: ExactJson | undefined, fail: Fail): ApprovalRule {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
    fail(`'${name.slice(0, 64)}' is not a valid name of a rule: use a-z, 0-9, _ and -`)
  const rule = readObject(json ?? {}, name, ruleKeys, fail)
  const given = rule('impact')
  const impact = readObject(given ?? {}, `impact of ${name}`, impactKeys, fail)
  const list = (value: ExactJson | undefined, key: string) => readStrings(value, `${key} of ${name}`, fail)
  const environments = list(rule('environments'), 'environments')
  const risks = list(impact('risks'), 'risks') ?? []
  const unknown = risks.find((each) => !riskKinds.some((kind) => kind === each))
  if (unknown !== undefined) fail(`'${unknown.slice(0, 64)}' in risks of ${name} is not one of ${riskKinds.join(', ')}`)
  const by = list(rule('by'), 'by')
  const wrong = by?.find((each) => !isApprover(each))
  if (wrong !== undefined)
    fail(`'${wrong.slice(0, 64)}' in by of ${name} is neither an account nor a team such as @org/team`)
  if (by?.length === 0) fail(`by of ${name} is empty`)
  return {
    name,
    environments: environments && compileGlobs(environments, fail),
    paths: compileGlobs((list(rule('paths'), 'paths') ?? []).map(toPathPattern), fail),
    impact: {
      moreThan: readInteger(impact('more_than'), `more_than of ${name}`, 0, fail),
      classes: (list(impact('classes'), 'classes') ?? []).map((each) => each.replace(/^::/, '').toLowerCase()),
      resources: compileGlobs((list(impact('resources'), 'resources') ?? []).map(escapeBrackets), fail),
      risks: risks as readonly RiskKind[],
    },
    approvals: readInteger(rule('approvals'), `approvals of ${name}`, 1, fail) ?? 1,
    by,
  }
}

/** Returns true if a rule has a condition; without one, it applies to each change. */
export function hasCondition({ paths, impact }: ApprovalRule): boolean {
  return paths.length > 0 || hasImpactCondition(impact)
}

/** Returns true if a rule depends on the effect on nodes. */
export function hasImpactCondition({ moreThan, classes, resources, risks }: ApprovalImpact): boolean {
  return moreThan !== undefined || classes.length + resources.length + risks.length > 0
}

/** Formats the demand of a rule: `firewall: 2 approvals by alice, @ops/network`. */
export function formatApprovalRule({ name, approvals, by }: ApprovalRule): string {
  const who = by === undefined ? '' : ` by ${by.slice(0, 5).join(', ')}${by.length > 5 ? ', …' : ''}`
  return `${name}: ${approvals} ${approvals === 1 ? 'approval' : 'approvals'}${who}`.slice(0, 200)
}

/** A path that ends in a slash stands for everything below the folder. */
function toPathPattern(path: string): string {
  return path.endsWith('/') ? `${path}*` : path
}

/** References contain brackets, which would be a set of characters in a pattern. */
function escapeBrackets(reference: string): string {
  return reference.replace(/[[\]]/g, '\\$&')
}

function compileGlobs(patterns: readonly string[], fail: Fail): readonly Glob[] {
  return patterns.map((pattern) => {
    try {
      return compileDottedNameGlob(pattern)
    } catch (error) {
      return fail((error as Error).message)
    }
  })
}

/** An account, or a team: `@` and a path. */
function isApprover(text: string): boolean {
  const names = text.replace(/^@/, '').split('/')
  const isCountRight = text.startsWith('@') ? names.length <= 21 : names.length === 1
  return isCountRight && names.every((name) => /^[\w{}.:-]{1,255}$/.test(name) && !/^\.{1,2}$/.test(name))
}

/** Returns a function that reads a key of an object. */
function readObject(json: ExactJson, place: string, known: readonly string[] | undefined, fail: Fail) {
  if (!isExactObject(json)) return fail(`${place} must be a hash`)
  const other = known && [...getEntries(json)].find(([key]) => !known.includes(key))
  if (other) fail(`'${other[0].slice(0, 64)}' of ${place} is unknown; known keys are ${known!.join(', ')}`)
  return Object.assign((key: string) => getMember(json, key) ?? undefined, { object: json })
}

function readStrings(json: ExactJson | undefined, place: string, fail: Fail): readonly string[] | undefined {
  if (json === undefined) return undefined
  const { bound } = budgets.review.rules
  const values = (Array.isArray(json) ? json : [json]) as readonly ExactJson[]
  if (values.length > bound) fail(`${place} has more than ${bound} entries`)
  return values.map((each) =>
    typeof each === 'string' && each !== '' && each.length <= 1000
      ? each
      : fail(`${place} must be an array of strings`),
  )
}

function readInteger(json: ExactJson | undefined, place: string, least: number, fail: Fail): number | undefined {
  if (json === undefined) return undefined
  const isValid = typeof json === 'number' && Number.isSafeInteger(json) && json >= least
  return isValid ? json : fail(`${place} must be a whole number of at least ${least}`)
}
