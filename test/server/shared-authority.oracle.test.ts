import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatPublicSettings } from '../../src/machine/settings/public-settings.ts'
import { authorityPostgres } from '../ca/database-fixture.ts'
import { requestFor } from '../ca/fixture.ts'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const lacks = without('PostgreSQL')
const environments = '/puppet/v3/environments'
const ca = '/puppet-ca/v1'

describe.skipIf(lacks !== '')(`two servers with one authority in PostgreSQL${lacks}`, () => {
  const postgres = authorityPostgres()
  const servers: Serving[] = []
  let settings: Record<string, string>
  let one: Serving
  let two: Serving

  beforeAll(async () => {
    const ca_store = postgres.server.url(postgres.newDatabase())
    const environmentpath = scratchFolder('shared-authority-environments')
    settings = { ca_store, ca_passfile: postgres.passfile, environmentpath, autosign: 'true', ocsp: 'true' }
    one = await start('one.test')
    two = await start('two.test')
  })
  afterAll(async () => {
    for (const each of servers) await each.stop()
  })

  /** A server that is known as `localhost` to its clients. */
  async function start(certname: string, more: Record<string, string> = {}): Promise<Serving> {
    const server = await serve({ ...settings, certname, dns_alt_names: 'localhost', ...more })
    servers.push(server)
    return server
  }

  const text = { 'content-type': 'text/plain' }
  const submit = async (server: Serving, name: string) =>
    server.call('PUT', `${ca}/certificate_request/${name}`, { headers: text, body: await requestFor(name) })

  it('sign for each other, and each for itself', async () => {
    expect((await submit(one, 'a.test')).status).toBe(200)
    expect((await submit(two, 'b.test')).status).toBe(200)
    expect((await submit(two, 'a.test')).text).toContain('a.test already has a signed certificate')
    for (const server of servers) {
      const { text: listed } = await server.call('GET', `${ca}/certificate_statuses/all`, {
        as: `admin-${server.settings.certname}`,
      })
      const statuses: { name: string; state: string }[] = JSON.parse(listed)
      expect(statuses.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['a.test', 'b.test', 'one.test', 'two.test']),
      )
      expect((await server.call('GET', `${ca}/certificate/b.test`)).text).toContain('BEGIN CERTIFICATE')
    }
  })

  it('refuse a client whose certificate the other revoked', async () => {
    const credentials = await one.credentials('client.test')
    const call = async (server: Serving) => (await server.call('GET', environments, { credentials })).status
    expect([await call(one), await call(two)]).toEqual([200, 200])
    await expect
      .poll(
        async () =>
          (
            await one.call('PUT', `${ca}/certificate_status/client.test`, {
              as: 'admin-one.test',
              headers: { 'content-type': 'application/json' },
              body: '{"desired_state": "revoked"}',
            })
          ).status,
      )
      .toBe(204)
    await expect.poll(() => call(two)).toBe(403)
    await expect.poll(() => call(one)).toBe(403)
    const lists = await Promise.all(servers.map((each) => each.call('GET', `${ca}/certificate_revocation_list/ca`)))
    expect(lists[0]!.text).toBe(lists[1]!.text)
  })

  it('answer OCSP for certificates of each other', async () => {
    const folder = scratchFolder('shared-ocsp')
    const at = (name: string) => join(folder, name)
    writeFileSync(at('ca.pem'), (await one.call('GET', `${ca}/certificate/ca`)).text)
    for (const name of ['a.test', 'client.test'])
      writeFileSync(at(name), (await one.call('GET', `${ca}/certificate/${name}`)).text)
    const openssl = (...words: readonly string[]) =>
      execFileSync('openssl', ['ocsp', '-issuer', 'ca.pem', '-CAfile', 'ca.pem', '-no_nonce', ...words], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    for (const server of servers)
      for (const [name, state] of [
        ['a.test', 'good'],
        ['client.test', 'revoked'],
      ] as const) {
        openssl('-cert', name, '-reqout', 'request.der')
        const headers = { 'content-type': 'application/ocsp-request' }
        const response = await server.call('POST', '/ocsp', { headers, body: readFileSync(at('request.der')) })
        writeFileSync(at('response.der'), response.bytes)
        expect(openssl('-cert', name, '-respin', 'response.der')).toContain(`${name}: ${state}`)
      }
  })

  it('serve lists and check clients while the database is away, also after a restart, and sign again later', async () => {
    const client = { credentials: await two.credentials('stays.test') }
    const revoked = { credentials: await one.credentials('client.test') }
    const list = `${ca}/certificate_revocation_list/ca`
    const lists = (await two.call('GET', list)).text
    const { confdir, vardir } = two.settings
    await servers.pop()?.stop()
    await postgres.server.stop()
    const again = await start('two.test', { confdir, vardir })
    for (const server of [one, again]) {
      expect((await server.call('GET', list)).text).toBe(lists)
      expect((await server.call('GET', `${ca}/certificate/ca`)).text).toContain('BEGIN CERTIFICATE')
      expect((await server.call('GET', environments, client)).status).toBe(200)
      expect((await server.call('GET', environments, revoked)).status).toBe(403)
      const { status, headers, text: said } = await submit(server, 'late.test')
      expect([status, headers['retry-after']]).toEqual([503, '30'])
      expect(said).toBe('The certificate authority is unavailable. Please try again later.')
      expect(server.log.join('')).toContain('The database of the certificate authority is unavailable: ')
    }
    await postgres.server.restart()
    await expect.poll(async () => (await submit(again, 'late.test')).status).toBe(200)
    // A server queries the database again two seconds after an outage.
    const find = async () => (await one.call('GET', `${ca}/certificate/late.test`)).text
    await expect.poll(find).toContain('BEGIN CERTIFICATE')
  })

  it('keep the password of the database from code', async () => {
    expect(one.log.join('')).not.toContain('correct horse')
    const printed = formatPublicSettings(one.settings)
    expect(printed['ca_store']).toBeUndefined()
  })
})
