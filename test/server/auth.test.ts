import { describe, expect, it } from 'vitest'
import { parseAuthConf } from '../../src/server/auth/auth-conf.ts'
import { authorize } from '../../src/server/auth/authorize.ts'
import { defaultRules } from '../../src/server/auth/default-rules.ts'
import { parseDistinguishedName } from '../../src/server/auth/distinguished-name.ts'
import { identifyByHeaders } from '../../src/server/auth/header-client.ts'
import { type Client, createUnauthenticatedClient } from '../../src/server/http/client.ts'
import { parseRequestPath } from '../../src/server/http/request-path.ts'
import { fc } from '../support/properties.ts'

const client = (certname: string, extensions: Record<string, string> = {}): Client => ({
  ...createUnauthenticatedClient('127.0.0.1'),
  certname,
  extensions,
  extensionValues: new Map(Object.entries(extensions)),
})
const nobody = createUnauthenticatedClient('127.0.0.1')
const a = client('a.test')
const admin = client('admin.test', { pp_cli_auth: 'true' })
const dashboard: Client = { ...nobody, token: { name: 'dashboard', scopes: ['query'] } }
const question = (method: string, path: string, client: Client, query = '') => ({
  method,
  path,
  client,
  query,
})

describe('the default rules', () => {
  it.each([
    ['get', '/puppet/v3/catalog/a.test', a, true],
    ['post', '/puppet/v3/catalog/a.test', a, true],
    ['put', '/puppet/v3/catalog/a.test', a, false],
    ['post', '/puppet/v3/catalog/b.test', a, false],
    ['post', '/puppet/v3/catalog/b.test', admin, false],
    ['post', '/puppet/v3/catalog/a.test', nobody, false],
    ['post', '/puppet/v3/catalog/a.test/x', a, false],
    ['post', '/puppet/v4/catalog', admin, false],
    ['get', '/puppet/v3/node/a.test', a, true],
    ['get', '/puppet/v3/node/b.test', a, false],
    ['put', '/puppet/v3/report/a.test', a, true],
    ['put', '/puppet/v3/report/b.test', a, false],
    ['put', '/puppet/v3/facts/a.test', a, true],
    ['get', '/puppet/v3/facts/a.test', a, false],
    ['get', '/puppet/v3/file_metadata/modules/x', a, true],
    ['get', '/puppet/v3/file_metadatas/plugins', a, true],
    ['get', '/puppet/v3/file_content/modules/x', nobody, false],
    ['get', '/puppet/v3/static_file_content/modules/x', a, true],
    ['get', '/puppet/v3/environments', a, true],
    ['get', '/puppet/v3/environment_classes', admin, false],
    ['put', '/puppet/v3/file_bucket_file/sha256/x', a, true],
    ['delete', '/puppet/v3/file_bucket_file/sha256/x', a, false],
    ['get', '/puppet-ca/v1/certificate/ca', nobody, true],
    ['get', '/puppet-ca/v1/certificate_revocation_list/ca', nobody, true],
    ['put', '/puppet-ca/v1/certificate_request/a.test', nobody, true],
    ['post', '/puppet-ca/v1/certificate_renewal', nobody, false],
    ['post', '/puppet-ca/v1/certificate_renewal', a, true],
    ['get', '/puppet-ca/v1/certificate_statuses/any', a, false],
    ['get', '/puppet-ca/v1/certificate_statuses/any', admin, true],
    ['put', '/puppet-ca/v1/certificate_status/a.test', admin, true],
    ['put', '/puppet-ca/v1/clean', a, false],
    ['get', '/status/v1/simple', nobody, true],
    ['get', '/pdb/query/v4/nodes', admin, true],
    ['get', '/pdb/query/v4/nodes', dashboard, true],
    ['post', '/pdb/query/v4', dashboard, true],
    ['get', '/pdb/query/v4/nodes', a, false],
    ['get', '/pdb/query/v4/nodes', nobody, false],
    ['get', '/ui/', dashboard, true],
    ['get', '/ui/', a, false],
    ['post', '/pdb/cmd/v1', admin, true],
    ['post', '/pdb/cmd/v1', dashboard, false],
    ['post', '/pdb/cmd/v1', a, false],
    ['put', '/pdb/query/v4', admin, true],
    ['put', '/pdb/query/v4', dashboard, false],
    ['put', '/puppet-ca/v1/clean', dashboard, false],
    ['get', '/puppet/v3/environments', dashboard, false],
    ['get', '/status/v1/services', nobody, true],
    ['delete', '/puppet-admin-api/v1/environment-cache', admin, false],
    ['get', '/', admin, false],
  ])('%s %s', (method, path, client, allowed) => {
    expect(authorize(defaultRules, question(method, path, client)).allowed).toBe(allowed)
  })

  it('say why', () => {
    const refused = createUnauthenticatedClient('127.0.0.1', 'certificate revoked')
    expect(authorize(defaultRules, question('get', '/puppet/v3/environments', refused)).reason).toBe(
      "denied by rule 'puppetlabs environments': certificate revoked",
    )
    expect(authorize([], question('get', '/', a)).reason).toBe('global deny all - no rules matched')
  })
})

