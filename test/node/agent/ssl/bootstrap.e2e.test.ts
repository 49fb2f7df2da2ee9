import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { puppetVersion } from '../../../../src/base/puppet-version.ts'
import { parseCertificate } from '../../../../src/ca/x509/certificate.ts'
import { computeFingerprint } from '../../../../src/ca/x509/fingerprint.ts'
import type { Settings } from '../../../../src/machine/settings/settings.ts'
import { FileLock } from '../../../../src/machine/system/file-lock.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import type { System } from '../../../../src/machine/system/system.ts'
import { createSession } from '../../../../src/network/client/session.ts'
import {
  type BootstrapOptions,
  ensureAuthorities,
  ensureClientCertificate,
} from '../../../../src/node/agent/ssl/bootstrap.ts'
import { newAuthority } from '../../../ca/fixture.ts'
import { openssl } from '../../../ca/x509/openssl.ts'
import { listen, type TlsServer } from './tls-server.ts'

const signAll = async () => true
const day = 86_400_000
const servers: TlsServer[] = []
const start = async (...args: Parameters<typeof listen>) => {
  const server = await listen(...args)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

function optionsFor(settings: Settings, change: Partial<BootstrapOptions> = {}) {
  const logs: string[] = []
  const options: BootstrapOptions = {
    settings,
    system: localSystem,
    puppetVersion,
    log: (level, message) => logs.push(`${level}: ${message}`),
    say: (text) => logs.push(`say: ${text.trim()}`),
    onetime: true,
    ...change,
  }
  return { options, logs }
}

describe('a host without anything', () => {
  it('gets authorities, lists, key and certificate, and needs nothing the second time', async () => {
    const server = await start({ autosign: signAll })
    const settings = await server.settingsFor('a.test')
    const { options, logs } = optionsFor(settings)
    const { certificate, tls } = await ensureClientCertificate(options)
    expect(certificate.der.equals(parseCertificate(await readFile(settings.hostcert, 'utf8')).der)).toBe(true)
    expect(
      openssl('verify', '-crl_check', '-CAfile', settings.localcacert, '-CRLfile', settings.hostcrl, settings.hostcert),
    ).toContain('OK')
    expect((await stat(settings.hostprivkey)).mode & 0o777).toBe(0o600)
    expect(logs.filter((line) => !line.startsWith('debug'))).toEqual([
      'info: Creating a new EC SSL key for a.test using curve prime256v1',
      `info: Downloaded certificate for a.test from https://localhost:${server.port}/puppet-ca/v1`,
    ])
    for (const gone of [settings.hostcsr, settings.ssl_lockfile]) await expect(stat(gone)).rejects.toThrow('ENOENT')

    await server.close()
    const again = await ensureClientCertificate(optionsFor(settings).options)
    expect(again.tls).toEqual(tls)
  })

  it('waits for its certificate to be signed', async () => {
    const server = await start()
    const settings = await server.settingsFor('a.test', { waitforcert: '1' })
    const { options, logs } = optionsFor(settings, { onetime: false })
    const waiting = ensureClientCertificate(options)
    await expect.poll(() => logs.at(-1)).toBe('info: Will try again in 1 seconds.')
    await server.ca.sign('a.test')
    expect((await waiting).certificate.serial).toBe(3n)
    expect(logs).toContain('info: Certificate for a.test has not been signed yet')
    expect(logs).toContain(
      "say: Couldn't fetch certificate from CA server; you might still need to sign this agent's certificate (a.test).",
    )
  })

  it.each([
    [{ waitforcert: '0' }, 'Exiting now because the waitforcert setting is set to 0.'],
    [{ waitforcert: '1', maxwaitforcert: '0' }, 'Exiting now because the maxwaitforcert timeout has been exceeded.'],
    [
      { serverport: '1' },
      /^Request to https:\/\/localhost:1\/puppet-ca\/v1\/certificate\/ca failed after [\d.]+ seconds: Failed to open TCP connection to localhost:1 \(Connection refused/,
    ],
    [
      { ca_fingerprint: 'AB'.repeat(32) },
      /^CA bundle with digest \(SHA256\) [0-9A-F:]{95} did not match expected digest (?:AB:){31}AB$/,
    ],
  ])('gives up with %j', async (change, message) => {
    const server = await start()
    const settings = await server.settingsFor('a.test', change)
    await expect(ensureClientCertificate(optionsFor(settings).options)).rejects.toThrow(message)
    await expect(stat(settings.ssl_lockfile)).rejects.toThrow('ENOENT')
  })

  it.each([
    ['is rejected', {}, /^The server rejected the certificate request for a.test: CSR 'a.test' contains extra subject/],
    ['is rejected, with a certificate made otherwise', { hasCertificate: true }, undefined],
  ])(
    "reports the server's reason when the request %s",
    async (_, { hasCertificate }: { hasCertificate?: boolean }, why) => {
      const server = await start({ autosign: signAll })
      const settings = await server.settingsFor('a.test', { dns_alt_names: 'b.test', waitforcert: '1' })
      const first = await server.settingsFor('a.test', { ssldir: `${settings.ssldir}.first` })
      if (hasCertificate) await ensureClientCertificate(optionsFor(first).options)
      const answer = ensureClientCertificate(optionsFor(settings).options).then(
        () => undefined,
        (error: Error) => error.message,
      )
      if (why) expect(await answer).toMatch(why)
      else expect(await answer).toMatch(/does not match its private key/)
    },
  )

  it('asks for what csr_attributes.yaml and dns_alt_names say', async () => {
    const server = await start({ autosign: signAll, allowSubjectAltNames: true })
    const settings = await server.settingsFor('a.test', { dns_alt_names: 'b.test, IP:10.0.0.1' })
    await writeFile(
      settings.csr_attributes,
      'extension_requests:\n  pp_role: web\n  1.3.6.1.4.1.34380.1.2.9: own\ncustom_attributes:\n  challengePassword: secret\n',
    )
    await ensureClientCertificate(optionsFor(settings).options)
    const text = openssl('x509', '-noout', '-text', '-in', settings.hostcert)
    expect(text).toMatch(/DNS:a\.test, DNS:b\.test, IP Address:10\.0\.0\.1/)
    expect(text).toMatch(/34380\.1\.1\.13: \n\s+\.\.web[\s\S]*34380\.1\.2\.9: \n\s+\.\.own/)
  })

  it('copies the key and certificate of a server on the same machine that has its name', async () => {
    const server = await start({ autosign: signAll })
    const ofServer = await server.settingsFor('a.test')
    const { certificate } = await ensureClientCertificate(optionsFor(ofServer).options)
    const settings = await server.settingsFor('a.test')
    const copied = await ensureClientCertificate(optionsFor(settings, { server: () => ofServer }).options)
    expect(copied.certificate.serial).toBe(certificate.serial)
    expect(await readFile(settings.hostprivkey, 'utf8')).toBe(await readFile(ofServer.hostprivkey, 'utf8'))
    expect((await stat(settings.hostprivkey)).mode & 0o777).toBe(0o600)
  })

  it.each<[string, (ofServer: Settings) => Promise<unknown>]>([
    ['of another name', async () => undefined],
    [
      'whose key is another',
      ({ hostprivkey }) => writeFile(hostprivkey, openssl('ecparam', '-genkey', '-name', 'prime256v1', '-noout')),
    ],
    ['whose key is too large', ({ hostprivkey }) => writeFile(hostprivkey, 'x'.repeat(65_537))],
    ['whose key is no file', ({ hostprivkey }) => rm(hostprivkey).then(() => mkdir(hostprivkey))],
    ['whose certificate is gone', ({ hostcert }) => rm(hostcert)],
  ])('makes a key of its own beside a server %s', async (why, change) => {
    const server = await start({ autosign: signAll })
    const ofServer = await server.settingsFor('a.test')
    await ensureClientCertificate(optionsFor(ofServer).options)
    await change(ofServer)
    await server.ca.clean(['a.test'])
    const settings = await server.settingsFor(why === 'of another name' ? 'b.test' : 'a.test')
    const { options, logs } = optionsFor(settings, { server: () => ofServer })
    await ensureClientCertificate(options)
    expect(logs).toContain(`info: Creating a new EC SSL key for ${settings.certname} using curve prime256v1`)
  })

  it('trusts the authority whose fingerprint it knows', async () => {
    const server = await start()
    const { pem } = await server.ca.certificates()
    const settings = await server.settingsFor('a.test', {
      ca_fingerprint: computeFingerprint(Buffer.from(pem)).toLowerCase(),
    })
    await ensureAuthorities(optionsFor(settings).options)
    expect(await readFile(settings.localcacert, 'utf8')).toBe(pem)
  })
})

describe('a host with a certificate', () => {
  async function enrolled(change: Parameters<typeof listen>[0] = {}, more: Record<string, string> = {}) {
    const server = await start({ autosign: signAll, ...change })
    const settings = await server.settingsFor('a.test', more)
    const context = await ensureClientCertificate(optionsFor(settings).options)
    return { server, settings, context }
  }

  it('refuses one of another key', async () => {
    const { settings } = await enrolled()
    await writeFile(settings.hostprivkey, openssl('ecparam', '-genkey', '-noout', '-name', 'prime256v1'))
    const failing = ensureClientCertificate(optionsFor(settings).options)
    await expect(failing).rejects.toThrow("The certificate for 'CN=a.test' does not match its private key")
  })

  it('refuses one that is revoked, once it knows', async () => {
    const { server, settings } = await enrolled({}, { crl_refresh_interval: '1h' })
    await server.ca.revoke('a.test')
    await ensureClientCertificate(optionsFor(settings).options)
    const old = new Date(Date.now() - 2 * 3600_000)
    await utimes(settings.hostcrl, old, old)
    const { options, logs } = optionsFor(settings)
    await expect(ensureClientCertificate(options)).rejects.toThrow("Certificate 'CN=a.test' is revoked")
    expect(logs).toContain('info: Refreshing CRL')
  })

  it('keeps lists and authorities that it cannot refresh, or that have not changed', async () => {
    const { server, settings } = await enrolled({}, { ca_refresh_interval: '0', crl_refresh_interval: '0' })
    const later = { system: { ...localSystem, now: () => Date.now() + 5000 } }
    const unchanged = optionsFor(settings, later)
    await ensureClientCertificate(unchanged.options)
    expect(unchanged.logs).toContain('info: CRL is unmodified, using existing CRL')
    await server.close()
    const { options, logs } = optionsFor(settings, later)
    await ensureClientCertificate(options)
    expect(logs.join('\n')).toMatch(/warning: Failed to refresh CRL, using existing CRL: Request to https/)
  })

  it('gets a new list after a month in which it was off, by which no server can be verified', async () => {
    let now = Date.now()
    const system = { ...localSystem, now: () => now }
    const server = await start({ autosign: signAll, system, listLifeMs: 30 * 86_400_000 })
    const settings = await server.settingsFor('a.test')
    await ensureClientCertificate(optionsFor(settings, { system }).options)
    now += 40 * 86_400_000
    expect(await server.ca.refreshRevocationList()).toBe(true)
    const { options, logs } = optionsFor(settings, { system })
    expect((await ensureClientCertificate(options)).certificate.serial).toBe(3n)
    expect(logs).toContain('info: Refreshing CRL')
    expect(await readFile(settings.hostcrl, 'utf8')).toBe((await server.ca.revocationLists()).pem)
  })

  it('renews it in its last month, when the server does', async () => {
    const { settings, context } = await enrolled({ allowAutoRenewal: true })
    const system = { ...localSystem, now: () => Date.now() + 70 * day }
    const key = await readFile(settings.hostprivkey, 'utf8')
    const { options, logs } = optionsFor(settings, { system })
    const renewed = await ensureClientCertificate(options)
    expect(logs.at(-1)).toMatch(
      /^info: Renewed client certificate: \S+, not before '[\d: -]+ UTC', not after '[\d: -]+ UTC'$/,
    )
    expect(await readFile(settings.hostprivkey, 'utf8')).toBe(key)
    expect(renewed.certificate.serial).toBe(context.certificate.serial + 1n)
    expect(parseCertificate(await readFile(settings.hostcert, 'utf8')).serial).toBe(renewed.certificate.serial)
  })

  it.each<[string, (server: TlsServer) => Partial<System['files']> | Promise<undefined>, RegExp]>([
    [
      'its disk is full',
      () => ({
        write: async () => {
          throw Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' })
        },
      }),
      /^warning: Unable to automatically renew certificate: No space left on device/,
    ],
    [
      'the server is gone',
      async (server) => void (await server.close()),
      /^warning: Unable to automatically renew certificate: Request to https:.* failed/,
    ],
  ])('goes on with the one that it has when %s', async (_, trouble, warning) => {
    const { server, settings, context } = await enrolled({ allowAutoRenewal: true })
    const before = await readFile(settings.hostcert, 'utf8')
    const files = { ...localSystem.files, ...(await trouble(server)) }
    const system = { ...localSystem, files, now: () => Date.now() + 70 * day }
    const lasting = { ...settings, ca_refresh_interval: 1e9, crl_refresh_interval: 1e9 }
    const { options, logs } = optionsFor(lasting, { system })
    expect((await ensureClientCertificate(options)).certificate.serial).toBe(context.certificate.serial)
    expect(logs.find((line) => line.startsWith('warning'))).toMatch(warning)
    expect(await readFile(settings.hostcert, 'utf8')).toBe(before)
  })

  it('keeps it when the server does not renew', async () => {
    const { settings, context } = await enrolled({ ttl: 86_400 * 20 })
    const { options, logs } = optionsFor(settings)
    expect((await ensureClientCertificate(options)).certificate.serial).toBe(context.certificate.serial)
    expect(logs).toContain('info: Certificate autorenewal has not been enabled on the server.')
  })

  it('does not talk to a server whose certificate is revoked, or is of another authority', async () => {
    const { server, settings, context } = await enrolled()
    const talk = async (tls: typeof context.tls) => {
      const session = createSession({ settings, tls, puppetVersion })
      try {
        return await session.ca.certificate('a.test')
      } finally {
        await session.close()
      }
    }
    expect(await talk(context.tls)).toContain('BEGIN CERTIFICATE')
    await server.ca.revoke('localhost')
    const crl = (await server.ca.revocationLists()).pem
    await expect(talk({ ...context.tls, crl })).rejects.toThrow(
      'certificate verify failed [certificate revoked for CN=localhost]',
    )
    const other = (await (await newAuthority()).ca.certificates()).pem
    await expect(talk({ ...context.tls, ca: other })).rejects.toThrow('certificate verify failed [')
  })
})

it('takes for an authority that has expired none of another key, whoever answers', async () => {
  const server = await start({ autosign: signAll })
  const settings = await server.settingsFor('a.test')
  await ensureClientCertificate(optionsFor(settings).options)
  const before = await readFile(settings.localcacert, 'utf8')
  const { port } = await start()
  const system = { ...localSystem, now: () => Date.now() + 6 * 365 * day }
  const { options, logs } = optionsFor({ ...settings, serverport: port, ca_port: port }, { system })
  await expect(ensureClientCertificate(options)).rejects.toThrow(
    "The certificate 'CN=Puppet CA: ca.test' has expired, verify time is synchronized",
  )
  expect(logs.join('\n')).toContain(
    'warning: Failed to refresh CA certificate, using existing CA certificate: ' +
      'The CA certificate of the server is not a renewal of the one that this host trusts',
  )
  expect(await readFile(settings.localcacert, 'utf8')).toBe(before)
})

it('names the names that the server has, when it is not the one that was asked', async () => {
  const server = await start({}, { name: 'other.test' })
  const settings = await server.settingsFor('a.test')
  await expect(ensureClientCertificate(optionsFor(settings).options)).rejects.toThrow(
    "Server hostname 'localhost' did not match server certificate; expected one of other.test, DNS:other.test",
  )
})

describe('the lock', () => {
  it('lets one in at a time', async () => {
    const server = await start({ autosign: signAll })
    const settings = await server.settingsFor('a.test')
    await ensureAuthorities(optionsFor(settings).options)
    const lock = new FileLock(settings.ssl_lockfile)
    expect(await lock.tryAcquire()).toBe(true)
    await expect(ensureClientCertificate(optionsFor(settings).options)).rejects.toThrow(
      'Another puppet instance is already running and the waitforlock setting is set to 0; exiting',
    )
    const patient = optionsFor({ ...settings, waitforlock: 1 })
    const waiting = ensureClientCertificate(patient.options)
    await expect.poll(() => patient.logs.at(-1)).toBe('info: Will try again in 1 seconds.')
    await lock.release()
    expect((await waiting).certificate.serial).toBe(3n)
  })

  it('is taken from a process that is no more', async () => {
    const server = await start({ autosign: signAll })
    const settings = await server.settingsFor('a.test')
    await ensureAuthorities(optionsFor(settings).options)
    await writeFile(settings.ssl_lockfile, '4194999 1')
    expect((await ensureClientCertificate(optionsFor(settings).options)).certificate.serial).toBe(3n)
  })
})
