import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { puppetVersion } from '../../../src/base/puppet-version.ts'
import { toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { HttpClient, type HttpClientOptions } from '../../../src/network/client/http-client.ts'
import { createSession, type Session } from '../../../src/network/client/session.ts'
import type { TlsContext } from '../../../src/network/client/tls.ts'
import { ec, newAuthority } from '../../ca/fixture.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Of the client's certificate. */
  readonly client: string | undefined
}

/** What the server answers, by path without query. */
type Answers = Record<string, (response: ServerResponse, seen: Seen) => void>

const json =
  (value: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const status =
  (code: number, body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end(body)

let server: Server
let port: number
/** The same service at another port. */
let other: Server
let tls: TlsContext
let answers: Answers = {}
let seen: Seen[] = []
let connections = 0

beforeAll(async () => {
  const { ca } = await newAuthority()
  const own = await ca.generate('localhost', { key: ec })
  const agent = await ca.generate('a.test', { key: ec })
  const authorities = (await ca.certificates()).pem
  tls = {
    ca: authorities,
    crl: (await ca.revocationLists()).pem,
    cert: toCertificatePem(agent.certificate),
    key: toPrivateKeyPem(agent.key),
  }
  const options = {
    key: toPrivateKeyPem(own.key),
    cert: toCertificatePem(own.certificate),
    ca: authorities,
    requestCert: true,
  }
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const client = (request.socket as import('node:tls').TLSSocket).getPeerCertificate().subject?.CN?.toString()
      const one = { method, url, headers, body: Buffer.concat(chunks).toString(), client }
      seen.push(one)
      const answer = answers[url.split('?')[0]!] ?? status(404, 'nothing here')
      answer(response, one)
    })
  }
  server = createServer(options, respond)
  other = createServer(options, respond)
  server.on('secureConnection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const each of [server, other]) {
    each.closeAllConnections()
    each.close()
  }
})

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  answers = {}
  seen = []
})

function session(given: Readonly<Record<string, string>> = {}, warn?: (message: string) => void): Session {
  const settings = loadSettings({
    given: { server: 'localhost', serverport: String(port), confdir: '/nowhere', ...given },
    runMode: 'agent',
  })
  const made = createSession({ settings, tls, puppetVersion, ...(warn ? { warn } : {}) })
  open.push(made)
  return made
}

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const made = new HttpClient({ tls, ...options })
  open.push(made)
  return made
}

const at = (path: string) => new URL(path, `https://localhost:${port}`)
const facts = { name: 'a.test', values: { os: 'a&b=c%20é' }, timestamp: 't', expiration: undefined }