describe('auth.conf', () => {
  const conf = parseAuthConf({
    file: 'auth.conf',
    text: `
      # comments are fine
      authorization: {
        version: 1
        rules: [
          { match-request: { path: "/x", type: path, query-params: { environment: [dev, test] } }
            allow: ["*.test", "/^b\\\\d$/"], deny: "bad.test", sort-order: 200, name: "x" },
          { match-request: { path: "^/own/([^/]+)/(.*)$", type: regex, method: [get, head] }
            allow: "$1", sort-order: 100, name: "own" },
          { match-request: { path: "/role", type: path }
            allow: { extensions: { pp_role: [web, db] } }, sort-order: 300, name: "role" }
        ]
      }`,
  })

  it('keeps the order of the rules', () => expect(conf.rules.map(({ name }) => name)).toEqual(['own', 'x', 'role']))

  it.each([
    ['get', '/x', client('a.test'), 'environment=dev', true],
    ['get', '/x', client('a.test'), 'environment=production', false],
    ['get', '/x', client('a.test'), '', false],
    ['get', '/x', client('bad.test'), 'environment=dev', false],
    ['get', '/x', client('b7'), 'environment=dev', true],
    ['get', '/x', client('bx'), 'environment=dev', false],
    ['get', '/x', client('test'), 'environment=dev', true],
    ['get', '/own/a/b', client('a'), '', true],
    ['head', '/own/a/b', client('a'), '', true],
    ['put', '/own/a/b', client('a'), '', false],
    ['get', '/own/a/b', client('b'), '', false],
    ['get', '/role', client('a.test', { pp_role: 'db' }), '', true],
    ['get', '/role', client('a.test', { pp_role: 'x' }), '', false],
    ['get', '/role', client('a.test'), '', false],
    ['get', '/role', client('other', { pp_role: 'db' }), '', true],
  ])('%s %s %o %s', (method, path, client, query, allowed) => {
    expect(authorize(conf.rules, question(method, path, client, query)).allowed).toBe(allowed)
  })

  const rule = (text: string) => `authorization { version: 1, rules: [ { ${text} } ] }`
  it.each([
    ['authorization { version: 2 }', 'Could not load auth.conf: rule (all): version must be 1'],
    ['x: 1', 'Could not load auth.conf: authorization must be an object'],
    ['authorization {', "Could not load auth.conf: Expected '}'"],
    [
      rule('name: a, sort-order: 500, match-request {path: "/", type: path}'),
      "rule 'a': contains neither allow nor deny",
    ],
    [
      rule('name: a, sort-order: 500, match-request {path: "/", type: glob}, allow: x'),
      "rule 'a': type must be 'path' or 'regex'",
    ],
    [
      rule('name: a, sort-order: 500, match-request {path: "(", type: regex}, allow: x'),
      "rule 'a': The regular expression '(' cannot be used: missing closing )",
    ],
    [rule('name: a, sort-order: 500, match-request {path: "/", type: path, method: eat}, allow: x'), 'not eat'],
    [rule('name: a, sort-order: 0, match-request {path: "/", type: path}, allow: x'), 'sort-order must be'],
    [
      rule('name: a, sort-order: 500, match-request {path: "/", type: path}, allow: x, allow-unauthenticated: true'),
      'allow-unauthenticated cannot be combined with allow, deny',
    ],
  ])('refuses %j', (text, message) => expect(() => parseAuthConf({ file: 'auth.conf', text })).toThrow(message))
})

