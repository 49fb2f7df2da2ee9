import { Agent, request as httpsRequest } from 'node:https'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodePktLine, flushPkt } from '../../../src/code/git/pkt-line.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { getTokenPaths, removeTokens } from '../../../src/server/auth/token-file.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { type Serving, serve } from '../serving.ts'
import { GitClients } from './git-clients.ts'

let repository: ControlRepository
let serving: Serving
let clients: GitClients
let reading: string
let head: string

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'one': }\n" })
  for (let at = 0; at < 40; at++) head = repository.push({ 'manifests/site.pp': `notify { '${at}': }\n` })
  serving = await serve({ code_repo: repository.bare })
  clients = new GitClients(serving)
  reading = await clients.token('reader', 'code-read')
})
afterAll(() => serving?.stop())

const listing = (service: string, name = 'code') => `/git/${name}.git/info/refs?service=git-${service}`

describe('who may clone', () => {
  it.each<[string, () => Promise<object> | object]>([
    ['a token that git was asked for', () => ({ token: reading })],
    ['a token as Bearer', () => ({ config: [`http.extraHeader=Authorization: Bearer ${reading}`] })],
    ['a token in a header of its own', () => ({ config: [`http.extraHeader=X-Authentication: ${reading}`] })],
    ['a token that may push', async () => ({ token: await clients.token('pusher', 'code-push') })],
    ['a certificate of an administrator', () => ({ as: 'admin.test' })],
    [
      'a certificate of a node, with a token',
      () => ({
        as: 'node.test',
        token: reading,
        config: ['http.proactiveAuth=basic', `http.extraHeader=X-Authentication: ${reading}`],
      }),
    ],
  ])('%s', async (title, shown) => {
    const clone = await clients.clone(title.replaceAll(' ', '-'), await shown())
    expect(await clone.git('rev-parse', 'HEAD')).toBe(head)
  })

  it.each<[string, () => Promise<object> | object, string | RegExp]>([
    ['nobody', () => ({}), 'could not read Username'],
    ['a token that is none', () => ({ token: `${reading.slice(0, -4)}0000` }), 'The token is unknown or has expired.'],
    ['a word that is no token', () => ({ token: 'secret' }), 'Authentication failed'],
    [
      'a token for the store',
      async () => ({ token: await clients.token('asks', 'query') }),
      "auth.conf does not allow this request by token 'asks'.",
    ],
    ['a node', () => ({ as: 'node.test' }), 'auth.conf does not allow this request by node.test.'],
    [
      'a revoked administrator',
      async () => {
        await serving.credentials('admin-gone.test')
        await serving.revoke('admin-gone.test')
        return { as: 'admin-gone.test' }
      },
      "The certificate 'CN=admin-gone.test' is revoked.",
    ],
  ])('not %s', async (_, shown, why) => {
    const { status, said } = await clients.run(['ls-remote', clients.address()], await shown())
    expect(status).not.toBe(0)
    expect(said).toMatch(why)
  })

  it('is asked with each request: a token that is revoked, and a certificate in a connection that goes on', async () => {
    const token = await clients.token('brief', 'code-read')
    expect((await clients.run(['ls-remote', clients.address()], { token })).status).toBe(0)
    await removeTokens(getTokenPaths(serving.settings).tokens, ['brief'], localSystem.files)
    expect((await clients.run(['ls-remote', clients.address()], { token })).said).toContain('unknown or has expired')

    const tls = await serving.credentials('admin-brief.test')
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: await authority(), ...tls })
    const sockets = new Set<unknown>()
    const ask = () =>
      new Promise<number | undefined>((done, failed) => {
        const { port } = new URL(serving.server.url)
        const asking = httpsRequest({ host: 'localhost', port, path: listing('upload-pack'), agent }, (answer) => {
          sockets.add(answer.socket)
          answer.resume().on('end', () => done(answer.statusCode))
        })
        asking.on('error', failed).end()
      })
    expect([await ask(), await ask()]).toEqual([200, 200])
    await serving.revoke('admin-brief.test')
    expect(await ask()).toBe(403)
    expect(sockets.size).toBe(1)
    agent.destroy()
  })

  it('is no matter of another path: Basic counts where git asks, and nowhere else', async () => {
    const authorization = `Basic ${Buffer.from(`any:${await clients.token('store', 'query')}`).toString('base64')}`
    expect((await serving.call('GET', '/status/v1/services', { headers: { authorization } })).status).toBe(200)
    expect((await serving.call('GET', '/pdb/query/v4/nodes', { headers: { authorization } })).status).toBe(403)
  })

  it.each([
    ['two of them', `Basic ${Buffer.from('a:b').toString('base64')}`, 'plumb_x'],
    ['no colon', `Basic ${Buffer.from('ab').toString('base64')}`, undefined],
    ['nothing', 'Basic', undefined],
    ['no base64', 'Basic ~~~~', undefined],
  ])('is not who shows %s', async (_, authorization, other) => {
    const headers = { authorization, ...(other !== undefined && { 'x-authentication': other }) }
    const { status, headers: answered } = await serving.call('GET', listing('upload-pack'), { headers })
    expect([status, answered['www-authenticate']]).toEqual([401, 'Basic realm="Plumbline", charset="UTF-8"'])
  })
})

