import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutsideRequests } from '../../../src/network/outside/outside-requests.ts'
import { testSettings } from '../../code/environments/settings.ts'
import { type OutsideServers, openOutsideServers } from '../../support/outside-servers.ts'

const loopback = '00000000000000000000000000000001'
const zone = {
  'a.test A': ['192.0.2.9', '192.0.2.1', '192.0.2.1'],
  'a.test AAAA': ['20010db8000000000000000000000001'],
  'a.test TXT': [['v=spf1', ' -all'], ['zwölf']],
  'a.test MX': [
    { preference: 20, exchange: 'two.test' },
    { preference: 10, exchange: 'one.test' },
  ],
  'alias.test CNAME': ['a.test'],
  'a.test NS': ['ns.test'],
  '9.2.0.192.in-addr.arpa PTR': ['a.test'],
  '_ldap._tcp.a.test SRV': [{ priority: 1, weight: 2, port: 389, target: 'a.test' }],
  'a.test SOA': [{ mname: 'ns.test', rname: 'root.a.test', numbers: [2026112301, 7200, 3600, 1209600, 60] }],
  'broken.test A': 2,
  'refuses.test A': 5,
  'silent.test A': null,
  'turns.test A': { turns: [[{ address: '192.0.2.1', ttl: 0 }], [{ address: '192.0.2.2', ttl: 0 }]] },
  'page.test A': ['127.0.0.1'],
  'other.test A': ['127.0.0.1'],
  'loop.test A': ['127.0.0.3'],
  'private.test A': ['10.0.0.1'],
  'meta.test A': ['169.254.169.254'],
  'zero.test A': ['0.0.0.0'],
  'six.test AAAA': [loopback],
  'link.test AAAA': ['fe800000000000000000000000000001'],
  'unique.test AAAA': ['fd000000000000000000000000000001'],
  'mapped.test AAAA': ['00000000000000000000ffff7f000003'],
  'mixed.test A': ['127.0.0.1', '127.0.0.3'],
  'both.test A': ['127.0.0.1'],
  'both.test AAAA': [loopback],
  'rebind.test A': { turns: [[{ address: '127.0.0.2', ttl: 0 }], [{ address: '127.0.0.1', ttl: 0 }]] },
  'late.test A': { turns: [[{ address: '127.0.0.1', ttl: 0 }], [{ address: '127.0.0.3', ttl: 0 }]] },
}
let servers: OutsideServers
let base: Readonly<Record<string, string>>

beforeAll(async () => {
  servers = await openOutsideServers()
  await servers.know(zone)
  const hosts = Object.keys(zone).map((key) => `${key.split(' ')[0]}:${servers.port}`)
  base = {
    external_lookups: 'dns,http',
    external_dns_names: '*.test,*.in-addr.arpa',
    external_dns_servers: servers.dns,
    external_http_hosts: [...new Set(hosts), `127.0.0.1:${servers.port}`, '127.0.0.3', '[::1]', '*.wild.test'].join(
      ',',
    ),
    external_http_addresses: '127.0.0.1,127.0.0.2',
  }
})
afterAll(() => servers?.close())

const world = (given = {}, times?: { dnsMs: number; httpMs: number }) =>
  new OutsideRequests(testSettings({ ...base, ...given }), times)
