import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import {
  addToken,
  getTokenPaths,
  readTokens,
  removeTokens,
  type TokenRequest,
} from '../../src/server/auth/token-file.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const { files } = localSystem
const nodes = '/pdb/query/v4/nodes'
let repository: ControlRepository
let serving: Serving
let file: string

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  serving = await serve({ code_repo: repository.bare, store: 'sqlite' })
  file = getTokenPaths(serving.settings).tokens
})
afterAll(async () => {
  await serving?.stop()
})

const made = (name: string, more: Partial<TokenRequest> = {}) =>
  addToken(file, { name, description: '', scopes: ['query'], expires: undefined, ...more }, files, Date.now())
const ask = (headers: Record<string, string>, path = nodes, method = 'GET') => serving.call(method, path, { headers })
const logged = () => serving.log.join('')
/** A server of its own, so that what one test guesses is not held against another. */
const fresh = () => serve({ code_repo: repository.bare, store: 'sqlite', token_file: file })

describe('a token', () => {
  it('lets in by either header, at once, and out at once when it is revoked', async () => {
    const token = await made('dashboard')
    expect(await ask({ 'x-authentication': token })).toMatchObject({ status: 200, text: '[]' })
    for (const scheme of ['Bearer', 'bearer'])
      expect((await ask({ authorization: `${scheme} ${token}` })).status).toBe(200)
    expect(await removeTokens(file, ['dashboard'], files)).toEqual(['dashboard'])
    expect(await ask({ 'x-authentication': token })).toMatchObject({
      status: 401,
      text: 'The token is unknown or has expired.',
    })
  })

  it('stands in the log by its name, and never itself', async () => {
    const token = await made('audited')
    await ask({ 'x-authentication': token })
    await ask({ authorization: `Bearer ${token}` }, '/pdb/cmd/v1', 'POST')
    expect(serving.log.some((line) => line.includes(`"client":"token 'audited'"`) && line.includes(nodes))).toBe(true)
    expect(logged()).toContain("Forbidden request: token 'audited'")
    expect(logged()).not.toContain(token.slice(-20))
  })

  it('asks, and does nothing else', async () => {
    const token = await made('asks')
    const refused = ['/pdb/cmd/v1', '/pdb/admin/v1/cmd', '/pdb', '/puppet-ca/v1/sign', '/puppet/v3/catalog/a.test']
    for (const path of refused)
      expect([path, (await ask({ 'x-authentication': token }, path, 'POST')).status]).toEqual([path, 403])
    const wider = ['/pdb/query/../cmd/v1', '/pdb/query/%2e%2e/cmd/v1']
    for (const path of wider)
      expect([path, (await ask({ 'x-authentication': token }, path)).status]).toEqual([path, 400])
    expect((await ask({ 'x-authentication': token }, nodes, 'DELETE')).status).toBe(403)
    expect((await ask({ 'x-authentication': token }, '/pdb/meta/v1/version')).status).toBe(200)
  })

  it('lets nobody in who has another scope, or whose time is over', async () => {
    const later = await made('later', { scopes: ['of-a-later-version'] })
    const over = await made('over', { expires: new Date(Date.now() - 1).toISOString() })
    expect((await ask({ 'x-authentication': later })).status).toBe(403)
    expect((await ask({ 'x-authentication': over })).status).toBe(401)
    expect(logged()).toMatch(/Rejected a token: 'over' expired on /)
  })

  it('is one: two, an empty or a huge one, and one of another form let nobody in', async () => {
    const another = await fresh()
    const token = await made('one')
    const wrong: Record<string, string>[] = [
      { 'x-authentication': token, authorization: `Bearer ${token}` },
      { 'x-authentication': `${token},${token}` },
      { 'x-authentication': '' },
      { 'x-authentication': `${token}x` },
      { 'x-authentication': token.toUpperCase() },
      { 'x-authentication': token.repeat(100) },
      { authorization: `Bearer ${'x'.repeat(8000)}` },
      { authorization: 'Bearer' },
    ]
    for (const headers of wrong) expect((await another.call('GET', nodes, { headers })).status).toBe(401)
    expect((await another.call('GET', nodes, { headers: { authorization: 'Basic eDp5' } })).status).toBe(403)
    expect((await another.call('GET', nodes, { headers: { authorization: `Basic ${token}` } })).status).toBe(403)
    await another.stop()
  })

  it('is counted when it is none, and keeps in who was let in before', async () => {
    const another = await fresh()
    const [known, unknown] = [await made('known'), await made('unknown')]
    const status = async (token: string, as?: string) =>
      (await another.call('GET', nodes, { headers: { 'x-authentication': token }, ...(as && { as }) })).status
    expect(await status(known)).toBe(200)
    const guess = (at: number) => `${known.slice(0, -4)}${String(at).padStart(4, '0')}`
    const { bound } = budgets.token.guesses
    for (let at = 0; at < bound; at++) expect(await status(guess(at))).toBe(401)
    expect(await status(guess(bound))).toBe(429)
    expect(await status(unknown)).toBe(429)
    expect(await status(known)).toBe(200)
    expect(await status(guess(0), 'admin.test')).toBe(200)
    expect(await status(guess(0), 'node.test')).toBe(401)
    await another.stop()
  })

  it('counts no more as soon as the file cannot be read, and again when it can', async () => {
    const token = await made('kept')
    expect((await ask({ 'x-authentication': token })).status).toBe(200)
    const before = readFileSync(file)
    for (const broken of ['{', '{"version":2,"tokens":[]}', '{"version":1,"tokens":[{"id":"../x"}]}']) {
      writeFileSync(file, broken)
      expect([broken, (await ask({ 'x-authentication': token })).status]).toEqual([broken, 401])
    }
    rmSync(file)
    mkdirSync(file)
    expect((await ask({ 'x-authentication': token })).status).toBe(401)
    expect(logged()).toContain('Could not read the tokens in')
    rmSync(file, { recursive: true })
    writeFileSync(file, before, { mode: 0o600 })
    expect((await ask({ 'x-authentication': token })).status).toBe(200)
  })

  it('is kept as a digest in a file of its owner, with the time of its last use beside', async () => {
    const another = await fresh()
    const token = await made('digested')
    expect((await another.call('GET', nodes, { headers: { 'x-authentication': token } })).status).toBe(200)
    await another.stop()
    const { uses } = getTokenPaths(serving.settings)
    for (const path of [file, uses]) {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(readFileSync(path, 'utf8')).not.toContain(token.slice(-43))
    }
    const places = ['--vardir', serving.settings.vardir, '--confdir', serving.settings.confdir]
    const listed = JSON.parse(String((await plumb(['token', 'list', '--render-as', 'json', ...places])).stdout))
    const [own] = listed.filter(({ name }: { name: string }) => name === 'digested')
    expect(Date.now() - Date.parse(own.last_used)).toBeLessThan(60_000)
    expect(JSON.stringify(listed)).not.toContain('digest"')
  })
})

