import { encodeSequence } from '../../src/ca/x509/der.ts'
import { buildSubjectAltName, buildTextExtension, type Extension } from '../../src/ca/x509/extensions.ts'

/** Clients by a word: the common name and the extensions of a certificate. */
export const clients: Readonly<Record<string, readonly [commonName: string, ...extensions: Extension[]]>> = {
  a: ['a.test'],
  upper: ['Web1.Example.COM'],
  domain: ['example.com'],
  lookalike: ['notexample.com'],
  alias: ['b.test', buildSubjectAltName(['DNS:a.test', 'DNS:x.example.com', 'IP:10.0.0.1'])],
  dotted: ['a.test.'],
  plain: ['web1'],
  role: ['r.test', buildTextExtension('1.3.6.1.4.1.34380.1.1.13', 'web')],
  own: ['o.test', buildTextExtension('1.3.6.1.4.1.34380.1.2.7', '7b'), buildTextExtension('1.2.3.4', 'x')],
  ia5: ['i.test', { oid: '1.2.3.4', critical: false, value: Buffer.from([0x16, 1, 0x78]) }],
  arcIa5: ['j.test', { oid: '1.3.6.1.4.1.34380.1.2.7', critical: false, value: Buffer.from([0x16, 1, 0x78]) }],
  roleIa5: ['k.test', { oid: '1.3.6.1.4.1.34380.1.1.13', critical: false, value: Buffer.from([0x16, 1, 0x78]) }],
  list: ['l.test', { oid: '1.2.3.4', critical: false, value: encodeSequence() }],
  newline: ['n.test', buildSubjectAltName(['DNS:n.test']), buildTextExtension('1.2.3.5', 'a.test\n')],
}

/** A verdict where ours differs from Puppet Server's: only denials do. */
export type Verdict = 'allowed' | 'denied' | 'allowed by Puppet Server only'

/** `deny` in front of a rule that allows every certificate, or `allow`, for clients at a path. */
export interface Case {
  readonly path?: string
  readonly regex?: string
  readonly query?: string
  readonly deny?: string
  readonly allow?: string
  readonly at: string
  readonly verdicts: Readonly<Record<string, Verdict>>
}

