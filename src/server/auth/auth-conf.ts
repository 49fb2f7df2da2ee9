import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import { type LinearPattern, linearPattern } from '../../base/linear-pattern.ts'
import type { Source } from '../../base/source.ts'
import { didYouMean } from '../../base/suggest.ts'
import { list, record, text } from '../../base/wire.ts'
import { parseHocon } from '../../settings/hocon/hocon.ts'
import { placedKeys } from '../../settings/hocon/places.ts'
import { inOrder } from './authorize.ts'
import type { PathMatch, Rule, Who } from './rule.ts'
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

/** The content of auth.conf. */
export interface AuthConf {
  readonly rules: readonly Rule[]
  /** True when a proxy before the server names the client. */
  readonly allowHeaderCertInfo: boolean
}

/** Says what is wrong with a rule. */
type Wrong = (reason: string, hint?: string) => never

const methods = ['get', 'post', 'put', 'delete', 'head']

/** An auth.conf, in HOCON; its rules are in the order in which they are asked. Throws AUTH_CONF. */
export function parseAuthConf(source: Source): AuthConf {
  try {
    const authorization = record(parseHocon(source)['authorization'], 'authorization')
    if (authorization['version'] !== 1) fail(issues.AUTH_RULE, { rule: '(all)', reason: 'version must be 1' })
    const rules = list(authorization['rules'] ?? [], 'rules')
      .map(ruleOf)
      .map(placedIn(source))
    const names = new Set<string>()
    for (const { name } of rules) {
      if (names.has(name)) fail(issues.AUTH_RULE, { rule: `'${name}'`, reason: 'there are two of that name' })
      names.add(name)
    }
    return { rules: inOrder(rules), allowHeaderCertInfo: authorization['allow-header-cert-info'] === true }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const { span, hint } = error.diagnostic
    return fail(issues.AUTH_CONF, { file: source.file ?? 'auth.conf', reason: error.message, hint }, span)
  }
}

/** Adds to a rule the place of its name. */
function placedIn(source: Source): (rule: Rule) => Rule {
  const names = placedKeys(source).filter(({ path }) => path.join('.') === 'authorization.rules.name')
  const places = new Map(names.map(({ text, span }) => [text, span]))
  return (rule) => ({ ...rule, span: places.get(rule.name) })
}

function ruleOf(value: unknown, index: number): Rule {
  const rule = record(value, `rule ${index + 1}`)
  const name = text(rule['name'], `name of rule ${index + 1}`)
  const wrong: Wrong = (reason, hint) => fail(issues.AUTH_RULE, { rule: `'${name}'`, reason, hint })
  const sortOrder = rule['sort-order'] ?? 500
  if (typeof sortOrder !== 'number' || !Number.isInteger(sortOrder) || sortOrder < 1 || sortOrder > 999)
    wrong('sort-order must be a whole number from 1 to 999')
  const allowUnauthenticated = rule['allow-unauthenticated'] === true
  const has = (key: string) => rule[key] !== undefined
  const says = ['allow', 'deny', 'allow-token'].filter(has)
  if (allowUnauthenticated && says.length > 0)
    wrong('allow-unauthenticated cannot stand with allow or deny, nor with allow-token')
  if (!allowUnauthenticated && says.length === 0) wrong('says neither allow nor deny')
  const match = record(rule['match-request'], `match-request of rule '${name}'`)
  return {
    name,
    sortOrder: sortOrder as number,
    path: pathOf(match, wrong),
    methods: match['method'] === undefined ? undefined : methodsOf(match['method'], wrong),
    query: queryOf(match['query-params']),
    allowUnauthenticated,
    deny: whoOf(rule['deny'], wrong),
    allow: whoOf(rule['allow'], wrong),
    allowTokens: new Set(rule['allow-token'] === undefined ? [] : scopesOf(rule['allow-token'], wrong)),
    ...(has('token-name') && { tokenNames: namesOf(rule, wrong) }),
  }
}

/** The scopes of `allow-token`, which is ours: Puppet Server knows no tokens. */
function scopesOf(value: unknown, wrong: Wrong): readonly string[] {
  const scopes = texts(value, 'allow-token')
  const unknown = scopes.find((scope) => !isTokenScope(scope))
  if (unknown === undefined) return scopes
  return wrong(`allow-token takes scopes of tokens, not ${unknown}`, didYouMean(unknown, Object.keys(tokenScopes)))
}

/** The names of `token-name`, which narrows `allow-token`. */
function namesOf(rule: Record<string, unknown>, wrong: Wrong): ReadonlySet<string> {
  if (rule['allow-token'] === undefined) wrong('token-name says which tokens allow-token lets in, and stands beside it')
  return new Set(texts(rule['token-name'], 'token-name'))
}

function pathOf(match: Record<string, unknown>, wrong: Wrong): PathMatch {
  const path = text(match['path'], 'path')
  if (match['type'] === 'path') return { kind: 'prefix', prefix: path }
  if (match['type'] === 'regex') return { kind: 'pattern', pattern: patternOf(path, wrong) }
  return wrong("type must be 'path' or 'regex'")
}

function methodsOf(value: unknown, wrong: Wrong): ReadonlySet<string> {
  const wanted = texts(value, 'method').map((method) => method.toLowerCase())
  const unknown = wanted.find((method) => !methods.includes(method))
  return unknown === undefined ? new Set(wanted) : wrong(`method must be one of ${methods.join(', ')}, not ${unknown}`)
}

function queryOf(value: unknown): ReadonlyMap<string, readonly string[]> {
  const query = Object.entries(record(value ?? {}, 'query-params'))
  return new Map(query.map(([name, values]) => [name, texts(values, name)]))
}

function whoOf(value: unknown, wrong: Wrong): readonly Who[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map((entry) => {
    if (typeof entry === 'string') return nameOf(entry, wrong)
    const { certname, extensions } = record(entry, 'allow or deny')
    if (certname === undefined && extensions === undefined) wrong('an entry needs certname or extensions')
    return {
      kind: 'certificate',
      name: certname === undefined ? undefined : nameOf(text(certname, 'certname'), wrong),
      extensions: queryOf(extensions),
    }
  })
}

function nameOf(name: string, wrong: Wrong): Who {
  if (name === '*') return { kind: 'any' }
  if (name.startsWith('*.')) return { kind: 'suffix', suffix: name.slice(1) }
  const pattern = /^\/(.*)\/$/s.exec(name)
  return pattern ? { kind: 'pattern', pattern: patternOf(pattern[1]!, wrong) } : { kind: 'name', name }
}

/** A regular expression of auth.conf, to be found anywhere in a text, as in Puppet Server. */
function patternOf(text: string, wrong: Wrong): LinearPattern {
  try {
    return linearPattern(text)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return wrong(error.diagnostic.message, error.diagnostic.hint)
  }
}

function texts(value: unknown, what: string): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === 'boolean' || typeof each === 'number' ? String(each) : text(each, what),
  )
}