const ask = async (on: OutsideRequests, question: unknown) => JSON.parse(await on.ask(JSON.stringify(question)))
const dns = (name: string, type: string, on = world(), more = {}) => ask(on, { dns: { name, type, ...more } })
const page = (url: string, on = world(), { method = 'GET', headers = [] as readonly string[][] } = {}) =>
  ask(on, { http: { url: url.replace(/^\//, `http://page.test:${servers.port}/`), method, headers } })
const at = (host: string, path = '/hello') => `http://${host}:${servers.port}${path}`

describe('DNS', () => {
  it.each([
    ['a.test', 'A', { records: ['192.0.2.1', '192.0.2.9'] }],
    ['A.Test.', 'A', { records: ['192.0.2.1', '192.0.2.9'] }],
    ['a.test', 'AAAA', { records: ['2001:db8::1'] }],
    ['alias.test', 'CNAME', { records: ['a.test'] }],
    ['a.test', 'NS', { records: ['ns.test'] }],
    ['9.2.0.192.in-addr.arpa', 'PTR', { records: ['a.test'] }],
    ['_ldap._tcp.a.test', 'SRV', { records: [{ priority: 1, weight: 2, port: 389, target: 'a.test' }] }],
    [
      'a.test',
      'MX',
      {
        records: [
          { preference: 10, exchange: 'one.test' },
          { preference: 20, exchange: 'two.test' },
        ],
      },
    ],
    ['a.test', 'TXT', { records: [['v=spf1', ' -all'], [Buffer.from('zwölf').toString('latin1')]] }],
    [
      'a.test',
      'SOA',
      {
        records: [
          {
            ...{ mname: 'ns.test', rname: 'root.a.test', serial: 2026112301 },
            ...{ refresh: 7200, retry: 3600, expire: 1209600, minimum: 60 },
          },
        ],
      },
    ],
    ['page.test', 'AAAA', { records: [] }],
    ['none.test', 'A', { absent: true }],
    ['broken.test', 'A', { failure: 'the server failed (SERVFAIL)', error: 'server' }],
    ['refuses.test', 'A', { failure: 'the server refused the query', error: 'server' }],
  ])('answers for %s %s', async (name, type, expected) => {
    expect(await dns(name, type)).toEqual(expected)
  })

  it('waits no longer than is allowed', async () => {
    const answer = await dns('silent.test', 'A', world({}, { dnsMs: 300, httpMs: 300 }))
    expect(answer).toEqual({ failure: 'no server replied in time', error: 'timeout' })
  })

  it.each([
    ['a.example', 'A', 'The setting external_dns_names does not allow a.example'],
    ['xtest', 'A', 'The setting external_dns_names does not allow xtest'],
    [
      'a.test',
      'ANY',
      'DNS records of type ANY are not supported; the supported types are A, AAAA, CNAME, NS, PTR, MX, TXT, SRV, SOA',
    ],
    ['a.test', 'constructor', 'DNS records of type constructor are not supported'],
    ['a b.test', 'A', 'a b.test is not a valid DNS name'],
    [`${'a'.repeat(64)}.test`, 'A', 'is not a valid DNS name'],
    ['a..test', 'A', 'a..test is not a valid DNS name'],
    ['', 'A', ' is not a valid DNS name'],
  ])('refuses %j %s', async (name, type, expected) => {
    expect((await dns(name, type)).refused).toContain(expected)
  })

  it('asks no server that the settings do not name', async () => {
    const named = world({ external_dns_servers: `${servers.dns},10.0.0.1:53,[fd00::1]:5353` })
    expect(await dns('a.test', 'A', named, { servers: [servers.dns] })).toHaveProperty('records')
    for (const server of ['127.0.0.1:1', '10.0.0.2', 'localhost', ''])
      expect((await dns('a.test', 'A', named, { servers: [server] })).refused).toContain(
        `The DNS server ${server} is not listed in the setting external_dns_servers`,
      )
  })

  it('asks once for as long as an answer holds, and again after', async () => {
    const on = world()
    await Promise.all([dns('a.test', 'A', on), dns('a.test', 'A', on)])
    const before = (await servers.counts())['a.test A']
    await dns('a.test', 'A', on)
    expect((await servers.counts())['a.test A']).toBe(before)
    expect([await dns('turns.test', 'A', on), await dns('turns.test', 'A', on)]).toEqual([
      { records: ['192.0.2.1'] },
      { records: ['192.0.2.2'] },
    ])
  })
})

describe('HTTP', () => {
  it('reads pages, with the headers that do not change by themselves', async () => {
    expect(await page('/json')).toEqual({
      ...{ status: 200, reason: 'OK', headers: [['content-type', 'application/json']], body: '{"a":[1,{"b":"ä"}]}' },
    })
    expect(await page('/binary')).toMatchObject({ status: 200, base64: 'AP8B/g==' })
    expect(await page('/missing')).toMatchObject({ status: 404, reason: 'Not Here', body: 'no' })
    expect(await page('/hello', world(), { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect((await page(at('PAGE.test.'))).body).toBe(`hello from 127.0.0.1 as page.test:${servers.port}`)
  })

  it('says the headers of code, but those of the connection', async () => {
    const headers = [
      ['X-Own', 'a'],
      ['Host', 'evil.test'],
      ['Transfer-Encoding', 'chunked'],
      ['Accept-Encoding', 'gzip'],
    ]
    const said = JSON.parse((await page('/headers', world(), { headers })).body) as string[]
    const pairs = said.flatMap((name, index) => (index % 2 === 0 ? [`${name.toLowerCase()}: ${said[index + 1]}`] : []))
    expect(pairs.sort()).toEqual([
      'accept-encoding: identity',
      'connection: close',
      `host: page.test:${servers.port}`,
      'x-own: a',
    ])
    const split = await page('/headers', world(), { headers: [['x', 'a\r\nHost: evil']] })
    expect(split).toHaveProperty('failure')
  })

  it('reads a page once for as long as it holds', async () => {
    const on = world()
    for (const path of ['/count', '/count']) expect((await page(path, on)).body).toBe('1')
    expect([(await page('/fresh', on)).body, (await page('/fresh', on)).body]).toEqual(['1', '2'])
  })

  it('follows no redirect', async () => {
    expect(await page('/elsewhere')).toMatchObject({ status: 302, headers: [['location', at('other.test')]] })
    expect((await servers.counts())['other.test A']).toBeUndefined()
  })

  it.each([
    ['http://unlisted.test/', 'The setting external_http_hosts does not allow unlisted.test'],
    ['http://page.test/', 'The setting external_http_hosts does not allow page.test'],
    ['https://page.test/', 'The setting external_http_hosts does not allow page.test'],
    ['http://page.test:1/', 'The setting external_http_hosts does not allow page.test:1'],
    ['http://wild.test/', 'The setting external_http_hosts does not allow wild.test'],
    ['http://xwild.test/', 'The setting external_http_hosts does not allow xwild.test'],
    ['http://page.test@unlisted.test/', 'is not an HTTP or HTTPS URL'],
    ['http://user:secret@page.test/', 'is not an HTTP or HTTPS URL'],
    ['file:///etc/passwd', 'file:///etc/passwd is not an HTTP or HTTPS URL'],
    ['ftp://page.test/', 'is not an HTTP or HTTPS URL'],
    ['gopher://page.test:80/_x', 'is not an HTTP or HTTPS URL'],
    ['http:///etc', 'The setting external_http_hosts does not allow etc'],
    ['http://', 'is not an HTTP or HTTPS URL'],
    ['page.test', 'is not an HTTP or HTTPS URL'],
    ['http://127.0.0.2/', 'The setting external_http_hosts does not allow 127.0.0.2'],
    ['http://localhost/', 'The setting external_http_hosts does not allow localhost'],
    ['http://127.0.0.3/', '127.0.0.3 has the private address 127.0.0.3, which the setting'],
    ['http://2130706435/', '127.0.0.3 has the private address 127.0.0.3, which the setting'],
    ['http://0x7f.3/', '127.0.0.3 has the private address 127.0.0.3, which the setting'],
    ['http://0177.0.0.3/', '127.0.0.3 has the private address 127.0.0.3, which the setting'],
    ['http://[::1]/', '[::1] has the private address ::1, which the setting'],
    ['http://[0:0::0:1]/', '[::1] has the private address ::1, which the setting'],
  ])('refuses %s', async (url, expected) => {
    const { refused } = await page(url)
    expect(refused).toContain(expected)
    expect(refused).not.toContain('secret')
  })

  it.each([
    ['loop.test', '127.0.0.3'],
    ['private.test', '10.0.0.1'],
    ['meta.test', '169.254.169.254'],
    ['zero.test', '0.0.0.0'],
    ['six.test', '::1'],
    ['link.test', 'fe80::1'],
    ['unique.test', 'fd00::1'],
    ['mapped.test', '::ffff:127.0.0.3'],
    ['mixed.test', '127.0.0.3'],
    ['both.test', '::1'],
  ])('refuses %s, whose address is %s', async (host, address) => {
    expect(await page(at(host))).toEqual({
      refused: `${host} has the private address ${address}, which the setting external_http_addresses does not allow`,
    })
  })

  it('speaks to the address that was checked, whatever the name means a moment later', async () => {
    expect((await page(at('rebind.test'))).body).toBe(`hello from 127.0.0.2 as rebind.test:${servers.port}`)
    expect((await servers.counts())['rebind.test A']).toBe(1)
    expect((await page(at('late.test', '/fresh'))).status).toBe(200)
    expect((await page(at('late.test', '/fresh'))).refused).toContain('127.0.0.3')
  })

  it.each([
    ['/slow', 'no response within 0.4 seconds', 'timeout'],
    ['/drip', 'no response within 0.4 seconds', 'timeout'],
  ])('gives up %s', async (path, failure, error) => {
    expect(await page(path, world({}, { dnsMs: 400, httpMs: 400 }))).toEqual({ failure, error })
  })

  it('gives up who resets the connection', async () => {
    const on = world({}, { dnsMs: 60_000, httpMs: 60_000 })
    expect(await page('/broken', on)).toEqual({ failure: 'Connection reset by peer', error: 'reset' })
  })

  it('gives up a host whose name nobody knows in time', async () => {
    const on = world({}, { dnsMs: 5000, httpMs: 300 })
    expect(await page(at('silent.test'), on)).toEqual({ failure: 'no response within 0.3 seconds', error: 'timeout' })
  })

  it('takes no more than the budget', async () => {
    expect(await page('/huge')).toEqual({ failure: 'the response exceeds 4194304 bytes', error: 'other' })
    expect(await page('/headers-without-end')).toHaveProperty('failure')
    const long = await page('/hello', world(), { headers: [['x', 'y'.repeat(70_000)]] })
    expect(long.refused).toContain('exceeds 65536 characters')
  })

  it.each(['POST', 'PUT', 'DELETE', 'CONNECT', 'get'])('refuses %s', async (method) => {
    const { refused } = await page('/hello', world(), { method })
    expect(refused).toBe(`Only GET and HEAD requests are allowed, not ${method}`)
  })

  it('tells why nobody is there', async () => {
    const on = world({ external_http_hosts: '127.0.0.1:1' })
    expect(await page('http://127.0.0.1:1/', on)).toEqual({ failure: 'Connection refused', error: 'refused' })
  })
})

describe('the settings', () => {
  it('allow nothing by default', async () => {
    const on = new OutsideRequests(testSettings())
    const none = 'Network access is disabled during catalog compilation: the setting external_lookups does not allow'
    expect([await dns('a.test', 'A', on), await page('/hello', on)]).toEqual([
      { refused: `${none} dns` },
      { refused: `${none} http` },
    ])
    const lookups = new OutsideRequests(testSettings({ external_lookups: 'dns, http' }))
    expect([await dns('a.test', 'A', lookups), await page('/hello', lookups)].map(({ refused }) => refused)).toEqual([
      'The setting external_dns_names does not allow a.test',
      `The setting external_http_hosts does not allow page.test:${servers.port}`,
    ])
  })

  it.each([
    [{ external_lookups: 'dns,ftp' }, "Invalid value 'ftp' for parameter external_lookups"],
    [{ external_dns_servers: 'ns.test' }, "Invalid address 'ns.test' in the setting external_dns_servers"],
    [{ external_dns_servers: '10.0.0.1:99999' }, "Invalid address '10.0.0.1:99999'"],
    [
      { external_http_addresses: '10.0.0.0/99' },
      "Invalid address or network '10.0.0.0/99' in the setting external_http_addresses",
    ],
    [{ external_http_ca_file: '/no/such' }, 'Could not read external_http_ca_file /no/such: No such file or directory'],
  ])('%o are refused', (given, expected) => {
    expect(() => new OutsideRequests(testSettings(given))).toThrow(expected)
  })

  it('answers in words what is no question', async () => {
    const on = world()
    for (const question of [{}, [], 'x', { generate: ['/bin/true'] }, { query: 'nodes {}' }, { dns: {}, http: {} }])
      expect(await ask(on, question)).toHaveProperty('refused')
    for (const question of [
      { dns: 1 },
      { http: { url: 1 } },
      { http: { url: 'http://x', method: 'GET', headers: [1] } },
    ])
      expect(await ask(on, question)).toHaveProperty('refused')
    expect(JSON.parse(await on.ask('not JSON'))).toHaveProperty('failure')
  })
})
