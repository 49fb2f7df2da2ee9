import type { Parameters } from '../parameters.ts'
import type { Client } from './client.ts'
import type { PathMatch, Rule, Who } from './rule.ts'

/** The verdict on a request, and the rule that gave it. */
export interface Verdict {
  readonly allowed: boolean
  /** For the log. */
  readonly reason: string
  /** The rule that decided; none where none is about the request. */
  readonly rule?: Rule
}

/** The properties of a request that rules look at. */
export interface Question {
  readonly path: string
  readonly method: string
  readonly query: Parameters
  readonly client: Client
}

/** The first rule that matches decides; deny is asked before allow; without a rule nobody gets in. */
export function authorize(rules: readonly Rule[], question: Question): Verdict {
  const { client } = question
  for (const rule of rules) {
    const groups = matches(rule, question)
    if (!groups) continue
    const allowed = { allowed: true, reason: `allowed by rule '${rule.name}'`, rule }
    if (rule.allowUnauthenticated) return allowed
    const denied = rule.deny.some((who) => isMeant(who, client, groups))
    if (!denied && isAllowedToken(rule, client)) return allowed
    const reason = `denied by rule '${rule.name}'`
    if (client.certname === undefined) return { allowed: false, reason: `${reason}: ${lackOf(client)}`, rule }
    if (!denied && rule.allow.some((who) => isMeant(who, client, groups))) return allowed
    return { allowed: false, reason, rule }
  }
  return { allowed: false, reason: 'global deny all - no rules matched' }
}

function isAllowedToken({ allowTokens, tokenNames }: Rule, { token }: Client): boolean {
  if (!token || tokenNames?.has(token.name) === false) return false
  return token.scopes.some((scope) => allowTokens.has(scope))
}

/** Why somebody without a certificate that counts is not let in. */
function lackOf({ refused, token, refusedToken }: Client): string {
  if (token) return 'a token of another scope or name'
  return refused ?? refusedToken ?? 'no client certificate'
}

/** Rules in the order in which they are asked. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => a.sortOrder - b.sortOrder || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The groups of the path's pattern when the rule is about this request. */
function matches(rule: Rule, { path, method, query }: Question): readonly string[] | undefined {
  if (rule.methods && !rule.methods.has(method)) return undefined
  for (const [name, values] of rule.query)
    if (!(query.get(name) ?? []).some((value) => values.includes(value))) return undefined
  return matchPath(rule.path, path)
}

function matchPath(match: PathMatch, path: string): readonly string[] | undefined {
  if (match.kind === 'prefix') return path.startsWith(match.prefix) ? [] : undefined
  return match.pattern.find(path)
}

function isMeant(who: Who, client: Client, groups: readonly string[]): boolean {
  const name = client.certname ?? ''
  switch (who.kind) {
    case 'any':
      return true
    case 'name':
      return filledIn(who.name, groups) === name
    case 'suffix':
      return name.endsWith(who.suffix)
    case 'pattern':
      return who.pattern.find(name) !== undefined
    case 'certificate':
      return (
        (who.name === undefined || isMeant(who.name, client, groups)) &&
        [...who.extensions].every(([extension, values]) => {
          const value = Object.hasOwn(client.extensions, extension) ? client.extensions[extension] : undefined
          return value !== undefined && values.includes(value)
        })
      )
  }
}

function filledIn(name: string, groups: readonly string[]): string {
  return name.replace(/\$(\d+)/g, (_, digits: string) => groups[Number(digits) - 1] ?? '')
}