async function authority(): Promise<string> {
  return (await localSystem.files.readText(serving.settings.localcacert)) ?? ''
}

describe('the protocol', () => {
  it.each(['0', '1', '2'])('is spoken in version %s, whole and shallow', async (version) => {
    const shown = { token: reading, config: [`protocol.version=${version}`] }
    const clone = await clients.clone(`version-${version}`, shown)
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('41')
    const shallow = clients.place(`shallow-${version}`)
    const cloned = await clients.run(['clone', '-q', '--depth', '3', clients.address(), shallow], shown)
    expect(cloned).toMatchObject({ status: 0 })
    expect((await clients.run(['rev-list', '--count', 'HEAD'], { cwd: shallow })).out).toBe('3\n')
    expect(await clients.run(['fetch', '-q', '--unshallow'], { ...shown, cwd: shallow })).toMatchObject({ status: 0 })
    expect((await clients.run(['rev-list', '--count', 'HEAD'], { cwd: shallow })).out).toBe('41\n')
  })

  it('has partial clones, that fetch what they lack when they need it', async () => {
    const partial = clients.place('partial')
    const shown = { token: reading }
    expect(await clients.run(['clone', '-q', '--filter=blob:none', clients.address(), partial], shown)).toMatchObject({
      status: 0,
    })
    const missing = await clients.run(['rev-list', '--objects', '--all', '--missing=print'], { cwd: partial })
    expect(missing.out.match(/^\?/gm)?.length).toBe(40)
    const shows = await clients.run(['show', 'HEAD~20:manifests/site.pp'], { ...shown, cwd: partial })
    expect(shows).toMatchObject({ status: 0, out: "notify { '19': }\n" })
  })

  it('fetches what is new, by what it has', async () => {
    const shown = { token: reading }
    const clone = await clients.clone('fetches', shown)
    const next = repository.push({ 'manifests/site.pp': "notify { 'next': }\n" }, 'next')
    await clone.git('fetch', '-q')
    expect(await clone.git('rev-parse', 'origin/next')).toBe(next)
  })

  it('takes requests that are packed, as git packs what it says of many commits', async () => {
    const lines = [
      `want ${head} ofs-delta\n`,
      ...Array.from({ length: 200 }, (_, at) => `have ${String(at).padStart(40, '0')}\n`),
    ]
    const [want, ...have] = lines.map(encodePktLine)
    const body = Buffer.concat([want!, flushPkt, ...have, encodePktLine('done\n')])
    const headers = { 'content-type': 'application/x-git-upload-pack-request', 'x-authentication': reading }
    for (const [encoding, sent] of [
      ['gzip', gzipSync(body)],
      ['x-gzip', gzipSync(body)],
      ['identity', body],
    ] as const) {
      const answer = await serving.call('POST', '/git/code.git/git-upload-pack', {
        headers: { ...headers, 'content-encoding': encoding },
        body: sent,
      })
      expect([encoding, answer.status, answer.text.startsWith('0008NAK\nPACK')]).toEqual([encoding, 200, true])
    }
  })

  it('answers lists of refs that nobody keeps', async () => {
    for (const service of ['upload-pack', 'receive-pack']) {
      const got = await serving.call('GET', listing(service), { as: 'admin.test' })
      expect(got.text).toMatch(new RegExp(`^001.# service=git-${service}\n0000....[0-9a-f]{40} `))
      expect(got.headers).toMatchObject({
        'content-type': `application/x-git-${service}-advertisement`,
        'cache-control': 'no-cache, max-age=0, must-revalidate',
        pragma: 'no-cache',
        expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
      })
      const asked = await serving.call('HEAD', listing(service), { as: 'admin.test' })
      expect([asked.status, asked.text, asked.headers['content-type']]).toEqual([200, '', got.headers['content-type']])
    }
  })

  it.each([
    ['/git/code.git/info/refs', 403, "Only Git's smart protocol"],
    ['/git/code.git/HEAD', 403, "Only Git's smart protocol"],
    ['/git/code.git/objects/info/packs', 403, "Only Git's smart protocol"],
    ['/git/code.git/info/refs?service=git-upload-archive', 403, 'Unknown Git service'],
    ['/git/code.git/info/refs?service=git-upload-pack&service=git-receive-pack', 403, 'Unknown Git service'],
    ['/git/code.git/config', 404, 'Not Found'],
    [
      '/git/other.git/info/refs?service=git-upload-pack',
      404,
      'There is no repository /git/other.git. Available: /git/code.git',
    ],
    ['/git/code/info/refs?service=git-upload-pack', 404, 'Repository URLs have the path /git/NAME.git'],
  ])('has nothing else: %s', async (path, status, text) => {
    const answer = await serving.call('GET', path, { as: 'admin.test' })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(text)
  })

  it('shows a text after `remote:`', async () => {
    const { said } = await clients.run(['ls-remote', clients.address('nothing')], { token: reading })
    expect(said).toContain('There is no repository /git/nothing.git. Available: /git/code.git')
  })
})

