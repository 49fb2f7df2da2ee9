import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { AltNames, Client } from '../http/client.ts'
import { hasTrailingLineTerminator } from './java-pattern.ts'
import type { PathMatch, Rule, RuleEntry } from './rule.ts'
import { fillTemplate, normalizeEntryName, parseRuleEntry } from './rule-entry.ts'
import { parseRuleParameters, type RuleParameters } from './rule-parameters.ts'

/** Result of authorization, with the rule that decided. */
export interface AuthorizationVerdict {
  readonly allowed: boolean
  /** Reason for the decision, for the log. */
  readonly reason: string
  /** The rule that decided; undefined if no rule matches the request. */
  readonly rule?: Rule
}

/** Properties of a request that rules are matched against. */
export interface AuthorizationQuery {
  readonly path: string
  readonly method: string
  /** Query string of the URL, percent-encoded. */
  readonly query: string
  readonly client: Client
}

const issues = defineIssues({
  NO_ENTRY: { text: (a: { reason: string }) => a.reason },
})

const noParameters: RuleParameters = new Map()

/** Capture groups from the match of a rule's pattern with the path of a request. */
type Groups = readonly (string | undefined)[]

/**
 * The first matching rule decides; its deny entries are checked before its allow entries. Without a
 * matching rule the request is denied.
 */
export function authorize(rules: readonly Rule[], question: AuthorizationQuery): AuthorizationVerdict {
  const { path, client } = question
  if (hasTrailingLineTerminator(path)) return { allowed: false, reason: 'denied: the path ends in a line terminator' }
  for (const rule of rules) {
    if (rule.methods && !rule.methods.has(question.method)) continue
    const groups = matchPath(rule.path, path)
    if (!groups) continue
    // Parsed only on demand: few rules read the query.
    const parameters = rule.query.size > 0 ? parseRuleParameters(question.query) : noParameters
    if (!parameters)
      return { allowed: false, reason: `denied by rule '${rule.name}': the query cannot be decoded`, rule }
    if (matchesQuery(rule, parameters)) return evaluateRule(rule, client, groups)
  }
  return { allowed: false, reason: 'global deny all - no rules matched' }
}

function evaluateRule(rule: Rule, client: Client, groups: Groups): AuthorizationVerdict {
  const allowed = { allowed: true, reason: `allowed by rule '${rule.name}'`, rule }
  if (rule.allowUnauthenticated) return allowed
  const denied = rule.deny.some((who) => isDenied(who, client, groups))
  if (!denied && isAllowedToken(rule, client)) return allowed
  const reason = `denied by rule '${rule.name}'`
  if (client.certname === undefined) return { allowed: false, reason: `${reason}: ${formatDenialReason(client)}`, rule }
  for (const who of denied ? [] : rule.allow) {
    const verdict = isAllowed(who, client, groups)
    if (verdict === 'undecidable') return { allowed: false, reason: `${reason}: ${formatUndecidableReason(who)}`, rule }
    if (verdict) return allowed
  }
  return { allowed: false, reason, rule }
}

function isAllowedToken({ allowTokens, tokenNames }: Rule, { token }: Client): boolean {
  if (!token || tokenNames?.has(token.name) === false) return false
  return token.scopes.some((scope) => allowTokens.has(scope))
}

/** Reason why a client without a valid certificate is denied. */
function formatDenialReason({ refused, token, refusedToken }: Client): string {
  if (token) return 'a token with another scope or name'
  return refused ?? refusedToken ?? 'no client certificate'
}

/** Sorts rules into their evaluation order. */
export function sortRules(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => a.sortOrder - b.sortOrder || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function matchesQuery({ query }: Rule, parameters: RuleParameters): boolean {
  return [...query].every(([name, values]) => parameters.get(name)?.some((value) => values.includes(value)) === true)
}

/**
 * Matches a path with the path condition of a rule, and returns the capture groups; `undefined` if
 * the path does not match.
 */
function matchPath(match: PathMatch, path: string): Groups | undefined {
  if (match.kind === 'prefix') return path.startsWith(match.prefix) ? [] : undefined
  return match.pattern.find(path)
}

/** True if an entry of `deny` matches. An entry that cannot be evaluated for this client also counts as a match. */
function isDenied(who: RuleEntry, client: Client, groups: Groups): boolean {
  switch (who.kind) {
    case 'template': {
      const filled = resolveTemplateEntry(who.template, 'deny', groups)
      return filled === undefined || isDenied(filled, client, groups)
    }
    case 'extensions':
      return hasExtensions(who, client, true)
    default:
      return matchesName(who, client)
  }
}

/**
 * True if an entry of `allow` matches. A template filled with the capture groups must equal the
 * common name of the certificate; a DNS name of the certificate is not sufficient. This is stricter
 * than Puppet Server, which also treats a captured `*` as a wildcard.
 */
function isAllowed(who: RuleEntry, client: Client, groups: Groups): boolean | 'undecidable' {
  switch (who.kind) {
    case 'template': {
      const filled = resolveTemplateEntry(who.template, 'allow', groups)
      if (filled?.kind === 'nobody') return false
      if (filled?.kind !== 'name') return 'undecidable'
      return fillTemplate(who.template, groups) === client.certname && matchesName(filled, client)
    }
    case 'extensions':
      return hasExtensions(who, client, false)
    default:
      return matchesName(who, client)
  }
}

function formatUndecidableReason(who: RuleEntry): string {
  return `'${who.kind === 'template' ? who.template : ''}' does not produce a name for this path`
}

/** Fills a template with the capture groups; `undefined` if Puppet Server would fail on the filled template. */
function resolveTemplateEntry(template: string, side: 'allow' | 'deny', groups: Groups): RuleEntry | undefined {
  const filled = fillTemplate(template, groups)
  if (filled === undefined) return undefined
  try {
    const who = parseRuleEntry(filled, side, (reason) => throwIssue(issues.NO_ENTRY, { reason }))
    return who.kind === 'template' ? undefined : who
  } catch (error) {
    if (error instanceof PuppetError) return undefined
    throw error
  }
}

/** True if the entry matches the common name or a DNS name of the certificate. */
function matchesName(who: RuleEntry, { certname, altNames }: Client): boolean {
  if (who.kind === 'any') return true
  const names = [certname ?? '', ...(altNames.dns ?? [])]
  switch (who.kind) {
    case 'name':
      return names.some((name) => normalizeEntryName(name) === who.name)
    case 'domain':
      return names.map(normalizeEntryName).some((name) => name === who.domain || name.endsWith(`.${who.domain}`))
    case 'common name':
      return certname === who.certname
    case 'pattern':
      return names.some((name) => who.pattern.find(name) !== undefined)
    default:
      return false
  }
}

/**
 * True if a certificate has all extensions of the entry. An extension value that is not a string matches if
 * `otherwise` is true.
 */
function hasExtensions(
  { extensions, altNames }: Extract<RuleEntry, { kind: 'extensions' }>,
  client: Client,
  otherwise: boolean,
): boolean {
  for (const [key, values] of extensions) {
    if (!client.extensionValues.has(key)) return false
    const value = client.extensionValues.get(key)
    if (value === undefined ? !otherwise : !values.includes(value)) return false
  }
  return altNames === undefined || hasAltName(altNames, client, otherwise)
}

function hasAltName(wanted: AltNames, { altNames }: Client, otherwise: boolean): boolean {
  if (wanted.other !== undefined && altNames.other !== undefined && otherwise) return true
  return (['dns', 'ip', 'email', 'uri'] as const).some((kind) =>
    wanted[kind]?.some((name) => altNames[kind]?.includes(name) === true),
  )
}