describe('what an agent asks', () => {
  it('posts its facts, encoded twice, for a catalog', async () => {
    const catalog = { name: 'a.test', resources: [] }
    answers['/puppet/v3/catalog/a.test'] = json(catalog, { 'x-puppet-compiler-name': 'c.test' })
    const request = { environment: 'production', facts, transactionUuid: 'u-1', checksumTypes: ['sha256', 'md5'] }
    expect(await session().puppet.catalog('a.test', request)).toEqual({
      ...{ wire: catalog, text: JSON.stringify(catalog), signature: undefined },
      compiler: 'c.test',
    })
    const [{ method, url, headers, body, client: name }] = seen as [Seen]
    expect([method, url, name]).toEqual(['POST', '/puppet/v3/catalog/a.test?environment=production', 'a.test'])
    expect(headers).toMatchObject({
      accept: 'application/vnd.puppet.rich+json, application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'x-puppet-version': puppetVersion,
      'user-agent': expect.stringMatching(/^Puppet\/8\.10\.0 /),
    })
    const form = new URLSearchParams(body)
    expect(Object.fromEntries(form)).toMatchObject({
      environment: 'production',
      configured_environment: 'production',
      check_environment: 'true',
      facts_format: 'application/json',
      transaction_uuid: 'u-1',
      static_catalog: 'true',
      checksum_type: 'sha256.md5',
    })
    expect(JSON.parse(decodeURIComponent(form.get('facts')!))).toEqual({
      name: 'a.test',
      values: facts.values,
      timestamp: 't',
    })
  })

  it('asks for files as Puppet words it', async () => {
    const file = {
      path: '/x',
      relative_path: '.',
      links: 'manage',
      owner: 0,
      group: 0,
      mode: 420,
      checksum: { type: 'sha256', value: '{sha256}0' },
      type: 'directory',
      destination: null,
    }
    answers['/puppet/v3/file_metadatas/plugins'] = json([file])
    answers['/puppet/v3/file_metadata/modules/a%20b/c'] = json(file)
    answers['/puppet/v3/file_content/modules/a/b'] = status(200, 'bytes')
    answers['/puppet/v3/static_file_content/modules/a/files/b'] = status(200, 'static')
    const { puppet } = session()
    const query = { environment: 'e', links: 'follow', checksumType: 'sha256', sourcePermissions: 'ignore' } as const
    const all = await puppet.fileMetadatas('plugins', { ...query, maxFiles: -1, ignore: ['.svn', 'CVS'] })
    expect(all?.map(({ path, mode }) => [path, mode])).toEqual([['/x', 420]])
    expect((await puppet.fileMetadata('modules/a b/c', query))?.type).toBe('directory')
    expect(await puppet.fileMetadata('modules/none', query)).toBeUndefined()
    expect(await puppet.fileMetadatas('none', query)).toBeUndefined()
    const text = async (stream: AsyncIterable<Uint8Array>) => {
      let all = ''
      for await (const chunk of stream) all += Buffer.from(chunk).toString()
      return all
    }
    expect(await text(await puppet.fileContent('modules/a/b', { environment: 'e' }))).toBe('bytes')
    const place = { environment: 'e', codeId: 'c-1' }
    expect(await text(await puppet.staticFileContent('/modules/a/files/b', place))).toBe('static')
    expect(seen.map(({ url }) => url)).toEqual([
      '/puppet/v3/file_metadatas/plugins?recurse=true&max_files=-1&ignore=.svn&ignore=CVS&links=follow&checksum_type=sha256&source_permissions=ignore&environment=e',
      '/puppet/v3/file_metadata/modules/a%20b/c?links=follow&checksum_type=sha256&source_permissions=ignore&environment=e',
      expect.stringContaining('/puppet/v3/file_metadata/modules/none?'),
      expect.stringContaining('/puppet/v3/file_metadatas/none?'),
      '/puppet/v3/file_content/modules/a/b?environment=e',
      '/puppet/v3/static_file_content/modules/a/files/b?environment=e&code_id=c-1',
    ])
  })

  it('asks for its node, and sends reports and facts', async () => {
    answers['/puppet/v3/node/a.test'] = json({ name: 'a.test', environment: 'staging' }, { 'x-puppet-version': '8.1' })
    answers['/puppet/v3/report/a.test'] = json(['store'])
    answers['/puppet/v3/facts/a.test'] = status(200, '0')
    const { puppet, report } = session()
    expect(await puppet.node('a.test', { environment: 'e', transactionUuid: 'u' })).toEqual({
      name: 'a.test',
      environment: 'staging',
      serverVersion: '8.1',
    })
    expect(await report.report('a.test', 'e', { host: 'a.test' } as never)).toEqual(['store'])
    await puppet.facts('e', facts)
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /puppet/v3/node/a.test?environment=e&configured_environment=e&transaction_uuid=u',
      'PUT /puppet/v3/report/a.test?environment=e',
      'PUT /puppet/v3/facts/a.test?environment=e',
    ])
    expect(seen[1]).toMatchObject({ body: '{"host":"a.test"}', headers: { 'content-type': 'application/json' } })
  })

  it('adds headers of the settings', async () => {
    answers['/puppet/v3/facts/a.test'] = status(200, '')
    await session({ http_extra_headers: 'X-Auth:a:b,X-More: c', http_user_agent: 'mine' }).puppet.facts('e', facts)
    expect(seen[0]!.headers).toMatchObject({ 'x-auth': 'a:b', 'x-more': 'c', 'user-agent': 'mine' })
  })
})

