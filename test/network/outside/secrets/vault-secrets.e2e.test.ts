import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../../../src/machine/settings/settings.ts'
import { OutsideRequests } from '../../../../src/network/outside/outside-requests.ts'
import { getSecretCacheKey, toRecordedSecretQuestion } from '../../../../src/network/outside/secrets/secret-question.ts'
import { testSettings } from '../../../code/environments/settings.ts'
import { identities } from '../../../store/puppetdb/https-server.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { openVault, type VaultServer } from '../../../support/vault.ts'

const tokens = { root: Infinity, 'only-self': Infinity }
const keys = scratchFolder('vault-keys')
const elsewhere = scratchFolder('vault-elsewhere')
let vault: VaultServer
let other: VaultServer

beforeAll(async () => {
  const { server, client } = await identities()
  vault = await openVault(server)
  other = await openVault()
  const files = { 'ca.pem': client.ca, 'host.pem': client.cert, 'host.key': client.key }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(keys, name), String(text))
  writeFileSync(join(keys, 'both.pem'), `${client.cert}\n${client.key}`)
  writeFileSync(join(keys, 'token'), 'root\n')
  writeFileSync(join(keys, 'secret-id'), 'shh\n')
  writeFileSync(join(keys, 'jwt'), 'a.b.c\n')
  writeFileSync(join(elsewhere, 'token'), 'root\n')
})
beforeEach(() =>
  vault.set({
    tokens,
    isRenewable: true,
    odd: undefined,
    isSealed: false,
    lease: 3600,
    logins: 0,
    renewals: 0,
    leases: 0,
    created: '2026-01-02T03:04:05.678Z',
    seen: [],
  }),
)
afterAll(() => Promise.all([vault?.stop(), other?.stop()]))

/** Requests as the server of the settings sends them, with a limit of milliseconds for a response. */
function open(given: Partial<Settings> = {}, limitMs = 60_000): OutsideRequests {
  const own = { external_vault_addresses: [vault.url], eyaml_keydirs: [keys], external_lookup_ttl: 0 }
  const host = { hostcert: join(keys, 'host.pem'), hostprivkey: join(keys, 'host.key') }
  const authority = { external_http_ca_file: join(keys, 'ca.pem') }
  return new OutsideRequests(
    { ...testSettings({}), ...own, ...host, ...authority, ...given },
    { dnsMs: limitMs, httpMs: limitMs },
  )
}

const question = (more: object = {}, credentials: Record<string, string> = { token: 'root' }) => ({
  ...{ store: 'vault', address: vault.url, path: 'kv/data/app/password', credentials, ...more },
})

async function ask(requests: OutsideRequests, ...args: Parameters<typeof question>) {
  return JSON.parse(await requests.ask(JSON.stringify({ secret: question(...args) })))
}

const value = { data: { data: { value: 'two' } }, version: '2 2026-01-02T03:04:05.678Z' }

