import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer as createSocketServer, type Server } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { socketScript } from '../../../src/network/sockets/socket-script.ts'
import { NodeRuby } from '../../../src/ruby/node/node-ruby.ts'
import { ec, newAuthority } from '../../ca/fixture.ts'
import { isRubyNative, nativeRuby } from '../../support/native-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('network')
const servers: Server[] = []
const ports: Record<string, number> = {}
/** Requests that the servers received: method, path, and headers that must not go to another host. */
const received: string[] = []
/** A DNS server that never replies. */
const silentResolver = createSocket('udp4')
let ruby: NodeRuby
/** Bytes that the server received that reads late. */
let slowly = 0

function answer(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { url = '', method = '', headers } = request
    received.push(`${method} ${headers.host} ${url} ${headers.authorization ?? '-'} ${headers['x-vault-token'] ?? '-'}`)
    const client = (request.socket as TLSSocket).getPeerCertificate?.()?.subject?.CN ?? '-'
    const body = Buffer.concat(parts)
    if (url === '/moved') response.writeHead(302, { location: '/there' }).end()
    else if (url === '/elsewhere')
      response.writeHead(302, { location: `http://127.0.0.2:${ports['http']}/there` }).end()
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'))
    else if (url === '/packed')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('y'.repeat(2_000_000)))
    else if (url === '/busy' && received.filter((line) => line.includes('/busy')).length === 1)
      response.writeHead(503, { 'retry-after': '0' }).end()
    else if (url === '/big') response.end(Buffer.alloc(3_000_000, 'x'))
    else if (url === '/bytes') response.end(Buffer.from([0, 255, 254, 10]))
    else if (url === '/cut')
      response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy())
    else if (url === '/endless') sendForever(response)
    else if (url === '/nothing') response.writeHead(204).end()
    else if (url === '/missing') response.writeHead(404, 'Nothing here').end('no')
    else response.end(`${method} ${url} ${body.length} ${client}`)
  })
}

function sendForever(response: ServerResponse): void {
  const piece = Buffer.alloc(1_000_000, 'x')
  const send = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', send)
  send()
}

/** A self-signed certificate with a key of 1024 bits. */
function makeWeakCertificate(): { readonly key: string; readonly cert: string } {
  const keys = forge.pki.rsa.generateKeyPair(1024)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = keys.publicKey
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
  certificate.setSubject([{ name: 'commonName', value: 'localhost' }])
  certificate.setIssuer([{ name: 'commonName', value: 'localhost' }])
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ])
  certificate.sign(keys.privateKey, forge.md.sha256.create())
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(certificate) }
}

