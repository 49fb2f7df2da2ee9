import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

/** A function `q::NAME` of an environment, for each body. */
const functions = (bodies: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      `modules/q/lib/puppet/functions/q/${name}.rb`,
      `Puppet::Functions.create_function(:'q::${name}') do
  dispatch(:run) { repeated_param 'Any', :words }
  def run(*words)
    ${body}
  end
end
`,
    ]),
  )

/** What the world answers; names that are not there are absent. */
const world: Readonly<Record<string, unknown>> = {
  'a.test A': { records: ['192.0.2.1', '192.0.2.9'] },
  'a.test AAAA': { records: ['2001:db8::1'] },
  'four.test A': { records: ['192.0.2.4'] },
  'four.test AAAA': { records: [] },
  'six.test A': { records: [] },
  'six.test AAAA': { records: ['2001:db8::6'] },
  'alias.test CNAME': { records: ['a.test'] },
  'a.test NS': { records: ['ns.test'] },
  '1.2.0.192.in-addr.arpa PTR': { records: ['a.test', 'b.test'] },
  'a.test MX': { records: [{ preference: 10, exchange: 'one.test' }] },
  'a.test TXT': { records: [['v=spf1', ' -all'], [Buffer.from('zwölf').toString('latin1')], ['ÿ']] },
  '_x._tcp.test SRV': { records: [{ priority: 1, weight: 2, port: 389, target: 'a.test' }] },
  'a.test SOA': {
    records: [
      { mname: 'ns.test', rname: 'root.test', serial: 2026112301, refresh: 1, retry: 2, expire: 3, minimum: 4 },
    ],
  },
  'bad.test A': { failure: 'the server failed (SERVFAIL)', error: 'server' },
  'late.test A': { failure: 'no server replied in time', error: 'timeout' },
  'no.test A': { refused: 'The setting external_dns_names does not allow no.test' },
}
const pages: Readonly<Record<string, unknown>> = {
  'http://p.test:80/': {
    status: 200,
    reason: 'OK',
    headers: [['content-type', 'text/plain; charset=utf-8']],
    body: 'hé',
  },
  'http://p.test:80/binary': { status: 200, reason: 'OK', headers: [], base64: 'AP8B/g==' },
  'http://p.test:80/long': { status: 200, reason: 'OK', headers: [], body: 'x'.repeat(50_000) },
  'http://p.test:80/json?a=1': { status: 200, reason: 'OK', headers: [], body: '{"a":[1,null]}' },
  'http://p.test:80/yaml': { status: 200, reason: 'OK', headers: [], body: 'a: [1, 2]\n' },
  'https://p.test:443/': { status: 200, reason: 'OK', headers: [], body: 'safe' },
  'http://p.test:80/missing': { status: 404, reason: 'Not Found', headers: [], body: 'none' },
  'http://p.test:80/here': { status: 302, reason: 'Found', headers: [['location', '/']], body: '' },
  'http://p.test:80/there': { status: 302, reason: 'Found', headers: [['location', 'http://o.test/']], body: '' },
  'http://o.test:80/': { status: 200, reason: 'OK', headers: [], body: 'other' },
  'http://p.test:80/refused': { failure: 'Connection refused', error: 'refused' },
  'http://p.test:80/late': { failure: 'no response within 20 seconds', error: 'timeout' },
  'http://p.test:80/tls': { failure: 'self-signed certificate', error: 'tls' },
  'http://p.test:80/odd': { failure: 'odd', error: 'other' },
  'http://p.test:80/no': { refused: 'The setting external_http_hosts does not allow p.test' },
  'http://[2001:db8::1]:8080/': { status: 200, reason: 'OK', headers: [], body: 'six' },
}

interface Page {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly string[])[]
}

function answerTo(question: string): string {
  const { dns, http } = JSON.parse(question) as { dns?: { name: string; type: string }; http?: Page }
  if (dns) return JSON.stringify(world[`${dns.name} ${dns.type}`] ?? { absent: true })
  const said = http!.headers.find(([name]) => name === 'authorization')?.[1]
  if (said) return JSON.stringify({ status: 200, reason: 'OK', headers: [], body: `for ${said}` })
  return JSON.stringify(pages[http!.url] ?? { status: 500, reason: 'Odd', headers: [], body: '' })
}

function made(code: string, bodies: Readonly<Record<string, string>>, more: object = { askOutside: answerTo }) {
  const tree = treeOf(functions(bodies))
  const environment = {
    ...{ name: 'production', tree, modulepath: [{ tree, path: 'modules' }], manifest: { text: code } },
    ...{ version: 1, globalHiera: undefined },
  }
  const { logs, asked } = compile({ ...plainRequest(environment), ...more })
  return { messages: logs.map(({ message }) => message), asked }
}