describe('logs in', () => {
  it.each([
    ['with a token', { token: 'root' }],
    ['with the token in a file', { token: join(keys, 'token') }],
    ['as an AppRole', { auth_method: 'approle', role_id: 'role', secret_id: 'shh' }],
    [
      'as an AppRole with its secret id in a file',
      { auth_method: 'approle', role_id: 'role', secret_id: join(keys, 'secret-id') },
    ],
    [
      'as an AppRole of another mount',
      { auth_method: 'approle', role_id: 'role', secret_id: 'shh', approle_path_segment: '/v1/auth/teams/approle/' },
    ],
    [
      'as a service account of Kubernetes',
      { auth_method: 'kubernetes', kubernetes_role: 'puppet', jwt_file: join(keys, 'jwt') },
    ],
    ["with the server's own certificate", { auth_method: 'cert' }],
    ['with another certificate', { auth_method: 'cert', ssl_pem_file: join(keys, 'both.pem') }],
  ])('%s', async (_, credentials) => {
    expect(await ask(open(), {}, credentials)).toMatchObject(value)
  })

  it.each([
    ['without a token', {}, 'no token set in options and no token in VAULT_TOKEN'],
    [
      'with a file elsewhere',
      { token: join(elsewhere, 'token') },
      'is not a readable file in a directory of the setting eyaml_keydirs',
    ],
    [
      'with an unknown method',
      { auth_method: 'ldap' },
      "auth_method 'ldap' is not supported; the supported methods are token, approle, kubernetes, cert",
    ],
    ['without a role id', { auth_method: 'approle' }, "auth_method 'approle' requires role_id"],
    ['with a method of Object', { auth_method: 'constructor' }, "auth_method 'constructor' is not supported"],
    [
      'with a CA elsewhere',
      { token: 'root', ssl_ca_cert: '/etc/ssl/certs/ca-certificates.crt' },
      'is not a readable file',
    ],
  ])('not %s', async (_, credentials, refused) => {
    expect(await ask(open(), {}, credentials)).toEqual({ refused: expect.stringContaining(refused) })
    expect((await vault.report()).seen).toEqual([])
  })

  it.each(['two-lines', 'host.key', 'age.txt'])('not with a file that is no credential: %s', async (name) => {
    writeFileSync(join(keys, 'two-lines'), 'a\nb')
    writeFileSync(join(keys, 'age.txt'), 'AGE-SECRET-KEY-1XYZ')
    const refused = `${join(keys, name)} is not a file with one line that contains a credential`
    expect(await ask(open(), {}, { auth_method: 'approle', role_id: join(keys, name) })).toEqual({ refused })
    expect((await vault.report()).seen).toEqual([])
  })

  it('not at a path outside of the API', async () => {
    const login = { auth_method: 'approle', role_id: 'role', approle_path_segment: '../../collect' }
    expect(await ask(open(), {}, login)).toEqual({
      failure: "login with auth_method 'approle' failed: auth/../../collect/login is not a valid path of a secret",
    })
    expect((await vault.report()).seen).toEqual([])
  })

  it('with the new token after the file of a revoked token is replaced, and fails before', async () => {
    const requests = open()
    const file = join(keys, 'sink')
    writeFileSync(file, 'first')
    await vault.set({ tokens: { first: Date.now() + 3_600_000 } })
    expect(await ask(requests, {}, { token: file })).toMatchObject(value)
    await vault.set({ tokens: { second: Infinity } })
    expect(await ask(requests, {}, { token: file })).toEqual({
      failure: "login with auth_method 'token' failed: permission denied",
    })
    writeFileSync(file, 'second')
    expect(await ask(requests, {}, { token: file })).toMatchObject(value)
  })

  it('not with a wrong secret id, which no message contains', async () => {
    const answer = await ask(open(), {}, { auth_method: 'approle', role_id: 'role', secret_id: 'wrong-secret' })
    expect(answer).toEqual({ failure: "login with auth_method 'approle' failed: invalid role or secret ID" })
  })

  it('once for many secrets, and again after its token is revoked', async () => {
    const requests = open()
    const credentials = { auth_method: 'approle', role_id: 'role', secret_id: 'shh' }
    for (const path of ['kv/data/app/password', 'kv/data/app/json', 'kv/data/app/other'])
      await ask(requests, { path }, credentials)
    expect((await vault.report()).logins).toBe(1)
    await vault.set({ tokens: {} })
    expect(await ask(requests, {}, credentials)).toMatchObject(value)
    expect((await vault.report()).logins).toBe(2)
  })

  it('not again for a secret that its token may not read', async () => {
    const requests = open()
    const credentials = { auth_method: 'approle', role_id: 'role', secret_id: 'shh' }
    for (const path of ['forbidden/a', 'forbidden/b'])
      expect(await ask(requests, { path }, credentials)).toMatchObject({ status: 403 })
    expect((await vault.report()).logins).toBe(1)
  })

  it.each([
    ['renews its token', true, { logins: 1, renewals: 1 }],
    ['logs in again if the token cannot be renewed', false, { logins: 2, renewals: 0 }],
  ])('and %s after half of its lifetime', async (_, isRenewable, counts) => {
    const requests = open()
    const credentials = { auth_method: 'approle', role_id: 'role', secret_id: 'shh' }
    await vault.set({ lease: 2, isRenewable })
    expect(await ask(requests, {}, credentials)).toMatchObject(value)
    // Wall clock: a token of 2 s is renewed after 1 s.
    await new Promise((done) => setTimeout(done, 1100))
    expect(await ask(requests, {}, credentials)).toMatchObject(value)
    expect(await vault.report()).toMatchObject(counts)
  })
})