describe('errors', () => {
  it.each([
    [
      500,
      '{"message":"Server Error: boom","issue_kind":"RUNTIME_ERROR"}',
      'application/json;charset=utf-8',
      'Error 500 on SERVER: Server Error: boom',
    ],
    [500, '{"message":"Server Error: boom"}', 'text/pson', 'Error 500 on SERVER: Server Error: boom'],
    [403, 'Forbidden request: /x', undefined, 'Error 403 on SERVER: Forbidden request: /x'],
    [400, '{"message":"as it is"}', 'text/plain', 'Error 400 on SERVER: {"message":"as it is"}'],
    [500, '{', 'application/json', 'Error 500 on SERVER: {'],
    [502, '', undefined, 'Error 502 on SERVER: 502'],
  ])('%i %s of %s', async (code, body, type, message) => {
    answers['/x'] = status(code, body, type === undefined ? {} : { 'content-type': type })
    await expect(client().send(at('/x'))).rejects.toThrow(message)
    await expect(client().send(at('/x'))).rejects.toMatchObject({ status: code })
  })

  it.each([
    ['a line', 'Did you mean x?', 'Did you mean x?'],
    ['lines and colours', 'x\n\u001b[31mError: y', String.raw`x\x0a\x1b[31mError: y`],
    ['a book', 'a'.repeat(20_000), 'a'.repeat(1000)],
    ['no text', ['x'], undefined],
    ['nothing', undefined, undefined],
  ])('take as a hint %s', async (_, hint, taken) => {
    const body = JSON.stringify({ message: 'boom', issue_kind: 'RUNTIME_ERROR', hint })
    answers['/x'] = status(500, body, { 'content-type': 'application/json' })
    const error = await client()
      .send(at('/x'))
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'Error 500 on SERVER: boom', diagnostic: { hint: taken } })
  })

  it('says when an answer is no JSON', async () => {
    answers['/puppet/v3/node/a.test'] = status(200, '<html>')
    await expect(session().puppet.node('a.test', { environment: 'e' })).rejects.toThrow(
      /^Could not read the response from https:\/\/localhost:\d+\/puppet\/v3\/node\/a\.test: Unexpected token/,
    )
  })

  it('waits no longer than it may', async () => {
    answers['/slow'] = () => {}
    await expect(client({ readTimeout: 0.2 }).send(at('/slow'))).rejects.toThrow(
      /^Request to https:\/\/localhost:\d+\/slow timed out read operation after [\d.]+ seconds$/,
    )
  })

  it('notices a body that is cut off', async () => {
    answers['/cut'] = (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('part')
      response.socket?.destroySoon()
    }
    await expect(client().send(at('/cut'))).rejects.toThrow(
      /^Request to https:\/\/localhost:\d+\/cut interrupted after/,
    )
  })
})

describe('a server that is not trusted', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is refused again and again, for no session of %s is resumed',
    async (maxVersion) => {
      const { ca, key, cert } = await otherServer()
      let requests = 0
      const other = createServer({ key, cert, maxVersion }, (_, response) => response.end(String(requests++)))
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const url = new URL(`https://localhost:${(other.address() as AddressInfo).port}/`)
      const http = client({ tls: { ca } })
      for (const _ of [1, 2, 3])
        await expect(http.send(url)).rejects.toThrow(
          "Server hostname 'localhost' did not match server certificate; expected one of other.test, DNS:other.test",
        )
      const anybody = client({ tls: { ca: undefined } })
      expect(String((await anybody.send(url)).body)).toBe('0')
      other.closeAllConnections()
      other.close()
    },
  )

  async function otherServer() {
    const { ca } = await newAuthority()
    const { key, certificate } = await ca.generate('other.test', { key: ec })
    return { ca: (await ca.certificates()).pem, key: toPrivateKeyPem(key), cert: toCertificatePem(certificate) }
  }
})

