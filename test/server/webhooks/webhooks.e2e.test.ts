import { createHmac } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { openSourceStore } from '../../../src/code/git/remotes/source-store.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { CodeSources } from '../../../src/deploy/sources/code-sources.ts'
import { readSources } from '../../../src/deploy/sources/sources-file-parser.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { addSourceMetrics } from '../../../src/server/telemetry/source-metrics.ts'
import { SourceFigures } from '../../../src/server/telemetry/source-tallies.ts'
import { openWebhooks, type Webhooks } from '../../../src/server/webhooks/webhook-server.ts'
import { type GitHost, openGitHost } from '../../support/git-host.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { payloads } from './payloads.ts'

const folder = scratchFolder('webhooks')
const secret = "It's a secret, to everybody"
const secretFile = join(folder, 'secret')
let host: GitHost
let sources: CodeSources
let hooks: Webhooks
let port: number
const said: string[] = []
const figures = new SourceFigures(() => Date.now())
const logger = pino({ level: 'info' }, { write: (line: string) => void said.push(line) })
const closers: (() => Promise<unknown>)[] = []

/** Sources of repositories on the host of the tests: two of the one that the payloads name, and another with a secret of its own. */
const fileOf = () => `
webhook_secret: ${secretFile}
interval: 1d
sources:
  control: {remote: "${host.url}/puppet/control.git"}
  scm: {remote: "${host.url}/scm/PUPPET/control.git"}
  other: {remote: "${host.url}/puppet/other.git", webhook_secret: ${join(folder, 'other')}}
`
const settings = () => ({ webhook_port: port, webhook_bindaddress: '127.0.0.1', webhook_cert: '', webhook_key: '' })

beforeAll(async () => {
  host = await openGitHost()
  closers.unshift(() => host.close())
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 })
  writeFileSync(join(folder, 'other'), 'an0ther', { mode: 0o600 })
  const store = await openSourceStore(join(mkdtempSync(join(folder, 'store-')), 'code.git'), 'production')
  const objects = await openRepository(store.gitDir)
  closers.unshift(() => objects.close())
  sources = await CodeSources.open({
    ...{ store, objects, incoming: join(folder, 'incoming'), frozenFile: join(folder, 'frozen.json') },
    files: localFiles,
    read: async () =>
      readSources(fileOf(), 'r10k.yaml', {
        intervalMs: 1e6,
        timeoutMs: 5000,
        maxBytes: 1e6,
        webhookSecretFile: undefined,
      }),
    now: () => Date.now(),
    log: () => {},
  })
  closers.unshift(() => sources.close())
  port = await freePort()
  hooks = await openWebhooks({
    settings: settings(),
    sources,
    reviews: undefined,
    files: localFiles,
    log: logger,
    figures,
  })
  closers.unshift(() => hooks.close())
})
afterAll(async () => {
  for (const close of closers) await close()
})