describe('refs that the server keeps for itself', () => {
  it('are neither listed nor fetched, in any version', async () => {
    const gone = repository.push({ 'manifests/site.pp': "notify { 'a secret': }\n" }, 'gone')
    repository.gitBare('update-ref', `refs/plumb/served/${gone}`, gone)
    repository.gitBare('update-ref', '-d', 'refs/heads/gone')
    const blob = repository.git('rev-parse', `${gone}:manifests/site.pp`)
    const empty = clients.place('empty')
    await clients.run(['init', '-q', empty])
    for (const version of ['0', '1', '2']) {
      const shown = { token: reading, config: [`protocol.version=${version}`], cwd: empty }
      const { out } = await clients.run(['ls-remote', clients.address()], shown)
      expect(out).not.toContain('plumb')
      expect(out).not.toContain(gone)
      for (const wanted of [gone, blob, `refs/plumb/served/${gone}`]) {
        const { status, said } = await clients.run(['fetch', clients.address(), wanted], shown)
        expect([version, wanted, status === 0]).toEqual([version, wanted, false])
        expect(said).toMatch(/not our ref|unadvertised object|couldn't find remote ref/)
      }
    }
    const older = repository.git('rev-parse', 'production~5')
    const visible = await clients.run(['fetch', '-q', clients.address(), older], { token: reading, cwd: empty })
    expect(visible).toMatchObject({ status: 0 })
  })

  it('are not fetched by a request that is no client of git, either', async () => {
    const [[, gone] = []] = repository.gitBare('for-each-ref', 'refs/plumb/served').matchAll(/served\/(\w+)$/gm)
    const headers = { 'content-type': 'application/x-git-upload-pack-request', 'x-authentication': reading }
    const asks = (protocol: string, ...lines: Buffer[]) =>
      serving.call('POST', '/git/code.git/git-upload-pack', {
        headers: { ...headers, 'git-protocol': protocol },
        body: Buffer.concat(lines),
      })
    const [fetch, delimiter, done] = [encodePktLine('command=fetch'), Buffer.from('0001'), encodePktLine('done')]
    const hidden = repository
      .gitBare('for-each-ref', '--format=%(objectname)', 'refs/plumb/served')
      .split('\n')
      .find((oid) => !repository.gitBare('branch', '--contains', oid).trim())!
    expect(gone).toBeDefined()
    const want = encodePktLine(`want ${hidden}\n`)
    for (const protocol of ['version=2', 'version=2:version=1', 'foo:version=2']) {
      const { status, text } = await asks(protocol, fetch, delimiter, want, done, flushPkt)
      expect([protocol, status, text]).toEqual([
        protocol,
        200,
        expect.stringContaining(`ERR upload-pack: not our ref ${hidden}`),
      ])
    }
    const others: [string, Buffer[]][] = [
      [
        'twice',
        [fetch, delimiter, encodePktLine(`want ${head}\n`), done, flushPkt, fetch, delimiter, want, done, flushPkt],
      ],
      ['upper case', [fetch, delimiter, encodePktLine(`want ${hidden.toUpperCase()}\n`), done, flushPkt]],
      ['more behind it', [fetch, delimiter, encodePktLine(`want ${hidden}x\n`), done, flushPkt]],
      ['two delimiters', [fetch, delimiter, delimiter, want, done, flushPkt]],
      ['no end', [fetch, delimiter, want, done]],
      [
        'another command',
        [
          encodePktLine('command=object-info'),
          delimiter,
          encodePktLine('size'),
          encodePktLine(`oid ${hidden}`),
          flushPkt,
        ],
      ],
      ['by ref', [fetch, delimiter, encodePktLine(`want-ref refs/plumb/served/${hidden}`), done, flushPkt]],
    ]
    for (const [title, lines] of others) {
      const { status, text } = await asks('version=2', ...lines)
      expect([title, status]).toEqual([title, 400])
      expect(text).not.toContain('PACK')
    }
    for (const protocol of ['', 'version=3', 'version=1', 'version = 2', '\tversion=2;x']) {
      const { text } = await asks(protocol, encodePktLine(`want ${hidden}\n`), flushPkt, encodePktLine('done\n'))
      expect([protocol, text]).toEqual([protocol, expect.stringContaining('not our ref')])
    }
  })
})
