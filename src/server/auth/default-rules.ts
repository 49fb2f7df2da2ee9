import { compileBuiltInPattern } from '../../base/text/linear-pattern.ts'
import { sortRules } from './authorize.ts'
import type { Rule, RuleEntry } from './rule.ts'
import type { TokenScope } from './token-scopes.ts'

const any: RuleEntry = { kind: 'any' }
const own: RuleEntry = { kind: 'template', template: '$1' }
const administrator: RuleEntry = { kind: 'extensions', extensions: new Map([['pp_cli_auth', ['true']]]) }

interface Short {
  readonly name: string
  readonly path: string | RegExp
  readonly methods?: readonly string[]
  readonly allow?: RuleEntry
  /** Scopes of the tokens that the rule allows. */
  readonly tokens?: readonly TokenScope[]
  readonly query?: Readonly<Record<string, readonly string[]>>
  readonly sortOrder?: number
  readonly unauthenticated?: boolean
}

/** Default rules of Puppet Server, plus our own. protocol.md 13. */
const rules: readonly Short[] = [
  {
    name: 'puppetlabs v3 catalog from agents',
    path: /^\/puppet\/v3\/catalog\/([^/]+)$/,
    methods: ['get', 'post'],
    allow: own,
  },
  { name: 'puppetlabs v4 catalog for services', path: '/puppet/v4/catalog', methods: ['post'] },
  // Puppet Server has no such rule. Nodes have no access, because the store contains data of other
  // nodes. Tokens may query but not send commands.
  { name: 'plumbline store: commands', path: '/pdb', allow: administrator },
  ...['/pdb/query/', '/pdb/meta/', '/ui'].map((path) => ({
    name: `plumbline store: ${path}`,
    sortOrder: 490,
    path,
    methods: ['get', 'head', 'post'],
    allow: administrator,
    tokens: ['query'] as const,
  })),
  // Nodes have no access to git: they receive files and catalogs, and do not need the code's history.
  ...(
    [
      ['push', /^\/git\/[^/]+\.git\/git-receive-pack$/, ['post'], {}],
      ['push', /^\/git\/[^/]+\.git\/info\/refs$/, ['get', 'head'], { service: ['git-receive-pack'] }],
      ['refs of a push', /^\/git\/[^/]+\.git\/refs\//, ['put', 'post', 'delete'], {}],
    ] as const
  ).map(([name, path, methods, query], index) => ({
    ...{ name: `plumbline git: ${name}, ${index + 1}`, sortOrder: 480, path, methods, query },
    ...{ allow: administrator, tokens: ['code-push'] as const },
  })),
  {
    name: 'plumbline git: clone and fetch',
    sortOrder: 490,
    path: /^\/git\/[^/]+\.git\//,
    methods: ['get', 'head', 'post'],
    allow: administrator,
    tokens: ['code-read', 'code-push'],
  },
  { name: 'plumbline git', path: '/git', allow: administrator },
  {
    name: 'plumbline figures of store and server: /metrics/v2',
    sortOrder: 490,
    path: /^\/metrics\/v2(?:\/|$)/,
    methods: ['get', 'head', 'post'],
    allow: administrator,
    tokens: ['query', 'metrics'],
  },
  {
    name: 'plumbline figures: /metrics',
    sortOrder: 490,
    path: /^\/metrics$/,
    methods: ['get', 'head'],
    allow: administrator,
    tokens: ['metrics'],
  },
  // Sign-in pages and assets; they contain no node data.
  {
    name: 'plumbline console: entrance',
    sortOrder: 480,
    path: /^\/ui\/(?:sign-(?:in|out)$|assets\/)/,
    unauthenticated: true,
  },
  { name: 'puppetlabs certificate', path: '/puppet-ca/v1/certificate/', methods: ['get'], unauthenticated: true },
  {
    name: 'puppetlabs crl',
    path: '/puppet-ca/v1/certificate_revocation_list/ca',
    methods: ['get'],
    unauthenticated: true,
  },
  // Puppet Server has no OCSP endpoint. Ours is open to all clients, because the revocation list
  // contains the same information and is public.
  { name: 'plumbline ocsp', path: /^\/ocsp(?:\/|$)/, methods: ['get', 'post'], unauthenticated: true },
  { name: 'puppetlabs csr', path: '/puppet-ca/v1/certificate_request', methods: ['get', 'put'], unauthenticated: true },
  { name: 'puppetlabs cert renewal', path: '/puppet-ca/v1/certificate_renewal', methods: ['post'], allow: any },
  {
    name: 'puppetlabs crl update',
    path: '/puppet-ca/v1/certificate_revocation_list',
    methods: ['put'],
    allow: administrator,
  },
  {
    name: 'puppetlabs cert status',
    path: '/puppet-ca/v1/certificate_status',
    methods: ['get', 'put', 'delete'],
    allow: administrator,
  },
  {
    name: 'puppetlabs cert statuses',
    path: '/puppet-ca/v1/certificate_statuses',
    methods: ['get'],
    allow: administrator,
  },
  { name: 'puppetlabs cert clean', path: '/puppet-ca/v1/clean', methods: ['put'], allow: administrator },
  { name: 'puppetlabs cert sign', path: '/puppet-ca/v1/sign', methods: ['post'], allow: administrator },
  { name: 'puppetlabs CA cert expirations', path: '/puppet-ca/v1/expirations', methods: ['get'], allow: any },
  { name: 'puppetlabs status service', path: '/status/v1/services', methods: ['get'], unauthenticated: true },
  { name: 'puppetlabs simple status service', path: '/status/v1/simple', methods: ['get'], unauthenticated: true },
  { name: 'puppetlabs environments', path: '/puppet/v3/environments', methods: ['get'], allow: any },
  {
    name: 'puppetlabs file bucket file',
    path: '/puppet/v3/file_bucket_file',
    methods: ['get', 'head', 'post', 'put'],
    allow: any,
  },
  { name: 'puppetlabs file content', path: '/puppet/v3/file_content', methods: ['get', 'post'], allow: any },
  { name: 'puppetlabs file metadata', path: '/puppet/v3/file_metadata', methods: ['get', 'post'], allow: any },
  { name: 'puppetlabs node', path: /^\/puppet\/v3\/node\/([^/]+)$/, methods: ['get'], allow: own },
  { name: 'puppetlabs report', path: /^\/puppet\/v3\/report\/([^/]+)$/, methods: ['put'], allow: own },
  { name: 'puppetlabs facts', path: /^\/puppet\/v3\/facts\/([^/]+)$/, methods: ['put'], allow: own },
  { name: 'puppetlabs static file content', path: '/puppet/v3/static_file_content', methods: ['get'], allow: any },
  { name: 'puppetlabs tasks information', path: '/puppet/v3/tasks', methods: ['get'], allow: any },
  // Puppet Server has no such rule: the endpoint returns the files and metadata of all plug-ins in
  // one response.
  { name: 'plugins of plumb', path: '/plumb/v1/plugins', methods: ['get'], allow: any },
  { name: 'plumbline orders: a node waits for orders', path: /^\/plumb\/v1\/orders$/, methods: ['get'], allow: any },
  {
    name: 'plumbline orders: runs',
    path: /^\/plumb\/v1\/runs(?:\/|$)/,
    methods: ['get', 'post', 'delete'],
    allow: administrator,
    tokens: ['run'],
  },
  { name: 'plumbline code: fetch', path: '/code/v1/fetch', methods: ['post'], allow: administrator, tokens: ['fetch'] },
  { name: 'puppetlabs deny all', path: '/', sortOrder: 999 },
]

/** Rules that apply if there is no auth.conf. */
export const defaultRules: readonly Rule[] = sortRules(
  rules.map(({ name, path, methods, allow, sortOrder = 500, tokens = [], unauthenticated = false, query = {} }) => ({
    name,
    sortOrder,
    path:
      typeof path === 'string'
        ? { kind: 'prefix', prefix: path }
        : { kind: 'pattern', pattern: compileBuiltInPattern(path) },
    methods: methods && new Set(methods),
    query: new Map(Object.entries(query)),
    allowUnauthenticated: unauthenticated,
    deny: allow || unauthenticated ? [] : [any],
    allow: allow ? [allow] : [],
    allowTokens: new Set(tokens),
  })),
)

/** Rules of the endpoints that Puppet Server does not have. */
const ownRules = defaultRules.filter(({ name }) => /^(?:plumbline |plugins of plumb$)/.test(name))

/** Sort order of the last rule in Puppet Server's auth.conf, which denies all other requests. */
const lastOrder = 999

/**
 * Adds the rules of our own endpoints to the rules of an auth.conf, because the last rule of Puppet Server's
 * auth.conf would deny these endpoints. The added rules come after all rules of the file whose `sort-order` is below
 * 999. A rule of the file replaces our rule of the same name.
 */
export function addOwnRules(rules: readonly Rule[]): readonly Rule[] {
  const names = new Set(rules.map(({ name }) => name))
  const appended = ownRules
    .filter(({ name }) => !names.has(name))
    .map((rule) => ({ ...rule, sortOrder: lastOrder - 1 }))
  const isLastRule = ({ sortOrder }: Rule) => sortOrder === lastOrder
  return [...rules.filter((rule) => !isLastRule(rule)), ...appended, ...rules.filter(isLastRule)]
}

/** Rules of our own endpoints in the syntax of auth.conf. */
export function formatOwnRules(): string {
  const lines = ownRules.map((rule) => `    ${JSON.stringify(toConfRule(rule))}`)
  return `authorization: {\n  version: 1\n  rules: [\n${lines.join('\n')}\n  ]\n}\n`
}

function toConfRule({ name, sortOrder, path, methods, query, allowUnauthenticated, allow, deny, allowTokens }: Rule) {
  const match =
    path.kind === 'prefix' ? { path: path.prefix, type: 'path' } : { path: path.pattern.source, type: 'regex' }
  return {
    name,
    'sort-order': sortOrder,
    'match-request': {
      ...match,
      ...(methods && { method: [...methods] }),
      ...(query.size > 0 && { 'query-params': Object.fromEntries(query) }),
    },
    ...(allowUnauthenticated && { 'allow-unauthenticated': true }),
    ...(allow.length > 0 && { allow: allow.map(toConfEntry) }),
    ...(deny.length > 0 && { deny: deny.map(toConfEntry) }),
    ...(allowTokens.size > 0 && { 'allow-token': [...allowTokens] }),
  }
}

function toConfEntry(who: RuleEntry): unknown {
  return who.kind === 'extensions' ? { extensions: Object.fromEntries(who.extensions) } : '*'
}