type Headers = Record<string, string>
const post = (path: string, headers: Headers, body: string | Buffer, send = request, given: object = {}) =>
  new Promise<{ status: number; body: string }>((done, failed) => {
    const asking = send({ host: '127.0.0.1', port, path, method: 'POST', headers, ...given }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      done({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
    })
    asking.on('error', failed)
    asking.end(body)
  })
const hmac = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex')
/** The header by which a host proves a body. */
const proofs: Record<string, (body: string, key?: string) => Headers> = {
  github: (body, key) => ({ 'x-hub-signature-256': `sha256=${hmac(body, key)}` }),
  gitlab: (_, key = secret) => ({ 'x-gitlab-token': key }),
  gitea: (body, key) => ({ 'x-gitea-signature': hmac(body, key) }),
  bitbucket: (body, key) => ({ 'x-hub-signature': `sha256=${hmac(body, key)}` }),
}
let serial = 0
/** A body that was not sent before. */
const fresh = (body: object) => JSON.stringify({ ...body, serial: serial++ })
const send = (
  name: keyof typeof payloads,
  change: (headers: Headers, body: string) => [Headers, string] = (...all) => all,
) => {
  const vendor = name.split(' ')[0]!
  const { headers, body } = payloads[name]
  const text = fresh(body)
  const [changed, sent] = change({ ...headers, 'content-type': 'application/json', ...proofs[vendor]!(text) }, text)
  return post(`/webhooks/${vendor}`, changed, sent)
}
/** The repositories that hooks have had asked for since the test began. */
const asked = () => [
  ...new Set(host.requests.map((each) => /\/(\S+?)\.git/.exec(each)?.[1]).filter((name) => name !== 'puppet/other')),
]
/** The same, where no hook is to have had any. */
const fetched = async () => {
  await sources.fetch(['other'])
  return asked()
}
beforeEach(async () => {
  // Behind whatever the test before has begun.
  await sources.fetch()
  said.length = 0
  ;(host.requests as string[]).length = 0
})

const names = Object.keys(payloads) as (keyof typeof payloads)[]
const prover = (name: string) => Object.keys(proofs[name.split(' ')[0]!]!(''))[0]!

describe.each(names)('a webhook of %s', (name) => {
  it('with the right proof has its source fetched, from where the file says', async () => {
    const { status, body } = await send(name)
    expect([status, JSON.parse(body)]).toEqual([
      202,
      { fetching: name.includes('Data') ? ['control', 'scm'] : ['control'] },
    ])
    await expect.poll(asked).toContain('puppet/control')
    expect(said.join()).toContain('a fetch of control')
  })

  it.each<[string, (proof: string, body: string) => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['wrong', (proof) => proof.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['truncated', (proof) => proof.slice(0, -1)],
    ['longer', (proof) => `${proof}0`],
    ['made with another secret', (_, body) => Object.values(proofs[name.split(' ')[0]!]!(body, 'guess'))[0]],
    ['twice', (proof) => `${proof}, ${proof}`],
  ])('is refused when the proof is %s', async (_, spoil) => {
    const { status, body } = await send(name, (headers, text) => {
      const { [prover(name)]: proof = '', ...others } = headers
      const spoiled = spoil(proof, text)
      return [{ ...others, ...(spoiled !== undefined && { [prover(name)]: spoiled }) }, text]
    })
    expect(status).toBe(401)
    expect(body + said.join()).not.toContain(secret)
    expect(await fetched()).toEqual([])
  })

  it('is refused when it is of no source, or of one whose secret the sender does not know', async () => {
    const renamed =
      (to: string) =>
      (_: Headers, text: string): [Headers, string] => {
        const changed = text.replace(/control/g, to)
        return [{ ..._, ...proofs[name.split(' ')[0]!]!(changed) }, changed]
      }
    expect((await send(name, renamed('nosuch'))).status).toBe(404)
    expect((await send(name, renamed('other'))).status).toBe(404)
    expect(await fetched()).toEqual([])
  })

  it('that is too large is refused before its proof is looked at', async () => {
    const big = await send(name, (headers, text) => [headers, text + ' '.repeat(1024 * 1024)])
    expect(big.status).toBe(413)
    expect(said.join()).not.toContain('signature')
  })

  it('that is no JSON is refused in words', async () => {
    for (const text of ['', '{', '[]', 'null', '"x"']) {
      const { status } = await send(name, (headers) => [{ ...headers, ...proofs[name.split(' ')[0]!]!(text) }, text])
      expect(status).toBe(text === '' && !name.startsWith('gitlab') ? 401 : 400)
    }
  })

  it('of anything else that happened has no effect', async () => {
    const { status, body } = await send(name, (headers, text) => {
      const other = Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key, /event(-key)?$/.test(key) ? 'Issue Hook' : value]),
      )
      return [other, text]
    })
    expect([status, JSON.parse(body)]).toEqual([200, { ignored: 'it changed no refs' }])
    expect(await fetched()).toEqual([])
  })
})