describe('reads', () => {
  it('a version, a namespace, and a list', async () => {
    const requests = open()
    const first = { data: { data: { value: 'one' } }, version: '1 2026-01-02T03:04:05.678Z' }
    for (const version of [1, first.version]) expect(await ask(requests, { version })).toMatchObject(first)
    expect(await ask(requests, { namespace: 'team/' })).toMatchObject(value)
    expect(await ask(requests, { namespace: 'other/' })).toEqual({ absent: true })
    expect(await ask(requests, { path: 'kv/metadata/users', list: true })).toMatchObject({ names: ['ada', 'bob'] })
  })

  it('a missing and a forbidden secret', async () => {
    expect(await ask(open(), { path: 'kv/data/nothing' })).toEqual({ absent: true })
    expect(await ask(open(), {}, { token: 'only-self' })).toEqual({
      ...{ status: 403, errors: '1 error occurred:\n\t* permission denied' },
    })
  })

  it('another version of a secret that was deleted and created again', async () => {
    const first = await ask(open())
    await vault.set({ created: '2026-02-01T00:00:00Z' })
    expect(await ask(open(), { version: first.version })).toMatchObject({ version: '2 2026-02-01T00:00:00Z' })
  })

  it('a secret once while its lifetime lasts, also for its recorded question', async () => {
    const requests = open({ external_lookup_ttl: 60 })
    const [first] = await Promise.all([ask(requests), ask(requests)])
    const recorded = toRecordedSecretQuestion(question())
    expect(JSON.parse(await requests.ask(JSON.stringify({ secret: recorded })))).toEqual(first)
    expect((await vault.report()).seen.filter(({ path }) => path.startsWith('kv/'))).toHaveLength(1)
    expect(JSON.stringify(recorded)).not.toContain('root')
    expect(getSecretCacheKey(recorded)).toBe(getSecretCacheKey(question()))
  })

  it('a leased secret until two thirds of its lease', async () => {
    const requests = open()
    const path = 'database/creds/app'
    const first = await ask(requests, { path })
    expect(await ask(requests, { path })).toEqual(first)
    await vault.set({ lease: 0 })
    const short = await ask(open(), { path })
    expect(short.version).toMatch(/^lease [0-9a-f]{32}$/)
    expect((await vault.report()).leases).toBe(2)
  })

  it('a secret again if the lifetime of a level is shorter than that of another', async () => {
    const requests = open({ external_lookup_ttl: 60 })
    const count = async () => (await vault.report()).seen.filter(({ path }) => path.startsWith('kv/')).length
    for (const ttl of [3600, 3600, 0, 3600]) await ask(requests, { ttl })
    expect(await count()).toBe(2)
  })

  it('secrets of other engines with fields of KV v2 with a digest as their version', async () => {
    const { secrets } = await vault.report()
    const fields = { data: 'x', metadata: { version: 'hunter2-secret' } }
    await vault.set({ secrets: { ...secrets, old: { ...secrets['old'], odd: fields } } })
    const { version } = await ask(open(), { path: 'old/odd' })
    expect(version).toMatch(/^[0-9a-f]{32}$/)
  })

  it('secrets of KV v1 with a digest as their version, which differs in each process', async () => {
    const path = 'old/app/password'
    const [one, again, others] = [open(), open(), { path }]
    const [first, second] = [await ask(one, others), await ask(again, others)]
    expect(first.version).toMatch(/^[0-9a-f]{32}$/)
    expect(await ask(one, others)).toEqual(first)
    expect(second).toEqual({ ...first, version: expect.not.stringMatching(first.version) })
  })
})