describe('the path of a request', () => {
  it.each([
    ['/puppet/v3/node/a?x=/../', '/puppet/v3/node/a'],
    ['/puppet//v3/%6eode/a%20b', '/puppet/v3/node/a b'],
    ['/a%252e%252e/b', '/a%2e%2e/b'],
    ['/a..b/.c', '/a..b/.c'],
  ])('%s is %s', (url, path) => expect(parseRequestPath(url)).toBe(path))

  it.each([
    ['/a/../b', 'Invalid relative path (.. or .) in: /a/../b'],
    ['/a/%2e%2e/b', 'Invalid relative path (.. or .) in: /a/../b'],
    ['/a/%2E./b', 'Invalid relative path (.. or .) in: /a/../b'],
    ['/a%2f..%2fb', 'Invalid relative path (.. or .) in: /a/../b'],
    ['/a/.', 'Invalid relative path (.. or .) in: /a/.'],
    ['/a\\..\\b', 'Invalid relative path (.. or .) in: /a\\..\\b'],
    ['/a%00b', 'Invalid path'],
    ['/a%0ab', 'Invalid path'],
    ['/a%zz', 'Invalid path'],
    ['/a%ff', 'Invalid path'],
    ['*', 'Invalid path'],
  ])('%s is refused', (url, message) => expect(() => parseRequestPath(url)).toThrow(message))
})

describe('the word of a proxy', () => {
  const dn = 'X-Client-DN'
  it.each<[string | undefined, string | undefined, string | undefined, string | undefined]>([
    ['SUCCESS', 'CN=a.test,O=x', 'a.test', undefined],
    ['SUCCESS', '/O=x/CN=a.test', 'a.test', undefined],
    ['SUCCESS', 'O=x', undefined, `${dn} has no common name`],
    ['SUCCESS', undefined, undefined, `${dn} has no common name`],
    ['SUCCESS', 'CN=', undefined, `the common name of ${dn} is not a certname`],
    ['FAILED', 'CN=a.test', undefined, 'X-Client-Verify is not SUCCESS'],
    ['success', 'CN=a.test', undefined, 'X-Client-Verify is not SUCCESS'],
    [undefined, 'CN=a.test', undefined, 'X-Client-Verify is not SUCCESS'],
    ['SUCCESS', String.raw`CN=a\,CN=b`, 'a,CN=b', undefined],
    ['SUCCESS', 'CN=a,CN=b', undefined, `${dn} has more than one common name`],
    ['SUCCESS', 'CN=a+CN=b', undefined, `${dn} has more than one common name`],
    ['SUCCESS', 'CN=a+O=x', 'a', undefined],
    ['SUCCESS', '/CN=a/CN=b', undefined, `${dn} has more than one common name`],
    ['SUCCESS', String.raw`/CN=a\/CN=b`, undefined, `${dn} is not a distinguished name`],
    ['SUCCESS', '/O=x/y/CN=b', undefined, `${dn} is not a distinguished name`],
    ['SUCCESS', String.raw`CN=a\00`, undefined, `the common name of ${dn} is not a certname`],
    ['SUCCESS', String.raw`CN=\C3\A4`, undefined, `the common name of ${dn} is not a certname`],
    ['SUCCESS', 'CN=a/b', undefined, `the common name of ${dn} is not a certname`],
    ['SUCCESS', '2.5.4.3=a, commonName=b', undefined, `${dn} has more than one common name`],
  ])('%s %s is %s', (verify, name, certname, refused) => {
    const headers = {
      'x-client-verify': verify === undefined ? undefined : [verify],
      'x-client-dn': name === undefined ? undefined : [name],
    }
    expect(identifyByHeaders(headers, '::1', new Map())).toMatchObject({ certname, refused })
  })

  const good = { 'x-client-verify': ['SUCCESS'], 'x-client-dn': ['CN=a.test'] }
  it.each([
    [{ 'x-client-verify': ['SUCCESS', 'FAILED'] }, 'X-Client-Verify occurs more than once'],
    [{ 'x-client-dn': ['CN=a.test', 'CN=a.test'] }, 'X-Client-DN occurs more than once'],
    [{ 'x-client-cert': ['x', 'y'] }, 'X-Client-Cert occurs more than once'],
    [{ 'x-client-cert': ['nonsense'] }, 'X-Client-Cert is not a certificate'],
    [{ 'x-client-cert': ['%'] }, 'X-Client-Cert is not a certificate'],
    [{ 'x-client-cert': [''] }, 'X-Client-Cert is not a certificate'],
  ])('%j is refused', (change, refused) => {
    expect(identifyByHeaders({ ...good, ...change }, '::1', new Map())).toMatchObject({ certname: undefined, refused })
  })
})

