import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { parseCertificate } from '../../src/ca/x509/certificate.ts'
import { runCommandLine } from '../../src/cli/program.ts'
import { loadSettings } from '../../src/machine/settings/settings.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../src/store/authority/configured-authority.ts'
import { authorityPostgres } from '../ca/database-fixture.ts'
import { requestFor } from '../ca/fixture.ts'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const lacks = without('PostgreSQL')

describe.skipIf(lacks !== '')(`plumb ca with an authority in PostgreSQL${lacks}`, () => {
  const postgres = authorityPostgres()

  function newHost(more: Record<string, string> = {}) {
    const confdir = scratchFolder('ca-store-cli')
    const places = { confdir, vardir: join(confdir, 'var'), key_type: 'ec', autosign: 'false', ...more }
    const plumbCa = async (...words: readonly string[]) => {
      const said = { out: '', err: '' }
      const io = {
        stdin: Readable.from([]),
        out(text: string) {
          said.out += text
        },
        err(text: string) {
          said.err += text
        },
        color: false,
      }
      const settings = Object.entries(places).map(([name, value]) => `--${name}=${value}`)
      return { status: await runCommandLine(['ca', ...settings, ...words], io), ...said }
    }
    const submit = async (...names: readonly string[]) => {
      const settings = loadSettings({ given: places, runMode: 'server' })
      const ca = await openConfiguredAuthority(settings, localSystem)
      for (const name of names) await ca.submit(name, await requestFor(name))
    }
    return { confdir, plumbCa, submit }
  }
  const inDatabase = () => ({
    ca_store: postgres.server.url(postgres.newDatabase()),
    ca_passfile: postgres.passfile,
  })

  it('sets up, lists, signs, revokes, renews, generates, prunes, deletes and cleans', async () => {
    const { confdir, plumbCa, submit } = newHost(inDatabase())
    expect((await plumbCa('list')).err).toContain(
      'Could not find the certificate authority: there is none in postgresql:',
    )
    const { status, out } = await plumbCa('setup', '--certname', 'ca.test')
    expect([status, out]).toMatchObject([0, expect.stringMatching(/^Generation succeeded\. The CA is in postgresql:/)])
    expect((await plumbCa('setup', '--certname', 'ca.test')).err).toContain('Found existing file at')
    await submit('a.test', 'b.test')
    expect((await plumbCa('list')).out).toMatch(/^Requested Certificates:\n {4}a\.test.*\n {4}b\.test/)
    expect((await plumbCa('sign', '--all')).out).toContain('Successfully signed certificate request for b.test')
    expect((await plumbCa('revoke', 'a.test')).out).toBe('Certificate for a.test has been revoked\n')
    expect((await plumbCa('list', '--all')).out).toMatch(
      /Signed[\s\S]*b\.test[\s\S]*Revoked Certificates:\n {4}a\.test/,
    )
    expect((await plumbCa('renew', 'b.test')).out).toContain('Renewed certificate for b.test')
    expect((await plumbCa('generate', 'c.test')).status).toBe(0)
    expect(parseCertificate(readFileSync(join(confdir, 'ssl/certs/c.test.pem'), 'utf8')).serial).toBe(6n)
    expect((await plumbCa('renew', '--ca')).out).toContain('Renewed the certificate of the CA')
    expect((await plumbCa('prune')).out).toContain('is: 1.')
    expect((await plumbCa('delete', '--revoked')).out).toBe(
      'Deleting certificate at ca_store: a.test\n1 certificate deleted.\n',
    )
    expect((await plumbCa('clean', 'c.test')).out).toContain('Cleaned files related to c.test')
    expect((await plumbCa('enable', '--infracrl')).err).toContain('has no revocation list for infrastructure nodes')
  })

  it('moves an authority into the database and back', async () => {
    const folder = newHost()
    await folder.plumbCa('setup', '--certname', 'ca.test')
    await folder.submit('a.test')
    const store = inDatabase()
    const places = { cadir: join(folder.confdir, 'ca'), ...store }
    const moving = newHost(places)
    expect((await folder.plumbCa('import', '--from-cadir')).err).toContain('ca_store does not name a database')
    expect((await moving.plumbCa('import', '--from-cadir')).out).toMatch(
      /^Copied the CA to postgresql:\S+: 1 certificate, 1 request\n/,
    )
    expect((await moving.plumbCa('sign', 'a.test')).status).toBe(0)
    const back = newHost(store)
    expect((await back.plumbCa('export')).out).toContain('2 certificates, 0 requests\n')
    expect(readFileSync(join(back.confdir, 'ca/serial'), 'utf8')).toBe('0004')
    expect((await moving.plumbCa('export')).err).toContain('Found existing file at')
  })

  it('needs a passphrase file', async () => {
    const { plumbCa } = newHost({ ...inDatabase(), ca_passfile: '' })
    expect((await plumbCa('setup')).err).toContain('needs an encrypted private key or an external signer')
  })
})