/** What an expression of Ruby's gives. */
const value = (body: string) => made(`notice(String(q::x(), '%p'))`, { x: `(${body})` }).messages.at(-1)

describe('Resolv', () => {
  it.each([
    [`Resolv.getaddress('a.test')`, "'2001:db8::1'"],
    [`Resolv.getaddresses('a.test')`, "['2001:db8::1', '192.0.2.1', '192.0.2.9']"],
    [`Resolv.new.getaddresses('four.test')`, "['192.0.2.4']"],
    [`Resolv.getaddresses('none.test')`, '[]'],
    [`Resolv.getname('192.0.2.1')`, "'a.test'"],
    [`Resolv::DNS.open { |dns| dns.getnames('192.0.2.1').map(&:to_s) }`, "['a.test', 'b.test']"],
    [
      `Resolv::DNS.new.getresources('a.test', Resolv::DNS::Resource::IN::A).map { |r| r.address.to_s }`,
      "['192.0.2.1', '192.0.2.9']",
    ],
    [
      `Resolv::DNS.new.getresources('a.test', Resolv::DNS::Resource::IN::AAAA).map { |r| IPAddr.new(r.address.to_s).to_s }`,
      "['2001:db8::1']",
    ],
    [`Resolv::DNS.new.getresource('alias.test', Resolv::DNS::Resource::IN::CNAME).name.to_s`, "'a.test'"],
    [`Resolv::DNS.new.getresources('a.test', Resolv::DNS::Resource::IN::NS).map { |r| r.name.to_s }`, "['ns.test']"],
    [
      `Resolv::DNS.new.getresources(IPAddr.new('192.0.2.1').reverse, Resolv::DNS::Resource::IN::PTR).map { |r| r.name.to_s }`,
      "['a.test', 'b.test']",
    ],
    [
      `Resolv::DNS.new.getresources('a.test', Resolv::DNS::Resource::IN::MX).map { |r| [r.preference, r.exchange.to_s] }`,
      "[[10, 'one.test']]",
    ],
    [
      `Resolv::DNS.new.getresources('a.test', Resolv::DNS::Resource::IN::TXT).map { |r| [r.strings.join, r.strings.join.encoding.to_s] }`,
      `Received a Log attribute with invalid encoding:"[['v=spf1 -all', 'UTF-8'], ['zw\\u00F6lf', 'UTF-8'], ['\\xFF', 'ASCII-8BIT']]"`,
    ],
    [
      `Resolv::DNS.new.getresources('_x._tcp.test', Resolv::DNS::Resource::IN::SRV).map { |r| [r.priority, r.weight, r.port, r.target.to_s] }`,
      "[[1, 2, 389, 'a.test']]",
    ],
    [
      `r = Resolv::DNS.new.getresource('a.test', Resolv::DNS::Resource::IN::SOA); [r.mname.to_s, r.rname.to_s, r.serial, r.refresh, r.retry, r.expire, r.minimum]`,
      "['ns.test', 'root.test', 2026112301, 1, 2, 3, 4]",
    ],
    [
      `begin; Resolv.getaddress('none.test'); rescue Resolv::ResolvError => e; e.message; end`,
      "'no address for none.test'",
    ],
    [
      `begin; Resolv::DNS.new.getresource('none.test', Resolv::DNS::Resource::IN::A); rescue Resolv::ResolvError => e; e.message; end`,
      "'DNS result has no information for none.test'",
    ],
    [`Resolv::DNS.new.getresources('bad.test', Resolv::DNS::Resource::IN::A)`, '[]'],
    [`Resolv::DNS.new.getresources('late.test', Resolv::DNS::Resource::IN::A)`, '[]'],
    [
      `begin; Resolv::DNS.new(raise_timeout_errors: true).getresources('late.test', Resolv::DNS::Resource::IN::A); rescue Resolv::ResolvError => e; e.message; end`,
      "'DNS resolv timeout: late.test'",
    ],
    [
      `begin; Resolv::DNS.new.getresources('no.test', Resolv::DNS::Resource::IN::A); rescue SocketError => e; e.message; end`,
      "'The setting external_dns_names does not allow no.test'",
    ],
    [`Resolv::DNS.new(use_ipv6: false).getaddresses('a.test').map(&:to_s)`, "['192.0.2.1', '192.0.2.9']"],
    [`Resolv::DNS.new(search: ['test'], ndots: 1).getaddresses('four').map(&:to_s)`, "['192.0.2.4']"],
  ])('%s is %s', (body, expected) => {
    expect(value(body)).toBe(expected)
  })

  it('says what was asked, once each', () => {
    const code = 'notice(q::x()) notice(q::x())'
    const { asked } = made(code, { x: `Resolv::DNS.new(nameserver: '10.0.0.1').getaddresses('a.test').map(&:to_s)` })
    expect([...asked.keys()]).toEqual([
      '{"dns":{"name":"a.test","type":"AAAA","servers":["10.0.0.1:53"]}}',
      '{"dns":{"name":"a.test","type":"A","servers":["10.0.0.1:53"]}}',
    ])
  })
})