it.skipIf(process.getuid?.() !== 0)(
  'made by root, belongs to the owner of its folder (root alone can give it)',
  async () => {
    const folder = scratchFolder('owned')
    const { tokens } = getTokenPaths({ token_file: join(folder, 'tokens.json') })
    const owner = () => [statSync(tokens).uid, statSync(tokens).gid]
    const add = (name: string) =>
      addToken(tokens, { name, description: '', scopes: ['query'], expires: undefined }, files, Date.now())
    await add('first')
    expect(owner()).toEqual([0, 0])
    chownSync(folder, 4711, 4712)
    await add('second')
    expect(owner()).toEqual([4711, 4712])
  },
)

describe('the rules of auth.conf', () => {
  it('let tokens in by their scope, but where they deny everybody', async () => {
    const auth_conf = join(scratchFolder('auth'), 'auth.conf')
    const rule = (name: string, path: string, rest: string) =>
      `{ name: ${name}, sort-order: 1, match-request: { path: "${path}", type: path }, ${rest} }`
    const rules = [
      rule('open', '/pdb/query', 'allow-token: query'),
      rule('closed', '/pdb/meta/v1/version', 'deny: "*", allow-token: [query]'),
      rule('named', '/pdb/meta', 'deny: "bad.test", allow: "good.test", allow-token: query'),
    ]
    writeFileSync(auth_conf, `authorization: { version: 1, rules: [ ${rules.join(', ')} ] }`)
    const another = await serve({ code_repo: repository.bare, store: 'sqlite', token_file: file, auth_conf })
    const headers = { 'x-authentication': await made('by-rule') }
    const time = '/pdb/meta/v1/server-time'
    const status = async (path: string, call: object) => (await another.call('GET', path, call)).status
    expect(await status(nodes, { headers })).toBe(200)
    expect(await status('/pdb/meta/v1/version', { headers })).toBe(403)
    expect(await status(time, { headers })).toBe(200)
    expect(await status(time, { headers, as: 'bad.test' })).toBe(403)
    expect(await status(time, { as: 'good.test' })).toBe(200)
    expect(await status(nodes, { as: 'good.test' })).toBe(403)
    await another.stop()
  })
})

describe('plumb token', () => {
  const folder = scratchFolder('token')
  const run = (...words: string[]) =>
    plumb(['token', ...words, '--vardir', join(folder, 'var'), '--confdir', join(folder, 'etc')])

  it('prints a token once, lists it, and forgets it', async () => {
    const { stdout, stderr } = await run('create', 'jane', '--description', 'her script', '--ttl', '12h')
    expect(stdout).toMatch(/^plumb_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/)
    expect(stderr).toMatch(/valid for query until \d{4}-/)
    expect(String((await run('list')).stdout).split('\n')).toEqual([
      expect.stringMatching(/^NAME +SCOPES +ID +CREATED +EXPIRES +LAST USED +DESCRIPTION$/),
      expect.stringMatching(/^jane +query +[0-9a-f]{16} .* never +her script$/),
    ])
    expect(await run('revoke', 'jane', 'joan')).toMatchObject({
      exitCode: 1,
      stdout: "Revoked token 'jane'",
      stderr: "Error: Could not find token 'joan'\n  'plumb token list' lists all tokens.",
    })
    expect((await run('list')).stdout).toBe('No tokens')
  })

  it.each([
    [['create'], 'No token name given to create'],
    [['create', 'Jane'], "'Jane' is not a valid token name"],
    [['create', 'a\u202eb'], 'is not a valid token name'],
    [['create', 'jane', '--ttl', 'soon'], "Invalid ttl 'soon'"],
    [['create', 'jane', '--ttl', '0'], "Invalid ttl '0'"],
    [['create', 'jane', '--ttl', '11y'], "Invalid ttl '11y'"],
    [['create', 'jane', '--scope', 'everything'], "Unknown token scope 'everything'"],
    [
      ['create', 'jane', '--description', 'two\nlines'],
      'The description must be a single line of at most 200 characters',
    ],
  ])('refuses %j', async (words, said) => {
    const { exitCode, stdout, stderr } = await run(...words)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(said)
    expect(stdout).toBe('')
  })

  it('makes one of a name, whoever asks at the same time', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => made(`same-${at % 2}`)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect((await readTokens(file, files)).filter(({ name }) => name.startsWith('same-'))).toHaveLength(2)
  })
})