describe('a distinguished name', () => {
  const cases: readonly (readonly [string, readonly (readonly [string, string])[] | undefined])[] = [
    ['', []],
    ['CN=a', [['cn', 'a']]],
    [
      ' CN = a , O = b c ',
      [
        ['cn', 'a'],
        ['o', 'b c'],
      ],
    ],
    [
      'CN=a;O=b',
      [
        ['cn', 'a'],
        ['o', 'b'],
      ],
    ],
    [
      'CN=a+UID=b',
      [
        ['cn', 'a'],
        ['uid', 'b'],
      ],
    ],
    ['OID.2.5.4.3=a', [['cn', 'a']]],
    ['2.5.4.10=a', [['2.5.4.10', 'a']]],
    ['O="a,CN=b"', [['o', 'a,CN=b']]],
    [String.raw`O="a\"b"`, [['o', 'a"b']]],
    [String.raw`O=a\,b\+c\=d\20`, [['o', 'a,b+c=d ']]],
    [String.raw`O=a\ `, [['o', 'a ']]],
    [String.raw`O=\23a\#`, [['o', '#a#']]],
    [String.raw`O=Lu\C4\8Di\C4\87`, [['o', 'Lučić']]],
    [
      '/C=x/CN=a',
      [
        ['c', 'x'],
        ['cn', 'a'],
      ],
    ],
    [
      '/O=a,b+c/CN=d',
      [
        ['o', 'a,b+c'],
        ['cn', 'd'],
      ],
    ],
    ['CN=', [['cn', '']]],
    ['CN', undefined],
    ['=a', undefined],
    ['CN=a,', undefined],
    ['CN=a,,O=b', undefined],
    ['CN=a=b', [['cn', 'a=b']]],
    ['C N=a', undefined],
    ['CN="a', undefined],
    ['CN="a"b', undefined],
    ['CN=a"b"', undefined],
    ['CN=#0c0161', undefined],
    ['CN=a<b', undefined],
    ['CN=a\\', undefined],
    [String.raw`CN=a\x`, undefined],
    [String.raw`CN=a\4`, undefined],
    [String.raw`CN=\ff`, undefined],
    ['/', undefined],
    ['/CN', undefined],
    ['//CN=a', undefined],
    [String.raw`/CN=a\x41`, undefined],
  ]
  it.each(cases)('%j', (text, attributes) => expect(parseDistinguishedName(text)).toEqual(attributes))

  it('is read back from what is written by the rules, whatever a value holds', () => {
    const written = (value: string) =>
      [...value]
        .map((each) => (/^[a-z0-9]$/i.test(each) ? each : Buffer.from(each).toString('hex').replace(/../g, '\\$&')))
        .join('')
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (values) => {
        const text = values.map((value) => `O=${written(value)}`).join(',')
        expect(parseDistinguishedName(text)).toEqual(values.map((value) => ['o', value]))
      }),
    )
  })

  it('is read or refused, whatever comes, in time that grows as its length does', () => {
    const token = fc.constantFrom(',', '+', ';', '=', '\\', '"', '/', 'CN', ' ', '#', 'a', '\\2c', '\u0000', 'ä')
    fc.assert(fc.property(fc.array(token), (tokens) => void parseDistinguishedName(tokens.join(''))))
    for (const part of ['CN=a,', 'CN=a+', '/CN=a', ' ', '\\', 'CN="', '=', 'CN=\\2c,', ',', 'a']) {
      const text = part.repeat(200_000)
      const before = process.cpuUsage()
      parseDistinguishedName(text)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000)
    }
  })
})