describe('the listener', () => {
  it('answers the pings by which hosts try an address', async () => {
    const text = fresh({ zen: 'Keep it logically awesome.', hook_id: 1 })
    const github = { 'x-github-event': 'ping', ...proofs['github']!(text) }
    expect(await post('/webhooks/github', github, text)).toEqual({ status: 200, body: '{"answer":"pong"}' })
    expect((await post('/webhooks/github', { 'x-github-event': 'ping' }, text)).status).toBe(401)
    expect((await post('/webhooks/bitbucket', { 'x-event-key': 'diagnostics:ping' }, '{"test":true}')).status).toBe(200)
    expect(await fetched()).toEqual([])
  })

  it('counts what comes by its result, whoever sends it', async () => {
    const counts = () => ({ ...figures.hooks.get('gitea')?.counts })
    const before = counts()
    const text = fresh(payloads.gitea.body)
    const headers = { ...payloads.gitea.headers, 'content-type': 'application/json' }
    for (let time = 0; time < 2; time++) await post('/webhooks/gitea', { ...headers, ...proofs['gitea']!(text) }, text)
    await post('/webhooks/gitea', headers, text)
    await post('/webhooks/gitea', { ...headers, ...proofs['gitea']!(text), 'x-gitea-event': 'issues' }, text)
    await post('/webhooks/no-such-host', headers, text)
    const after = counts()
    const more = Object.entries(after).map(([result, count]) => [result, count - (before[result as 'fetched'] ?? 0)])
    expect(Object.fromEntries(more)).toEqual({ fetched: 1, repeated: 1, answered: 0, ignored: 1, refused: 1 })
    expect([...figures.hooks.keys()].sort()).toEqual(['bitbucket', 'gitea', 'github', 'gitlab'])
    const registry = new Registry()
    addSourceMetrics(registry, figures)
    expect(await registry.metrics()).toContain(`plumb_webhooks_total{vendor="gitea",result="ignored"} ${after.ignored}`)
  })

  it('takes the form that GitHub may send', async () => {
    const text = `payload=${encodeURIComponent(fresh(payloads.github.body))}`
    const headers = {
      ...payloads.github.headers,
      'content-type': 'application/x-www-form-urlencoded',
      ...proofs['github']!(text),
    }
    expect((await post('/webhooks/github', headers, text)).status).toBe(202)
  })

  it('has the same hook fetch once, however often it is sent', async () => {
    const text = fresh(payloads.github.body)
    const headers = { ...payloads.github.headers, ...proofs['github']!(text) }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/webhooks/github', headers, text)))
    expect(answers.filter(({ body }) => body.includes('fetching'))).toHaveLength(1)
    expect(answers.filter(({ body }) => body.includes('repeated'))).toHaveLength(19)
  })

  it('has a flood of hooks fetch no more than one after the other', async () => {
    await Promise.all(Array.from({ length: 50 }, () => send('gitea')))
    await sources.fetch(['control'])
    // The one under way, and the one behind it for all others: an ls-remote of a repository that is not there is one request.
    const requests = host.requests.filter((each) => each.includes('/puppet/control.git'))
    expect(requests.length).toBeLessThanOrEqual(6)
  })

  it('never goes to a place out of a body', async () => {
    const { repository, ...rest } = payloads.github.body
    const text = fresh({
      ...rest,
      repository: { ...repository, clone_url: 'http://127.0.0.1:9/puppet/control.git', ssh_url: 'ext::sh -c x' },
    })
    const answer = await post('/webhooks/github', { ...payloads.github.headers, ...proofs['github']!(text) }, text)
    expect(answer.status).toBe(202)
    await expect.poll(asked).toEqual(['puppet/control'])
    for (const value of [1, null, [], {}, 'x'.repeat(10_000), '::', 'https://', { __proto__: 1 }])
      expect((await sendRepository({ full_name: value, clone_url: value })).status).toBe(404)
  })
  const sendRepository = (repository: object) => {
    const text = fresh({ repository })
    return post('/webhooks/github', { ...payloads.github.headers, ...proofs['github']!(text) }, text)
  }

  it.each([
    ['GET', '/webhooks/github', 403],
    ['POST', '/', 403],
    ['POST', '/webhooks/', 404],
    ['POST', '/webhooks/gogs', 404],
    ['POST', '/puppet/v3/node/x', 403],
    ['POST', '/webhooks/../code/v1/fetch', 400],
  ])('answers %s %s with %d', async (method, path, status) => {
    const answer = await new Promise<number>((done, failed) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
      )
      socket.once('data', (data) => done(Number(String(data).split(' ')[1])))
      socket.once('error', failed)
    })
    expect(answer).toBe(status)
  })
})

describe('a server whose settings are wrong does not open the listener', () => {
  const open = (given: object = {}, own: CodeSources | null = sources) =>
    openWebhooks({
      settings: { ...settings(), ...given },
      sources: own ?? undefined,
      reviews: undefined,
      files: localFiles,
      log: logger,
      figures,
    })

  it('is silent without a port', async () => {
    await (await open({ webhook_port: 0 }, null)).close()
  })

  it.each<[string, object, null | 'ours', string]>([
    ['no sources', {}, null, 'there are no code sources to fetch'],
    ['plain HTTP over the network', { webhook_bindaddress: '0.0.0.0' }, 'ours', 'would use plain HTTP'],
    ['plain HTTP over IPv6', { webhook_bindaddress: '::' }, 'ours', 'would use plain HTTP'],
    ['no certificate', { webhook_cert: join(folder, 'none.pem') }, 'ours', "missing from '"],
  ])('%s', async (_, given, own, why) => {
    await expect(open(given, own === 'ours' ? sources : own)).rejects.toThrow(why)
  })

  it('a secret that others may read', async () => {
    chmodSync(secretFile, 0o644)
    await expect(open()).rejects.toThrow('is not protected: its mode is 0644')
    chmodSync(secretFile, 0o600)
  })

  it('speaks TLS with a certificate of its own', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execaSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-subj',
      '/CN=hooks.example.com',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-days',
      '2',
    ])
    const other = await freePort()
    const secure = await open({ webhook_port: other, webhook_cert: cert, webhook_key: key })
    const text = fresh(payloads.gitlab.body)
    const headers = { ...payloads.gitlab.headers, ...proofs['gitlab']!(text) }
    const answer = await post('/webhooks/gitlab', headers, text, secureRequest as typeof request, {
      port: other,
      ca: readFileSync(cert),
    })
    expect(answer.status).toBe(202)
    const take = await secure.prepare(loadSettings({ given: { certname: 'a.test' } }))
    take()
    // No body is read of an address that sent many without a right proof; behind a proxy all have one, and none is kept out.
    const sendTo = (proof: string) =>
      post('/webhooks/gitlab', { ...headers, 'x-gitlab-token': proof }, text, secureRequest as typeof request, {
        port: other,
        ca: readFileSync(cert),
      })
    for (let at = 0; at < 60; at++) expect((await sendTo('guess')).status).toBe(401)
    expect((await sendTo(secret)).status).toBe(429)
    for (let at = 0; at < 70; at++) await post('/webhooks/github', { 'x-github-event': 'push' }, 'x')
    expect((await send('github')).status).toBe(202)
    await secure.close()
  })
})