export const cases: readonly Case[] = [
  { deny: '"A.Test"', at: '/x', verdicts: { a: 'denied', alias: 'denied', dotted: 'denied', domain: 'allowed' } },
  { deny: '"*.Example.com"', at: '/x', verdicts: { upper: 'denied', domain: 'denied', alias: 'denied' } },
  { deny: '"*.Example.com"', at: '/x', verdicts: { lookalike: 'allowed', a: 'allowed' } },
  { allow: '"*.example.com"', at: '/x', verdicts: { domain: 'allowed', upper: 'allowed', lookalike: 'denied' } },
  { allow: '"a.test"', at: '/x', verdicts: { alias: 'allowed', dotted: 'allowed', role: 'denied' } },
  { allow: 'Web1', at: '/x', verdicts: { plain: 'denied' } },
  { deny: 'Web1', at: '/x', verdicts: { plain: 'allowed by Puppet Server only' } },
  { deny: '"web1."', at: '/x', verdicts: { plain: 'allowed by Puppet Server only' } },
  { allow: '"a.test."', at: '/x', verdicts: { a: 'denied', dotted: 'denied' } },
  { deny: '"/^a[.]test$/"', at: '/x', verdicts: { a: 'denied', alias: 'denied', dotted: 'allowed' } },
  { deny: '"/example.com$/"', at: '/x', verdicts: { upper: 'allowed', domain: 'denied' } },
  { deny: '"/(?i)example.com$/"', at: '/x', verdicts: { upper: 'denied' } },
  { deny: '{ extensions: { "1.3.6.1.4.1.34380.1.1.13": web } }', at: '/x', verdicts: { role: 'denied', a: 'allowed' } },
  { deny: '{ extensions: { pp_role: [db, web] } }', at: '/x', verdicts: { role: 'denied' } },
  { deny: '{ extensions: { pp_role: Web } }', at: '/x', verdicts: { role: 'allowed' } },
  { deny: '{ extensions: { "1.3.6.1.4.1.34380.1.2.7": "7b" } }', at: '/x', verdicts: { own: 'denied' } },
  { deny: '{ extensions: { "1.2.3.4": x } }', at: '/x', verdicts: { own: 'denied', a: 'allowed' } },
  { deny: '{ extensions: { "1.2.3.4": x } }', at: '/x', verdicts: { list: 'allowed by Puppet Server only' } },
  { allow: '{ extensions: { "1.2.3.4": x } }', at: '/x', verdicts: { own: 'allowed', ia5: 'denied', list: 'denied' } },
  { allow: '{ extensions: { "1.3.6.1.4.1.34380.1.2.7": x } }', at: '/x', verdicts: { arcIa5: 'denied' } },
  { allow: '{ extensions: { pp_role: x } }', at: '/x', verdicts: { roleIa5: 'denied' } },
  { allow: '{ extensions: { "1.3.6.1.4.1.34380.1.1.13": x } }', at: '/x', verdicts: { roleIa5: 'denied' } },
  { allow: '{ extensions: { pp_role: web, "1.2.3.4": x } }', at: '/x', verdicts: { role: 'denied', own: 'denied' } },
  { deny: '{ extensions: {} }', at: '/x', verdicts: { a: 'denied' } },
  {
    deny: '{ extensions: { subject-alt-name: { ip: "10.0.0.1" } } }',
    at: '/x',
    verdicts: { alias: 'denied', a: 'allowed' },
  },
  {
    allow: '{ extensions: { subject-alt-name: { dns-name: a.test } } }',
    at: '/x',
    verdicts: { alias: 'allowed', a: 'denied' },
  },
  { deny: '{ extensions: { pp_role: ["2147483648", "-2147483649", web] } }', at: '/x', verdicts: { role: 'denied' } },
  { allow: '{ certname: a.test }', at: '/x', verdicts: { a: 'allowed', role: 'denied' } },
  { deny: '{ certname: a.test }', at: '/x', verdicts: { a: 'denied', role: 'allowed' } },
  { allow: '{ rbac: { permission: "a:b:c" } }', at: '/x', verdicts: { a: 'denied' } },
  {
    regex: '^/n/([^/]+)$',
    allow: '"$1"',
    at: '/n/a.test',
    verdicts: { a: 'allowed', alias: 'allowed by Puppet Server only' },
  },
  { regex: '^/n/([^/]+)$', allow: '"$1"', at: '/n/*', verdicts: { a: 'allowed by Puppet Server only' } },
  { regex: '^/n/([^/]+)$', allow: '"$1"', at: '/n/A.test', verdicts: { a: 'allowed by Puppet Server only' } },
  { regex: '^/n/([^/]+)$', allow: '"$1"', at: '/n/b.test', verdicts: { a: 'denied', alias: 'allowed' } },
  { regex: '^/n/([^/]+)$', deny: '"$1"', at: '/n/A.TEST', verdicts: { a: 'denied', alias: 'denied', role: 'allowed' } },
  {
    regex: '^/n/([^/]+)$',
    deny: '"$1"',
    at: '/n/*.test',
    verdicts: { a: 'denied', role: 'denied', domain: 'allowed' },
  },
  { regex: '^/n/(.*)$', deny: '"$1"', at: '/n/a%20b', verdicts: { a: 'denied' } },
  { regex: '^/n/(.*)$', allow: '["$1", "*"]', at: '/n/a%20b', verdicts: { a: 'denied' } },
  { regex: '^/n/(.*)$', allow: '["*", "$1"]', at: '/n/a%20b', verdicts: { a: 'allowed' } },
  { regex: '^/n/(x)?', allow: '["$1", "*"]', at: '/n/', verdicts: { a: 'denied' } },
  { regex: '^/n/(x)?', allow: '["*", "$1"]', at: '/n/', verdicts: { a: 'allowed' } },
  { regex: '^/.$', deny: '"*"', at: '/\u0085', verdicts: { a: 'allowed by Puppet Server only' } },
  { regex: '^/secret$', deny: '"*"', at: '/secret%E2%80%A8', verdicts: { a: 'denied' } },
  { regex: '(?i)^/k$', deny: '"*"', at: '/K', verdicts: { a: 'denied' } },
  { regex: '(?i)^/k$', deny: '"*"', at: '/%E2%84%AA', verdicts: { a: 'allowed' } },
  { regex: '^/a\\\\s', deny: '"*"', at: '/a%C2%A0', verdicts: { a: 'allowed' } },
  { query: 'node: x', deny: '"*"', at: '/x?node=x', verdicts: { a: 'denied' } },
  { query: 'node: x', deny: '"*"', at: '/x?node=y&node=x', verdicts: { a: 'denied' } },
  { query: 'a: ""', deny: '"*"', at: '/x?a', verdicts: { a: 'allowed' } },
  { query: 'a: x', deny: '"*"', at: '/x?%61=x&b=%zz', verdicts: { a: 'denied' } },
  { allow: '"*"', at: '/x?b=%zz', verdicts: { a: 'allowed' } },
  { query: 'a: x', deny: '"*"', at: '/x?a=y&b=%zz', verdicts: { a: 'allowed by Puppet Server only' } },
  { path: '/x', deny: '"*"', at: '//%78/y', verdicts: { a: 'denied' } },
  { path: '/x', deny: '"*"', at: '/X', verdicts: { a: 'allowed' } },
]

const one = (entry: string, match = 'path: "/", type: path', order = 'sort-order: 5, ') =>
  `authorization { version: 1, rules: [ { name: a, ${order}match-request { ${match} }, ${entry} } ] }`