describe('sockets', () => {
  it.each([
    [`IPSocket.getaddress('a.test')`, "'192.0.2.1'"],
    [`IPSocket.getaddress('192.0.2.7')`, "'192.0.2.7'"],
    [`Socket.getaddrinfo('six.test', 80, nil, :STREAM)`, "[['AF_INET6', 80, '2001:db8::6', '2001:db8::6', 10, 1, 6]]"],
    [
      `Socket.getaddrinfo('a.test', nil, Socket::AF_INET).map { |r| [r[3], r[5], r[6]] }`,
      "[['192.0.2.1', 1, 6], ['192.0.2.1', 2, 17], ['192.0.2.1', 3, 0], ['192.0.2.9', 1, 6], ['192.0.2.9', 2, 17], ['192.0.2.9', 3, 0]]",
    ],
    [`TCPSocket.gethostbyname('a.test')`, "['a.test', [], 2, '192.0.2.1', '192.0.2.9']"],
    [`Socket.gethostbyname('a.test').drop(3).map { |each| IPAddr.new_ntoh(each).to_s }`, "['192.0.2.1', '192.0.2.9']"],
    [`Socket.gethostbyaddr(IPAddr.new('192.0.2.1').hton).first(2)`, "['a.test', ['b.test']]"],
    [`Socket.getnameinfo(['AF_INET', 80, '192.0.2.1'])`, "['a.test', '80']"],
    [
      `Addrinfo.getaddrinfo('a.test', 443, nil, :STREAM).map { |each| [each.ip_address, each.ip_port, each.ipv6?] }`,
      "[['192.0.2.1', 443, false], ['192.0.2.9', 443, false], ['2001:db8::1', 443, true]]",
    ],
    [
      `begin; IPSocket.getaddress('none.test'); rescue SocketError => e; [e.class.to_s, e.message]; end`,
      "['Socket::ResolutionError', 'getaddrinfo: Name or service not known']",
    ],
    [
      `begin; TCPSocket.open('a.test', 80); rescue SocketError => e; e.message; end`,
      "'Network access is disabled during catalog compilation: sockets cannot be opened'",
    ],
  ])('%s is %s', (body, expected) => {
    expect(value(body)).toBe(expected)
  })
})

describe('Net::HTTP', () => {
  it.each([
    [`Net::HTTP.get(URI('http://p.test/')).force_encoding('UTF-8')`, "'hé'"],
    [`Net::HTTP.get('p.test', '/json?a=1')`, `'{"a":[1,null]}'`],
    [
      `r = Net::HTTP.get_response(URI('http://p.test/missing')); [r.code, r.message, r.body, r.class.to_s, r.is_a?(Net::HTTPSuccess)]`,
      "['404', 'Not Found', 'none', 'Net::HTTPNotFound', false]",
    ],
    [
      `r = Net::HTTP.get_response(URI('http://p.test/')); [r['Content-Type'], r.content_type, r.content_length]`,
      "['text/plain; charset=utf-8', 'text/plain', 3]",
    ],
    [`Net::HTTP.get(URI('http://p.test/binary')).bytes`, '[0, 255, 1, 254]'],
    [
      `Net::HTTP.start('p.test', 80) { |http| [http.get('/').code, http.request(Net::HTTP::Get.new('/json?a=1')).body] }`,
      `['200', '{"a":[1,null]}']`,
    ],
    [
      `http = Net::HTTP.new('p.test', 443); http.use_ssl = true; http.verify_mode = OpenSSL::SSL::VERIFY_NONE; http.read_timeout = 5; http.get('/').body`,
      "'safe'",
    ],
    [`Net::HTTP.get(URI('http://[2001:db8::1]:8080/'))`, "'six'"],
    [
      `text = +''; Net::HTTP.start('p.test') { |http| http.request_get('/long') { |r| r.read_body { |part| text << part } } }; text.size`,
      '50000',
    ],
    [
      `r = Net::HTTP::Get.new('/'); r.basic_auth('u', 'p'); Net::HTTP.start('p.test') { |http| http.request(r).body }`,
      "'for Basic dTpw'",
    ],
    [
      `begin; Net::HTTP.get(URI('http://p.test/refused')); rescue Errno::ECONNREFUSED => e; e.message; end`,
      "'Connection refused - Failed to open TCP connection to p.test:80 (Connection refused)'",
    ],
    [
      `begin; Net::HTTP.get(URI('http://p.test/late')); rescue Timeout::Error => e; e.class.to_s; end`,
      "'Net::ReadTimeout'",
    ],
    [
      `begin; Net::HTTP.get(URI('http://p.test/tls')); rescue OpenSSL::SSL::SSLError => e; e.message; end`,
      "'Failed to open TCP connection to p.test:80 (self-signed certificate)'",
    ],
    [
      `begin; Net::HTTP.get(URI('http://p.test/odd')); rescue SocketError => e; e.message; end`,
      "'Failed to open TCP connection to p.test:80 (odd)'",
    ],
    [
      `begin; Net::HTTP.get(URI('http://p.test/no')); rescue SocketError => e; e.message; end`,
      "'The setting external_http_hosts does not allow p.test'",
    ],
    [`Net::HTTP.get_response(URI('http://p.test/there'))['location']`, "'http://o.test/'"],
    [`Net::HTTP.get_response(URI('http://p.test/')).body.frozen?`, 'false'],
  ])('%s is %s', (body, expected) => {
    expect(value(body)).toBe(expected)
  })

  it('keeps secrets out of what is recorded, and tells them apart', () => {
    const body = `r = Net::HTTP::Get.new('/x'); r.basic_auth('u', words[0]); Net::HTTP.start('p.test') { |http| http.request(r).body }`
    const { messages, asked } = made(`notice(q::x('one')) notice(q::x('two')) notice(q::x('one'))`, { x: body })
    expect(messages).toEqual(['for Basic dTpvbmU=', 'for Basic dTp0d28=', 'for Basic dTpvbmU='])
    const shown = (secret: number) =>
      `{"http":{"url":"http://p.test:80/x","method":"GET","headers":[["authorization"]],"secret":${secret}}}`
    expect([...asked.keys()]).toEqual([shown(1), shown(2)])
  })
})