describe('rejects', () => {
  it.each([
    ['another server', { address: 'https://vault.evil.example' }],
    ['another port', { address: 'https://localhost:1' }],
    ['another scheme', { address: 'ftp://localhost' }],
    ['a user in the URL', { address: 'https://u:p@localhost:1' }],
  ])('%s', async (_, more) => {
    expect(await ask(open(), more)).toEqual({
      refused: `The setting external_vault_addresses does not allow ${more.address}`,
    })
  })

  it.each(['kv/data/../../sys/seal', 'kv/./x', 'a\nb', 'a\u0000b'])('the path %j', async (path) => {
    expect(await ask(open(), { path })).toEqual({ refused: `${path} is not a valid path of a secret` })
  })

  it('a redirect to a server that is not allowed, without sending it the token', async () => {
    await vault.set({ odd: other.url })
    expect(await ask(open())).toEqual({
      failure: `it redirects to ${other.url}, which the setting external_vault_addresses does not allow`,
    })
    expect((await other.report()).seen).toEqual([])
  })

  it('a second redirect', async () => {
    await vault.set({ odd: vault.url })
    expect(await ask(open())).toEqual({ failure: expect.stringContaining('it redirects to') })
  })

  it('a certificate of another authority', async () => {
    const answer = await ask(open({ external_http_ca_file: '' }))
    expect(answer).toEqual({ failure: expect.stringMatching(/certificate/) })
  })

  it.each([
    ['html', 'its response with status 200 is not JSON'],
    ['huge', 'its response exceeds 1048576 bytes'],
    ['endless', 'its response exceeds 1048576 bytes'],
    ['many', 'its response with status 200 is not JSON'],
    ['deep', 'its response with status 200 is not JSON'],
    ['silent', 'no response within 4 seconds'],
  ])('a server whose answer is %s', async (odd, failure) => {
    await vault.set({ odd })
    expect(await ask(open({}, odd === 'silent' ? 4000 : undefined))).toEqual({ failure })
  })

  it.each<readonly [odd: string, more: object, failure: string]>([
    ['200', {}, 'its response contains no valid data'],
    ['204', {}, 'its response contains no valid data'],
    ['{}', {}, 'its response contains no valid data'],
    ['{"data":null}', {}, 'its response contains no valid data'],
    ['{"data":"x"}', {}, 'its response contains no valid data'],
    ['{"data":{}}', { path: 'kv/metadata/users', list: true }, 'its response contains no valid keys'],
    ['404', {}, 'its response contains no valid errors'],
    [
      '{"data":{}}',
      { path: 'transit/decrypt/k', ciphertext: 'vault:v1:eA==' },
      'its response contains no valid plaintext',
    ],
    ['204', { path: 'transit/decrypt/k', ciphertext: 'vault:v1:eA==' }, 'status 204'],
  ])('the response %s for %j, which contains no secret', async (odd, more, failure) => {
    const requests = open()
    await ask(requests, { path: 'kv/data/nothing' })
    await vault.set({ odd })
    expect(await ask(requests, more)).toEqual({ failure })
  })

  it.each([
    ['transit/decrypt/k', 'evil value'],
    ['transit/decrypt/k', 'vault:v1:eA==\n'],
    ['transit/encrypt/k', 'vault:v1:eA=='],
    ['old/decrypt/k/x', 'vault:v1:eA=='],
  ])('a text for %s that Vault could write instead of decrypting it: %j', async (path, ciphertext) => {
    const refused = `the text for ${path} is not a ciphertext of the transit engine of Vault`
    expect(await ask(open(), { path, ciphertext })).toEqual({ refused })
    expect((await vault.report()).seen).toEqual([])
  })

  it('a server that fails, and one that is sealed', async () => {
    await vault.set({ odd: 'error' })
    expect(await ask(open())).toEqual({ status: 500, errors: '1 error occurred:\n\t* internal error' })
    await vault.set({ odd: undefined, isSealed: true })
    expect(await ask(open())).toEqual({ status: 503, errors: 'Vault is sealed' })
  })
})

it('follows a redirect to another allowed server', async () => {
  await vault.set({ odd: other.url })
  expect(await ask(open({ external_vault_addresses: [vault.url, other.url] }))).toMatchObject(value)
})