describe('answers that ask for more', () => {
  it('reads no answer without end, packed or not', async () => {
    const zeros = gzipSync(Buffer.alloc(8 * 1024 * 1024))
    answers['/bomb'] = (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat(Array(60).fill(zeros)))
    await expect(client().send(at('/bomb'))).rejects.toThrow(
      `The response from https://localhost:${port}/bomb exceeds ${384 * 1024 * 1024} bytes`,
    )
  })

  it('waits for the end of no redirect', async () => {
    let said = 0
    answers['/endless'] = (response) => {
      response.writeHead(302, { location: '/here' })
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) said++
      }
      response.on('drain', more)
      more()
    }
    answers['/here'] = status(200, 'done')
    expect(String((await client().send(at('/endless'))).body)).toBe('done')
    expect(said).toBeLessThan(1000)
  })

  it('follows redirects, ten of them', async () => {
    answers['/from'] = status(302, '', { location: '/to?x=1' })
    answers['/to'] = status(200, 'there')
    expect((await client().send(at('/from'))).body.toString()).toBe('there')
    answers['/round'] = status(307, '', { location: '/round' })
    seen = []
    await expect(client().send(at('/round'))).rejects.toThrow(
      `Too many HTTP redirections for https://localhost:${port}/round`,
    )
    expect(seen.length).toBe(11)
    answers['/bare'] = status(301, '')
    await expect(client().send(at('/bare'))).rejects.toThrow('Location response header is missing')
    answers['/down'] = status(301, '', { location: 'http://localhost/x' })
    await expect(client().send(at('/down'))).rejects.toThrow('Location URI is invalid: http://localhost/x')
  })

  it.each([
    ['another origin', () => `https://localhost:${(other.address() as AddressInfo).port}/to`, false],
    ['the same origin', () => '/to', true],
  ])('sends secret headers after a redirect only to the same origin: %s', async (_, location, isSame) => {
    answers['/from'] = status(307, '', { location: location() })
    answers['/to'] = status(302, '', { location: at('/end').href })
    answers['/end'] = status(200, 'there')
    const { http } = session({ http_extra_headers: 'X-Secret:a', http_user_agent: 'mine' })
    const secrets = { Cookie: 'b', authorization: 'c', 'X-Authentication': 'd' }
    await http.send(at('/from'), { method: 'POST', body: 'text', headers: { ...secrets, accept: 'text/plain' } })
    const all = { 'x-secret': 'a', cookie: 'b', authorization: 'c', 'x-authentication': 'd' }
    const sent = seen.map(({ headers }) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => Object.hasOwn(all, name))),
    )
    expect(sent).toEqual([all, isSame ? all : {}, isSame ? all : {}])
    for (const { headers, body } of seen) {
      expect(headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'mine', 'x-puppet-version': puppetVersion })
      expect(body).toBe('text')
    }
  })

  it('waits as a busy server asks, but not longer than a run interval', async () => {
    const times = ['1', new Date(Date.now() + 40_000).toUTCString(), '9999']
    answers['/busy'] = (response) => {
      const time = times.shift()
      if (time === undefined) status(200, 'done')(response)
      else status(times.length % 2 ? 429 : 503, 'busy', { 'retry-after': time })(response)
    }
    const slept: number[] = []
    const said: string[] = []
    const sleep = async (seconds: number) => {
      slept.push(seconds)
    }
    const http = client({ sleep, longestRetryDelay: 60, warn: (message) => said.push(message) })
    expect((await http.send(at('/busy'))).body.toString()).toBe('done')
    expect([slept[0], slept[2]]).toEqual([1, 60])
    expect(slept[1]).toBeGreaterThan(1)
    expect(slept[1]).toBeLessThanOrEqual(40)
    expect(said[0]).toBe('Sleeping for 1 seconds before retrying the request')
    answers['/always'] = status(503, '', { 'retry-after': '0' })
    await expect(http.send(at('/always'))).rejects.toThrow('Too many HTTP retries')
    answers['/odd'] = status(503, '', { 'retry-after': 'soon' })
    await expect(http.send(at('/odd'))).rejects.toThrow(
      "Failed to parse Retry-After header 'soon' as an integer or RFC 2822 date",
    )
  })

  it('waits for a busy server no longer than the signal of the request', async () => {
    answers['/busy'] = status(503, '', { 'retry-after': '1800' })
    // Wall clock: the signal must end a wait of half an hour.
    const asked = client().send(at('/busy'), { signal: AbortSignal.timeout(300) })
    await expect(asked).rejects.toThrow(/\/busy failed .*aborted/)
  }, 5_000)

  it('unpacks what is compressed', async () => {
    const text = 'x'.repeat(100_000)
    answers['/gzip'] = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
    expect((await client().send(at('/gzip'))).body.toString()).toBe(text)
    expect(seen[0]!.headers['accept-encoding']).toContain('gzip')
    answers['/broken'] = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    await expect(client().send(at('/broken'))).rejects.toThrow('incorrect header check')
  })

  it('keeps its connections', async () => {
    answers['/x'] = status(200, 'x')
    connections = 0
    const http = client()
    for (let count = 0; count < 5; count++) await http.send(at('/x'))
    expect(connections).toBeLessThanOrEqual(2)
  })
})

describe('server_list', () => {
  it('takes the first that is running, and says why not the others', async () => {
    answers['/status/v1/simple/server'] = status(404, 'not found: server')
    answers['/status/v1/simple/master'] = status(200, 'running')
    answers['/puppet/v3/facts/a.test'] = status(200, '')
    const said: string[] = []
    const made = session({ server_list: `localhost:1,localhost:${port}` }, (message) => said.push(message))
    await made.puppet.facts('e', facts)
    expect(await made.server()).toEqual({ host: 'localhost', port })
    expect(seen.map(({ url }) => url.split('?')[0])).toEqual([
      '/status/v1/simple/server',
      '/status/v1/simple/master',
      '/puppet/v3/facts/a.test',
    ])
    expect(said).toEqual([
      expect.stringMatching(
        /^Unable to connect to server from server_list setting: .* Trying with next server from server_list\.$/,
      ),
    ])
  })

  it('says when none is', async () => {
    answers['/status/v1/simple/server'] = status(503, 'starting')
    const said: string[] = []
    const made = session({ server_list: `localhost:${port}` }, (message) => said.push(message))
    await expect(made.puppet.facts('e', facts)).rejects.toThrow(
      `Could not select a functional puppet server from server_list: 'localhost:${port}'`,
    )
    expect(said[0]).toBe(
      `Puppet server localhost:${port} is unavailable: 503 starting Trying with next server from server_list.`,
    )
  })
})