describe('open-uri', () => {
  const opened = (body: string) => value(`require 'open-uri'; ${body}`)
  it.each([
    [`URI.open('http://p.test/').read`, "'hé'"],
    [`OpenURI.open_uri('http://p.test/json?a=1').read`, `'{"a":[1,null]}'`],
    [`URI('http://p.test/').read`, "'hé'"],
    [`URI('https://p.test/').open.string`, "'safe'"],
    [`URI.open('http://p.test/long').read.size`, '50000'],
    [
      `io = URI.open('http://p.test/here'); [io.read, io.base_uri.to_s, io.status, io.content_type]`,
      "['hé', 'http://p.test/', ['200', 'OK'], 'text/plain']",
    ],
    [
      `begin; URI.open('http://p.test/there'); rescue RuntimeError => e; e.message; end`,
      "'redirection forbidden: http://p.test/there -> http://o.test/'",
    ],
    [
      `begin; URI.open('http://p.test/missing'); rescue OpenURI::HTTPError => e; [e.message, e.io.status[0]]; end`,
      "['404 Not Found', '404']",
    ],
    [`OpenURI.open_uri('http://p.test/', http_basic_authentication: ['u', 'p']).read`, "'for Basic dTpw'"],
  ])('%s is %s', (body, expected) => {
    expect(opened(body)).toBe(expected)
  })
})

describe('answers from outside', () => {
  it('are refused where nobody can be asked', () => {
    const body = `begin; Resolv.getaddress('a.test'); rescue SocketError => e; e.message; end`
    expect(made('notice(q::x())', { x: body }, {}).messages).toEqual(['Network access is disabled here'])
  })

  it('are given back, and nobody else is asked', () => {
    const bodies = {
      x: `[Resolv.getaddresses('a.test'), Net::HTTP.get('p.test', '/json?a=1')].inspect`,
      z: `begin; call_function('generate', '/bin/cat', '/etc/hostname'); rescue StandardError => e; e.message; end`,
    }
    const code = `notice(q::x()) notice(q::z()) notice(puppetdb_query('nodes { }'))`
    const live = made(code, bodies, {
      ...{ askOutside: answerTo, askStore: () => '[{"a":1.0}]' },
    })
    expect(live.messages).toEqual([
      '["2001:db8::1", "192.0.2.1", "192.0.2.9"], "{\\"a\\":[1,null]}"]'.replace(/^/, '['),
      expect.stringContaining('commands are not allowed here'),
      '[{a => 1.0}]',
    ])
    expect([...live.asked.keys()].map((each) => Object.keys(JSON.parse(each))[0])).toEqual([
      ...['dns', 'dns', 'http', 'generate', 'query'],
    ])
    const again = made(code, bodies, { inputs: (question: string) => live.asked.get(question) ?? '{"absent":true}' })
    expect(again).toEqual(live)
  })

  it('are bounded in number', () => {
    const body = `words[0].times { |n| Resolv::DNS.new(use_ipv6: false).getaddresses("n#{n}.test") }; 1`
    expect(() => made('notice(q::x(10001))', { x: body })).toThrow(
      'The catalog exceeds 10000 distinct external requests',
    )
  })
})
