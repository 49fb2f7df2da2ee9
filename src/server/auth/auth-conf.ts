import { defineIssues, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import type { Source } from '../../base/source.ts'
import type { LinearPattern } from '../../base/text/linear-pattern.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { parseHocon } from '../../machine/settings/hocon/hocon.ts'
import { listHoconKeys } from '../../machine/settings/hocon/keys.ts'
import type { AltNames } from '../http/client.ts'
import { sortRules } from './authorize.ts'
import { toClojureValue } from './clojure-values.ts'
import { compileJavaPattern, hasLineTerminator } from './java-pattern.ts'
import type { PathMatch, Rule, RuleEntry } from './rule.ts'
import { type AccessList, getHighestGroup, parseRuleEntry } from './rule-entry.ts'
import { isTokenScope, tokenScopes } from './token-scopes.ts'

const issues = defineIssues({
  AUTH_CONF: {
    text: (a: { file: string; reason: string; hint: string | undefined }) => `Could not load ${a.file}: ${a.reason}`,
    hint: ({ hint }) => hint,
  },
  AUTH_RULE: {
    text: (a: { rule: string; reason: string; hint?: string | undefined }) => `rule ${a.rule}: ${a.reason}`,
    hint: ({ hint }) => hint,
  },
})

/** Parsed content of auth.conf. */
export interface AuthConf {
  readonly rules: readonly Rule[]
  /** `allow-header-cert-info`: true if the client name comes from the headers of a proxy. */
  readonly allowHeaderCertInfo: boolean
}

/** Throws an error that rejects a rule, with the reason. */
type Wrong = (reason: string, hint?: string) => never

const methods = ['get', 'post', 'put', 'delete', 'head']

/**
 * Parses an auth.conf in HOCON as Puppet Server does, and returns its rules in evaluation order. Rejects every file
 * that Puppet Server rejects at startup. Throws AUTH_CONF.
 */
export function parseAuthConf(source: Source, env: Readonly<Record<string, string | undefined>> = {}): AuthConf {
  try {
    const authorization = checkJsonObject(
      toClojureValue(parseHocon(source, { env })['authorization'] ?? null),
      'authorization',
    )
    if (authorization['version'] !== 1) throwIssue(issues.AUTH_RULE, { rule: '(all)', reason: 'version must be 1' })
    const header = authorization['allow-header-cert-info'] ?? false
    if (typeof header !== 'boolean')
      throwIssue(issues.AUTH_RULE, { rule: '(all)', reason: 'allow-header-cert-info is not a boolean.' })
    const rules = checkJsonArray(authorization['rules'], 'rules').map(readRule).map(createRuleLocator(source))
    const names = new Set<string>()
    for (const { name } of rules) {
      if (names.has(name)) throwIssue(issues.AUTH_RULE, { rule: `'${name}'`, reason: 'two rules have this name' })
      names.add(name)
    }
    return { rules: sortRules(rules), allowHeaderCertInfo: header }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { span, hint } = error.diagnostic
    return throwIssue(issues.AUTH_CONF, { file: source.file ?? 'auth.conf', reason: error.message, hint }, span)
  }
}

/** Returns a function that copies a rule and adds the position of its name in auth.conf. */
function createRuleLocator(source: Source): (rule: Rule) => Rule {
  const names = listHoconKeys(source).filter(({ path }) => path.join('.') === 'authorization.rules.name')
  const places = new Map(names.map(({ text, span }) => [text, span]))
  return (rule) => ({ ...rule, span: places.get(rule.name) })
}

function readRule(value: unknown, index: number): Rule {
  const rule = checkJsonObject(value, `rule ${index + 1}`)
  const name = checkJsonString(rule['name'], `name of rule ${index + 1}`)
  const rejectRule: Wrong = (reason, hint) => throwIssue(issues.AUTH_RULE, { rule: `'${name}'`, reason, hint })
  const sortOrder = rule['sort-order']
  if (sortOrder === undefined) rejectRule("does not contain a 'sort-order' key", 'Give a number from 1 to 999.')
  if (typeof sortOrder !== 'number' || !Number.isInteger(sortOrder) || sortOrder < 1 || sortOrder > 999)
    rejectRule('sort-order must be a whole number from 1 to 999')
  const allowUnauthenticated = rule['allow-unauthenticated'] ?? false
  if (typeof allowUnauthenticated !== 'boolean') return rejectRule('allow-unauthenticated must be true or false')
  checkEntries(rule, allowUnauthenticated, rejectRule)
  const match = checkJsonObject(rule['match-request'], `match-request of rule '${name}'`)
  const path = readPath(match, rejectRule)
  const deny = readEntries(rule, 'deny', rejectRule)
  const allow = readEntries(rule, 'allow', rejectRule)
  checkGroups([...deny, ...allow], path, rejectRule)
  return {
    name,
    sortOrder: sortOrder as number,
    path,
    methods: match['method'] === undefined ? undefined : readMethods(match['method'], rejectRule),
    query: readParameters(match['query-params'], rejectRule),
    allowUnauthenticated,
    deny,
    allow,
    allowTokens: new Set(rule['allow-token'] === undefined ? [] : readScopes(rule['allow-token'], rejectRule)),
    ...(rule['token-name'] !== undefined && { tokenNames: readTokenNames(rule, rejectRule) }),
  }
}

function checkEntries(rule: Record<string, unknown>, allowUnauthenticated: boolean, wrong: Wrong): void {
  const hasEntries = ['allow', 'deny', 'allow-token'].some((key) => rule[key] !== undefined)
  if (allowUnauthenticated && hasEntries)
    wrong('allow-unauthenticated cannot be combined with allow, deny or allow-token')
  if (!allowUnauthenticated && !hasEntries) wrong('contains neither allow nor deny')
}

/** Reads the token scopes in `allow-token`. This key is our extension: Puppet Server has no tokens. */
function readScopes(value: unknown, wrong: Wrong): readonly string[] {
  const scopes = readTexts(value, 'allow-token')
  const unknown = scopes.find((scope) => !isTokenScope(scope))
  if (unknown === undefined) return scopes
  return wrong(
    `allow-token must contain token scopes, not ${unknown}`,
    formatSuggestion(unknown, Object.keys(tokenScopes)),
  )
}

/** Token names in `token-name`, which restricts `allow-token`. */
function readTokenNames(rule: Record<string, unknown>, wrong: Wrong): ReadonlySet<string> {
  if (rule['allow-token'] === undefined) wrong('token-name selects tokens of allow-token and requires it')
  return new Set(readTexts(rule['token-name'], 'token-name'))
}

function readPath(match: Record<string, unknown>, wrong: Wrong): PathMatch {
  const path = checkJsonString(match['path'], 'path')
  if (match['type'] === 'path') return { kind: 'prefix', prefix: path }
  if (match['type'] === 'regex')
    return { kind: 'pattern', pattern: readOrReject(() => compileJavaPattern(path), wrong) }
  return wrong("type must be 'path' or 'regex'")
}

function readMethods(value: unknown, wrong: Wrong): ReadonlySet<string> {
  const wanted = readTexts(value, 'method').map((method) => method.toLowerCase())
  const unknown = wanted.find((method) => !methods.includes(method))
  return unknown === undefined ? new Set(wanted) : wrong(`method must be one of ${methods.join(', ')}, not ${unknown}`)
}

/**
 * Accepted values by parameter name. Puppet Server drops the part of a name before a slash, so a
 * slash is rejected.
 */
function readParameters(value: unknown, wrong: Wrong): ReadonlyMap<string, readonly string[]> {
  const parameters = Object.entries(checkJsonObject(value ?? {}, 'query-params'))
  const [odd] = parameters.map(([name]) => name).filter((name) => name.includes('/'))
  if (odd !== undefined) wrong(`'${odd}' must be a name without a slash`)
  return new Map(parameters.map(([name, values]) => [name, readTexts(values, name)]))
}

function readEntries(rule: Record<string, unknown>, side: AccessList, wrong: Wrong): readonly RuleEntry[] {
  const value = rule[side]
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map((entry) => {
    if (typeof entry === 'string') return readOrReject(() => parseRuleEntry(entry, side, wrong), wrong)
    return readEntry(checkJsonObject(entry, `an entry in ${side}`), side, wrong)
  })
}

function readEntry(entry: Record<string, unknown>, side: AccessList, wrong: Wrong): RuleEntry {
  const keys = ['certname', 'extensions', 'rbac'].filter((key) => entry[key] !== undefined)
  if (keys.length !== 1) wrong("ACL Definition must contain exactly one of 'certname' or 'extensions' or 'rbac' keys")
  const { certname, extensions, rbac } = entry
  if (keys[0] === 'certname')
    return readOrReject(() => parseRuleEntry(checkJsonString(certname, 'certname'), side, wrong), wrong)
  if (keys[0] === 'extensions') return readExtensions(checkJsonObject(extensions, 'extensions'), wrong)
  const { permission } = checkJsonObject(rbac, 'rbac')
  if (side === 'deny') wrong('RBAC permissions cannot be used to deny access')
  const parts = checkJsonString(permission, 'permission').split(':')
  if (parts.length < 3 || hasLineTerminator(parts.join()) || Object.keys(rbac as object).length !== 1)
    wrong("permission key should map to a string of form 'object_type:action:instance'")
  // A permission of Puppet Enterprise (`rbac`) matches no client.
  return { kind: 'nobody', written: `rbac ${permission}` }
}

/** Kind of alternative name for each key of `subject-alt-name`. */
const altNameKeys = {
  'dns-name': 'dns',
  ip: 'ip',
  'rfc822-name': 'email',
  uri: 'uri',
  'other-name': 'other',
  'x400-address': 'other',
  'directory-name': 'other',
  'edi-party-name': 'other',
  'registered-id': 'other',
} as const satisfies Readonly<Record<string, keyof AltNames>>

function readExtensions({ 'subject-alt-name': names, ...others }: Record<string, unknown>, wrong: Wrong): RuleEntry {
  const extensions = readParameters(others, wrong)
  if (names === undefined) return { kind: 'extensions', extensions }
  const altNames: Partial<Record<keyof AltNames, readonly string[]>> = {}
  for (const [key, values] of Object.entries(checkJsonObject(names, 'subject-alt-name'))) {
    if (!Object.hasOwn(altNameKeys, key))
      wrong(`subject-alt-name does not support the name type '${key}'`, formatSuggestion(key, Object.keys(altNameKeys)))
    const kind = altNameKeys[key as keyof typeof altNameKeys]
    altNames[kind] = [...(altNames[kind] ?? []), ...readTexts(values, key)]
  }
  return { kind: 'extensions', extensions, altNames }
}

/**
 * Rejects entries that refer to a capture group which the path pattern does not have. Puppet
 * Server: authorization_core.clj, validate-regex-backreferences!
 */
function checkGroups(entries: readonly RuleEntry[], path: PathMatch, wrong: Wrong): void {
  const highest = Math.max(0, ...entries.map(getHighestGroup))
  const count = path.kind === 'pattern' ? path.pattern.groupCount : 0
  if (highest > count)
    wrong(`the back reference '$${highest}' refers to a capture group in the regex that doesn't exist`)
}

/** Runs `read`. If it throws an error, rejects the rule with the error's message. */
function readOrReject<Result extends RuleEntry | LinearPattern>(read: () => Result, wrong: Wrong): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof PuppetError) || isIssue(error, issues.AUTH_RULE)) throw error
    return wrong(error.diagnostic.message, error.diagnostic.hint)
  }
}

function readTexts(value: unknown, what: string): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map((each) => checkJsonString(each, what))
}