async function listen(name: string, server: Server, at: string | undefined = undefined): Promise<void> {
  await new Promise<void>((done) => (at === undefined ? server.listen(0, done) : server.listen(at, done)))
  server.on('connection', (socket) => void socket.on('error', () => {}))
  servers.push(server)
  if (at === undefined) ports[name] = (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const { ca } = await newAuthority()
  const own = await ca.generate('localhost', { key: ec })
  const { pem } = await ca.certificates()
  const { pem: crl } = await ca.revocationLists()
  const key = toPrivateKeyPem(own.key)
  const certificate = toCertificatePem(own.certificate)
  mkdirSync(join(folder, 'ssl', 'own'), { recursive: true })
  for (const [name, text] of Object.entries({ 'ca.pem': pem, 'crl.pem': crl, 'own/localhost.pem': certificate }))
    writeFileSync(join(folder, 'ssl', name), text)
  writeFileSync(join(folder, 'ssl', 'key.pem'), key)
  mkdirSync(join(folder, 'ssl', 'keys'))
  writeFileSync(join(folder, 'ssl', 'keys', 'localhost.pem'), key)
  const tls = { key, cert: certificate, ca: pem, requestCert: true, rejectUnauthorized: false }
  await listen('http', createPlainServer(answer))
  await listen('https', createTlsServer(tls, answer))
  const weak = makeWeakCertificate()
  writeFileSync(join(folder, 'ssl', 'weak.pem'), weak.cert)
  await listen('weak', createTlsServer({ ...weak, ciphers: 'DEFAULT:@SECLEVEL=0' }, answer))
  await listen('old', createTlsServer({ ...tls, maxVersion: 'TLSv1.2' }, answer))
  const proxy = createPlainServer((request, response) => {
    received.push(`PROXY ${request.method} ${request.url}`)
    response.end('from the proxy')
  })
  proxy.on('connect', (request: IncomingMessage, socket) => {
    received.push(`PROXY CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
    const way = connect(ports['https']!, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      way.pipe(socket).pipe(way)
    })
    way.on('error', () => socket.destroy())
    socket.on('error', () => way.destroy())
  })
  await listen('proxy', proxy)
  const slow = createSocketServer((socket) => {
    socket.on('error', () => {}).pause()
    const read = ({ length }: Buffer) => {
      slowly += length
    }
    // Wall clock: the peer reads after the kernel's buffers are full.
    setTimeout(() => socket.on('data', read).resume(), 500)
  })
  await listen('slow', slow)
  const closing = createSocketServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).end('abc'))
  await listen('closing', closing)
  await listen(
    'silent',
    createSocketServer(() => {}),
  )
  await listen(
    'html',
    createSocketServer((socket) => void socket.end('<html>no TLS</html>')),
  )
  await listen(
    'garbage',
    createSocketServer((socket) => void socket.on('error', () => {}).write('x'.repeat(5_000_000))),
  )
  await listen(
    'echo',
    createSocketServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).pipe(socket)),
  )
  const upgrading = createSocketServer((socket) => {
    socket.on('error', () => {}).write('ready\ninjected\n')
    new TLSSocket(socket, { ...tls, isServer: true }).on('error', () => {}).write('secret\n')
  })
  await listen('upgrading', upgrading)
  await listen('unix', createPlainServer(answer), join(folder, 'unix.sock'))
  silentResolver.bind(0, '127.0.0.1')
  await once(silentResolver, 'listening')
  ports['resolver'] = silentResolver.address().port
  ruby = new NodeRuby(createOptions(socketScript), () => {})
})
afterAll(async () => {
  await ruby?.close()
  silentResolver.close()
  for (const server of servers) server.close()
})

const createOptions = (script: string | undefined) => ({
  root: '',
  settings: {
    certname: 'localhost',
    localcacert: join(folder, 'ssl', 'ca.pem'),
    hostcrl: join(folder, 'ssl', 'crl.pem'),
    certdir: join(folder, 'ssl', 'own'),
    privatekeydir: join(folder, 'ssl', 'keys'),
    certificate_revocation: true,
    http_proxy_host: 'none',
  },
  facts: {},
  nativeRuby,
  loadPath: [],
  env: { PATH: process.env['PATH'] ?? '' },
  cwd: folder,
  debug: false,
  ...(script !== undefined && { socketScript: script }),
})

/** Evaluates code with `NAME_port`, `ssl` and `folder`; an exception becomes text. */
async function evaluate(code: string, machine = ruby): Promise<unknown> {
  const names = Object.entries(ports).map(([name, port]) => `${name}_port = ${port}`)
  const text = `${names.join('; ')}; ssl = '${folder}/ssl'; folder = '${folder}'
    require 'net/http'; require 'open-uri'; require 'socket'; require 'resolv'
    def secure(port, host = 'localhost', **more)
      Net::HTTP.new(host, port, nil).tap { |http| http.use_ssl = true; more.each { |name, value| http.public_send("#{name}=", value) } }
    end
    begin
      ${code}
    rescue Exception => error
      "#{error.class}: #{error.message}"
    end`
  return machine.call('evaluate', [text, '/t.rb'])
}

const cases: Readonly<Record<string, readonly [code: string, expected: unknown]>> = {
  get: ['Net::HTTP.get(URI("http://127.0.0.1:#{http_port}/a?b=c"))', 'GET /a?b=c 0 -'],
  'get by name': ['Net::HTTP.get(URI("http://localhost:#{http_port}/a"))', 'GET /a 0 -'],
  post: ['Net::HTTP.post(URI("http://127.0.0.1:#{http_port}/a"), \'x\' * 700_000).body', 'POST /a 700000 -'],
  'streamed request': [
    `request = Net::HTTP::Put.new('/a'); request.body_stream = StringIO.new('y' * 400_000); request['Transfer-Encoding'] = 'chunked'
     Net::HTTP.start('127.0.0.1', http_port) { |http| http.request(request).body }`,
    'PUT /a 400000 -',
  ],
  'streamed response': [
    "sizes = []; Net::HTTP.start('127.0.0.1', http_port) { |http| http.request_get('/big') { |r| r.read_body { |d| sizes << d.size } } }; [sizes.sum, sizes.size > 1]",
    [3_000_000, true],
  ],
  'kept connection': [
    "Net::HTTP.start('127.0.0.1', http_port) { |http| [http.get('/a').body, http.get('/b').body] }",
    ['GET /a 0 -', 'GET /b 0 -'],
  ],
  bytes: ['Net::HTTP.get(URI("http://127.0.0.1:#{http_port}/bytes")).bytes', [0, 255, 254, 10]],
  gzip: ['Net::HTTP.get(URI("http://127.0.0.1:#{http_port}/gzip"))', 'unpacked'],
  'gzip of a large body': ['Net::HTTP.get(URI("http://127.0.0.1:#{http_port}/packed")).size', 2_000_000],
  'write timeout': [
    'http = Net::HTTP.new("127.0.0.1", silent_port); http.write_timeout = 0.3; http.max_retries = 0; http.post("/", "x" * 30_000_000)',
    expect.stringMatching(/^Net::WriteTimeout: /),
  ],
  'very long timeouts': [
    'http = Net::HTTP.new("127.0.0.1", http_port); http.read_timeout = http.open_timeout = 3_000_000; http.get("/a").body',
    'GET /a 0 -',
  ],
  'sockets that nothing closes': ['1000.times { TCPSocket.new("127.0.0.1", silent_port) }', 1000],
  'a side that is closed by the peer': [
    's = TCPSocket.new("127.0.0.1", closing_port); a = s.read(3); b = s.read; s.write("still"); [a, b, s.close]',
    ['abc', '', null],
  ],
  copy_stream: [
    'out = StringIO.new; s = TCPSocket.new("127.0.0.1", closing_port); [IO.copy_stream(s, out), out.string]',
    [3, 'abc'],
  ],
  'invalid port': ['TCPSocket.new("127.0.0.1", 70_000)', expect.stringMatching(/^SocketError: /)],
  'cut response': ['Net::HTTP.get(URI("http://127.0.0.1:#{http_port}/cut"))', 'part'],
  'open-uri with a redirect': [
    'URI.open("http://127.0.0.1:#{http_port}/moved") { |page| [page.read, page.status[0]] }',
    ['GET /there 0 -', '200'],
  ],
  'open-uri, missing': [
    'URI.open("http://127.0.0.1:#{http_port}/missing").read',
    'OpenURI::HTTPError: 404 Nothing here',
  ],
  refused: [
    "Net::HTTP.get(URI('http://127.0.0.1:1/'))",
    'Errno::ECONNREFUSED: Failed to open TCP connection to 127.0.0.1:1 (Connection refused - connect(2) for "127.0.0.1" port 1)',
  ],
  'unknown host': [
    "Net::HTTP.get(URI('http://name.invalid/')).then { 1 }",
    expect.stringMatching(
      /^Socket::ResolutionError: Failed to open TCP connection to name.invalid:80 \(getaddrinfo\(3\): /,
    ),
  ],
  'read timeout': [
    "http = Net::HTTP.new('127.0.0.1', silent_port); http.read_timeout = 0.2; http.max_retries = 0; http.get('/')",
    expect.stringMatching(/^Net::ReadTimeout: /),
  ],
  Timeout: [
    "Timeout.timeout(0.2) { TCPSocket.new('127.0.0.1', silent_port).read }",
    'Timeout::Error: execution expired',
  ],
  'responses without a body': [
    'client = Puppet.runtime[:http]; url = URI("http://127.0.0.1:#{http_port}/nothing"); [client.delete(url).body, client.head(url).body]',
    [null, null],
  ],
  'Timeout of a DNS query': [
    "Timeout.timeout(0.3) { Resolv::DNS.new(nameserver_port: [['127.0.0.1', resolver_port]]).getaddresses('host.test') }",
    'Timeout::Error: execution expired',
  ],
  'bytes received before a TLS handshake': [
    `plain = TCPSocket.new('127.0.0.1', upgrading_port); plain.sysread(6)
     context = OpenSSL::SSL::SSLContext.new; context.verify_mode = OpenSSL::SSL::VERIFY_NONE
     secure = OpenSSL::SSL::SSLSocket.new(plain, context); secure.connect; secure.gets`,
    'secret\n',
  ],
  'small reads of a large piece': [
    `s = TCPSocket.new('127.0.0.1', garbage_port); IO.select([s]); first = s.sysread(3)
     [first, IO.select([s], nil, nil, 0).first == [s], s.recv_nonblock(2), s.read(10).size]`,
    ['xxx', true, 'xx', 10],
  ],
  'TLS handshake timeout': [
    "http = secure(silent_port, open_timeout: 0.3); http.get('/')",
    'Net::OpenTimeout: Net::OpenTimeout',
  ],
  'TLS, trusted CA': ['secure(https_port, ca_file: "#{ssl}/ca.pem").get(\'/a\').body', 'GET /a 0 -'],
  'TLS, CA in a folder': [
    `authority = OpenSSL::X509::Certificate.new(File.read("#{ssl}/ca.pem"))
     File.write(format("#{folder}/%08x.0", authority.subject.hash), authority.to_pem)
     secure(https_port, ca_path: folder).get('/a').body`,
    'GET /a 0 -',
  ],
  'TLS, without a needed CRL': [
    'store = OpenSSL::X509::Store.new; store.add_file("#{ssl}/ca.pem"); store.flags = OpenSSL::X509::V_FLAG_CRL_CHECK; secure(https_port, cert_store: store).get("/a").body',
    expect.stringContaining('certificate verify failed (unable to get certificate CRL)'),
  ],
  'TLS, with a needed CRL': [
    'store = OpenSSL::X509::Store.new; store.add_file("#{ssl}/ca.pem"); store.add_crl(OpenSSL::X509::CRL.new(File.read("#{ssl}/crl.pem")[/.*?END X509 CRL-----/m])); store.flags = OpenSSL::X509::V_FLAG_CRL_CHECK; secure(https_port, cert_store: store).get("/a").body',
    'GET /a 0 -',
  ],
  'TLS, a callback that refuses': [
    'secure(https_port, ca_file: "#{ssl}/ca.pem", verify_callback: ->(_ok, _context) { false }).get("/a").body',
    expect.stringContaining('certificate verify failed'),
  ],
  'TLS, a callback that accepts': [
    'secure(https_port, verify_callback: ->(_ok, _context) { true }).get("/a").body',
    'GET /a 0 -',
  ],
  'TLS, a forbidden version': [
    'context = OpenSSL::SSL::SSLContext.new; context.options |= OpenSSL::SSL::OP_NO_TLSv1_3; socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("localhost", https_port), context); socket.connect; socket.ssl_version',
    'TLSv1.2',
  ],
  'TLS, a handshake by select': [
    'socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("localhost", https_port)); IO.select([socket]) while socket.connect_nonblock(exception: false).is_a?(Symbol); socket.ssl_version',
    'TLSv1.3',
  ],
  'TLS, CA in a store': [
    'store = OpenSSL::X509::Store.new; store.add_file("#{ssl}/ca.pem"); secure(https_port, cert_store: store).get(\'/a\').body',
    'GET /a 0 -',
  ],
  'TLS, untrusted': [
    "secure(https_port).get('/a')",
    expect.stringMatching(
      /^OpenSSL::SSL::SSLError: SSL_connect returned=1 errno=0 peeraddr=\S+ state=error: certificate verify failed \(/,
    ),
  ],
  'TLS, not verified': ["secure(https_port, verify_mode: OpenSSL::SSL::VERIFY_NONE).get('/a').body", 'GET /a 0 -'],
  'TLS, another host': [
    "secure(https_port, '127.0.0.1', ca_file: \"#{ssl}/ca.pem\").get('/a')",
    'OpenSSL::SSL::SSLError: hostname "127.0.0.1" does not match the server certificate',
  ],
  'TLS, client certificate': [
    `secure(https_port, ca_file: "#{ssl}/ca.pem", cert: OpenSSL::X509::Certificate.new(File.read("#{ssl}/own/localhost.pem")),
       key: OpenSSL::PKey.read(File.read("#{ssl}/key.pem"))).start { |http| [http.get('/a').body, http.peer_cert.subject.to_s] }`,
    ['GET /a 0 localhost', '/CN=localhost'],
  ],
  'TLS, versions': [
    'secure(old_port, ca_file: "#{ssl}/ca.pem", min_version: :TLS1_3).get(\'/a\')',
    expect.stringMatching(/^OpenSSL::SSL::SSLError: .*(?:protocol version|unsupported protocol|alert)/),
  ],
  'TLS with a server that has none': [
    'secure(html_port, ca_file: "#{ssl}/ca.pem").get(\'/a\')',
    expect.stringMatching(/^OpenSSL::SSL::SSLError: .*wrong version number/),
  ],
  'TLS, a weak key': [
    'http = secure(weak_port, ca_file: "#{ssl}/weak.pem"); http.get("/a").body',
    expect.stringContaining('certificate verify failed (EE certificate key too weak)'),
  ],
  'TLS, the result of a verification that is not required': [
    'socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("localhost", https_port)); socket.connect; socket.verify_result == OpenSSL::X509::V_OK',
    false,
  ],
  'TLS, before the handshake': [
    'socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", echo_port)); socket.write("hush")',
    'OpenSSL::SSL::SSLError: SSL session is not started yet',
  ],
  'TLS, a missing file of CAs': [
    'secure(https_port, ca_file: "/none.pem").get("/a").body',
    expect.stringMatching(/^OpenSSL::X509::StoreError: /),
  ],
  'TLS by hand': [
    `context = OpenSSL::SSL::SSLContext.new; context.set_params(ca_file: "#{ssl}/ca.pem")
     socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new('localhost', https_port), context); socket.sync_close = true; socket.hostname = 'localhost'
     socket.connect; socket.write("GET /a HTTP/1.0\\r\\n\\r\\n"); head = socket.gets; body = socket.read.lines.last
     [head, body, socket.ssl_version, socket.peer_cert_chain.size, socket.close, socket.closed?]`,
    ['HTTP/1.1 200 OK\r\n', 'GET /a 0 -', 'TLSv1.3', 2, null, true],
  ],
  'proxy for HTTP': ["Net::HTTP.new('name.invalid', 80, '127.0.0.1', proxy_port).get('/a').body", 'from the proxy'],
  'proxy for HTTPS': [
    "http = Net::HTTP.new('localhost', https_port, '127.0.0.1', proxy_port, 'anna', 'pw'); http.use_ssl = true; http.ca_file = \"#{ssl}/ca.pem\"; http.get('/a').body",
    'GET /a 0 -',
  ],
  'TCP socket': [
    "TCPSocket.open('127.0.0.1', echo_port) { |s| s.puts 'one', 'two'; a = s.gets; b = s.readpartial(2); s.print 'x'; s.close_write; [a, b, s.read, s.eof?, s.peeraddr[0], s.closed?] }",
    ['one\n', 'tw', 'o\nx', true, 'AF_INET', false],
  ],
  'closed socket': ["s = TCPSocket.new('127.0.0.1', echo_port); s.close; s.write('x')", 'IOError: closed stream'],
  'nonblocking reads': [
    "s = TCPSocket.new('127.0.0.1', echo_port); a = s.read_nonblock(5, exception: false); b = begin; s.read_nonblock(5); rescue IO::WaitReadable => e; e.class.name; end; s.write('abc'); IO.select([s], nil, nil, 5); [a, b, s.read_nonblock(5)]",
    ['wait_readable', 'IO::EAGAINWaitReadable', 'abc'],
  ],
  select: [
    "s = TCPSocket.new('127.0.0.1', echo_port); t = TCPSocket.new('127.0.0.1', echo_port); a = IO.select([s, t], nil, nil, 0.05); t.write('x'); r, = IO.select([s, t], nil, nil, 5); [a, r == [t], IO.select([s], [s], nil, 5)[1].size]",
    [null, true, 1],
  ],
  'UNIX socket': [
    'UNIXSocket.open("#{folder}/unix.sock") { |s| s.write("GET /a HTTP/1.0\\r\\n\\r\\n"); s.read.lines.last }',
    'GET /a 0 -',
  ],
  'missing UNIX socket': [
    "UNIXSocket.new('/none.sock')",
    'Errno::ENOENT: No such file or directory - connect(2) for /none.sock',
  ],
  'Socket with addresses': [
    "s = Socket.new(:INET, :STREAM); s.connect(Socket.pack_sockaddr_in(echo_port, '127.0.0.1')); s.write('ab'); s.recv(10)",
    'ab',
  ],
  addresses: [
    "[Socket.getaddrinfo('127.0.0.1', 80)[0][3], IPSocket.getaddress('localhost').match?(/\\A(?:127.0.0.1|::1)\\z/), Resolv.getaddress('127.0.0.1')]",
    ['127.0.0.1', true, '127.0.0.1'],
  ],
  'no servers': ['TCPServer.new(0)', 'NotImplementedError: Servers cannot be started here'],
  'too many sockets': [
    "list = []; begin; 300.times { list << TCPSocket.new('127.0.0.1', silent_port) }; rescue SystemCallError => e; [list.size > 200, e.class.name]; ensure; list.each(&:close); end",
    [true, 'Errno::EMFILE'],
  ],
  "Puppet's client": [
    'response = Puppet.runtime[:http].get(URI("http://127.0.0.1:#{http_port}/moved")); [response.code, response.success?, response.body, response.url.path]',
    [200, true, 'GET /there 0 -', '/there'],
  ],
  "Puppet's client, parameters": [
    'Puppet.runtime[:http].get(URI("http://127.0.0.1:#{http_port}/a"), params: { a: [1, \'x y\'], b: true }).body',
    'GET /a?a=1&a=x%20y&b=true 0 -',
  ],
  "Puppet's client, no content type": [
    'Puppet.runtime[:http].post(URI("http://127.0.0.1:#{http_port}/a"), \'x\')',
    "ArgumentError: 'post' requires a 'content-type' header",
  ],
  "Puppet's client, as this node": [
    "Puppet.runtime[:http].post(URI(\"https://localhost:#{https_port}/a\"), 'xyz', headers: { 'Content-Type' => 'text/plain' }).body",
    'POST /a 3 localhost',
  ],
  "Puppet's client, CAs of the system and Puppet's": [
    'Puppet.runtime[:http].get(URI("https://localhost:#{https_port}/a"), options: { include_system_store: true }).body',
    'GET /a 0 localhost',
  ],
  "Puppet's client, a context": [
    `provider = Puppet::SSL::SSLProvider.new
     root = provider.create_root_context(cacerts: [OpenSSL::X509::Certificate.new(File.read("#{ssl}/ca.pem"))], revocation: false)
     system = provider.create_system_context(cacerts: [])
     [root, system].map { |each| begin; Puppet.runtime[:http].get(URI("https://localhost:#{https_port}/a"), options: { ssl_context: each }).body; rescue Puppet::HTTP::ConnectionError => e; e.message[/certificate verify failed/]; end }`,
    ['GET /a 0 -', 'certificate verify failed'],
  ],
  "Puppet's client, busy server": [
    'Puppet.runtime[:http].get(URI("http://127.0.0.1:#{http_port}/busy")).body',
    'GET /busy 0 -',
  ],
  "Puppet's client, endless redirects": [
    'Puppet.runtime[:http].get(URI("http://127.0.0.1:#{http_port}/loop"))',
    expect.stringMatching(
      /^Puppet::HTTP::TooManyRedirects: Too many HTTP redirections for http:\/\/127.0.0.1:\d+\/loop$/,
    ),
  ],
  "Puppet's client, refused": [
    "Puppet.runtime[:http].get(URI('http://127.0.0.1:1/'))",
    expect.stringMatching(
      /^Puppet::HTTP::ConnectionError: Request to http:\/\/127.0.0.1:1\/ failed after [\d.]+ seconds: Failed to open TCP connection to 127.0.0.1:1 \(Connection refused - /,
    ),
  ],
  'endless headers': [
    "http = Net::HTTP.new('127.0.0.1', garbage_port); http.max_retries = 0; http.read_timeout = 0.3; http.get('/')",
    expect.stringMatching(/^Net::ReadTimeout: /),
  ],
  "Puppet's client, endless body": [
    'Puppet.runtime[:http].get(URI("http://127.0.0.1:#{http_port}/endless"))',
    expect.stringMatching(
      /^Puppet::HTTP::HTTPError: The response of http:\/\/127.0.0.1:\d+\/endless exceeds 67108864 bytes$/,
    ),
  ],
}

/** Limits of the built-in Ruby, and errors that other versions of Ruby word differently. */
const ofBuiltinRuby: ReadonlySet<string> = new Set([
  'invalid port',
  'refused',
  'unknown host',
  'bytes received before a TLS handshake',
  'TLS, another host',
  'TLS, a missing file of CAs',
  'TCP socket',
  'no servers',
  'too many sockets',
])
const shown = Object.entries(cases).filter(([name]) => !(isRubyNative && ofBuiltinRuby.has(name)))

describe("the network of a node's Ruby", () => {
  it.each(shown)('%s', async (_, [code, expected]) => {
    expect(await evaluate(code)).toEqual(expected)
  })

  it('sends what logs in at one host to no other host', async () => {
    received.length = 0
    const code = `Puppet.runtime[:http].get(URI("http://127.0.0.1:#{http_port}/elsewhere"),
      headers: { 'X-Vault-Token' => 'hush' }, options: { basic_auth: { user: 'anna', password: 'hush' } }).body`
    expect(await evaluate(code)).toBe('GET /there 0 -')
    expect(received).toEqual([
      expect.stringMatching(/^GET 127\.0\.0\.1:\d+ \/elsewhere Basic \S+ hush$/),
      expect.stringMatching(/^GET 127\.0\.0\.2:\d+ \/there - -$/),
    ])
  })

  it('asks a proxy for the way to a TLS server, and tells it nothing more', async () => {
    received.length = 0
    await evaluate(cases['proxy for HTTPS']![0])
    expect(received).toEqual([
      `PROXY CONNECT localhost:${ports['https']} Basic ${Buffer.from('anna:pw').toString('base64')}`,
      `GET localhost:${ports['https']} /a - -`,
    ])
  })

  it('sends everything that was written before a socket is closed', async () => {
    const code = 's = TCPSocket.new("127.0.0.1", slow_port); s.write("x" * 6_000_000); s.close; true'
    const other = new NodeRuby(createOptions(socketScript), () => {})
    expect(await evaluate(code, other)).toBe(true)
    await other.close()
    await expect.poll(() => slowly, { timeout: 20_000 }).toBe(6_000_000)
  })

  // An installed Ruby never runs plug-ins of a server.
  it.skipIf(isRubyNative)('is closed where no thread of sockets is given, as for plug-ins of a server', async () => {
    const closed = new NodeRuby(createOptions(undefined), () => {})
    try {
      for (const code of [cases['get']![0], cases['UNIX socket']![0], cases['addresses']![0]])
        expect(await evaluate(code, closed)).toMatch(/Sockets cannot be opened here/)
    } finally {
      await closed.close()
    }
  })
})