const regex = (pattern: string) => one('allow: x', `path: ${JSON.stringify(pattern)}, type: regex`)

/** Files that Puppet Server rejects at its start, with a part of our reason. */
export const rejected: readonly (readonly [conf: string, reason: string])[] = [
  ...['web*', '*example.com', '*.example.com.', '*.', '.a.test', '*.*', 'a b', '', 'ä.test', '//a'].map(
    (name) => [one(`allow: ${JSON.stringify(name)}`), `invalid domain value: ${name}`] as const,
  ),
  ...['$1', 'x$1.test'].map((name) => [one(`deny: "${name}"`, 'path: "^/x", type: regex'), "'$1' refers to"] as const),
  [one('deny: "$2"', 'path: "^/(x)", type: regex'), "'$2' refers to a capture group in the regex that doesn't exist"],
  [one('allow: x', undefined, ''), "does not contain a 'sort-order' key"],
  [one('allow: x', undefined, 'sort-order: 1000, '), 'sort-order must be'],
  [one('allow: "5"'), 'an entry in allow must be an object'],
  [one('allow: { certname: x, extensions: { a: b } }'), 'must contain exactly one of'],
  ...['1', '+1', '2147483647', '-2147483648'].map(
    (value) => [one(`allow: { extensions: { pp_role: "${value}" } }`), 'pp_role must be a string'] as const,
  ),
  [one('allow: { extensions: { subject-alt-name: x } }'), 'subject-alt-name must be an object'],
  [one('allow: { extensions: { subject-alt-name { dns: x } } }'), "does not support the name type 'dns'"],
  [one('allow: {}'), 'must contain exactly one of'],
  [one('allow: { rbac: { permission: "a:b:\u0085c" } }'), 'permission key should map to a string of form'],
  [one('deny: { rbac: { permission: "a:b:c" } }'), 'RBAC permissions cannot be used to deny access'],
  [one('allow: null'), 'an entry in allow must be an object'],
  [one('allow: x', 'path: 5, type: path'), 'path must be a string'],
  [one('allow: x', 'path: "/", type: Path'), "type must be 'path' or 'regex'"],
  [one('allow: x', 'path: "/", type: path, method: any'), 'method must be one of'],
  [one('allow: x', 'path: "/", type: path, query-params { a: 5 }'), 'a must be a string'],
  [one('allow: x, allow-unauthenticated: true'), 'allow-unauthenticated cannot be combined with'],
  ['authorization { version: 1 }', 'rules must be an array'],
  [
    'authorization { version: 1, rules: [], allow-header-cert-info: "true" }',
    'allow-header-cert-info is not a boolean',
  ],
  ...['(', '*a', 'a**', 'a{2,1}', '[z-a]', 'a{', '\\y', '(?P<n>a)', '(?<n>a)(?<n>b)', '[a', '\\x{110000}'].map(
    (pattern) => [regex(pattern), 'cannot be used'] as const,
  ),
]

/** Files that Puppet Server accepts and we reject, with a part of our reason. */
export const rejectedHere: readonly (readonly [conf: string, reason: string])[] = [
  ...[
    '(?=a)',
    '(?<!a)a',
    'a*+',
    '(a)\\1',
    '\\p{L}',
    '[a&&b]',
    '[a[b]]',
    '\\bx',
    '(?m)^a',
    '(?x)a b',
    '(?>a)',
    '\\R',
  ].map((pattern) => [regex(pattern), 'cannot be used'] as const),
  [one('allow: { certname: x, rbac: { permission: "a:b:c" } }'), 'must contain exactly one of'],
  [one('allow: "$1"'), "'$1' refers to a capture group in the regex that doesn't exist"],
  [one('allow: "*.$1"', 'path: "^/(x)", type: regex'), 'can only be part of a name'],
  [one('deny: "/^$1/"', 'path: "^/(x)", type: regex'), 'can only be part of a name'],
  [one('deny: "/(/"'), 'cannot be used'],
  [one('allow-unauthenticated: "true"'), 'must be true or false'],
  [one('allow: x', 'path: "/", type: path, query-params { "b/a": x }'), 'must be a name without a slash'],
]

/** The file of a case. */
export function confOf({ path = '/', regex, query = '', deny, allow }: Case): string {
  const match = regex === undefined ? `path: "${path}", type: path` : `path: "${regex}", type: regex`
  const rest = '{ name: rest, sort-order: 900, match-request { path: "/", type: path }, allow: "*" }'
  const rule = `match-request { ${match}, query-params { ${query} } }, ${deny === undefined ? `allow: ${allow}` : `deny: ${deny}, allow: "*"`}`
  return `authorization { version: 1, rules: [ { name: first, sort-order: 100, ${rule} }, ${rest} ] }`
}
