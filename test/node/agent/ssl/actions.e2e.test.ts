import { readFile, stat } from 'node:fs/promises'
import { afterEach, expect, it } from 'vitest'
import { puppetVersion } from '../../../../src/base/puppet-version.ts'
import { parseCertificate } from '../../../../src/ca/x509/certificate.ts'
import { computeFingerprint } from '../../../../src/ca/x509/fingerprint.ts'
import type { Settings } from '../../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import {
  cleanCertificate,
  downloadCertificate,
  generateRequest,
  renewCertificate,
  showCertificate,
  submitRequest,
  verifyCertificate,
} from '../../../../src/node/agent/ssl/actions.ts'
import type { BootstrapOptions } from '../../../../src/node/agent/ssl/bootstrap.ts'
import { openssl } from '../../../ca/x509/openssl.ts'
import { listen, type TlsServer } from './tls-server.ts'

let server: TlsServer | undefined
afterEach(() => server?.close())

function sayingTo(settings: Settings): { options: BootstrapOptions; said: string[] } {
  const said: string[] = []
  const log = (level: string, message: string) => {
    if (level !== 'debug') said.push(`${level}: ${message}`)
  }
  const say = (text: string) => said.push(text)
  return { options: { settings, system: localSystem, puppetVersion, log, say, onetime: true }, said }
}

it('goes from a request to a verified certificate, and back to nothing', async () => {
  server = await listen({ allowAutoRenewal: true })
  const settings = await server.settingsFor('a.test')
  const { options, said } = sayingTo(settings)
  const url = `https://localhost:${server.port}/puppet-ca/v1`
  const take = () => said.splice(0)

  await submitRequest(options)
  expect(take()).toEqual([
    'info: Creating a new EC SSL key for a.test using curve prime256v1',
    `notice: Submitted certificate request for 'a.test' to ${url}`,
    `info: Downloading certificate 'a.test' from ${url}`,
    "info: The certificate for 'a.test' has not yet been signed",
  ])
  await expect(submitRequest(options)).rejects.toThrow(
    `Could not submit certificate request for 'a.test' to ${url} due to a conflict on the server`,
  )
  await expect(downloadCertificate(options)).rejects.toThrow("The certificate for 'a.test' has not yet been signed")
  await expect(verifyCertificate(options)).rejects.toThrow(
    `The client certificate is missing from '${settings.hostcert}'`,
  )

  await server.ca.sign('a.test')
  take()
  await downloadCertificate(options)
  const { der, serial } = parseCertificate(await readFile(settings.hostcert, 'utf8'))
  expect(take()[1]).toBe(`notice: Downloaded certificate 'a.test' with fingerprint (SHA256) ${computeFingerprint(der)}`)

  await verifyCertificate(options)
  expect(take()).toEqual([
    expect.stringMatching(/^notice: Verified CA certificate 'CN=Puppet CA: ca\.test' fingerprint \(SHA256\) /),
    `notice: Verified client certificate 'CN=a.test' fingerprint (SHA256) ${computeFingerprint(der)}`,
  ])
  await renewCertificate(options, { ifExpiringIn: 60 })
  expect(take()).toEqual([expect.stringMatching(/^info: Certificate 'a\.test' is still valid until /)])
  expect(parseCertificate(await readFile(settings.hostcert, 'utf8')).serial).toBe(serial)
  await renewCertificate(options, { ifExpiringIn: 100 * 365 * 24 * 3600 })
  const renewed = parseCertificate(await readFile(settings.hostcert, 'utf8'))
  const wanted = `notice: Renewed client certificate 'a.test' with fingerprint (SHA256) ${computeFingerprint(renewed.der)}`
  expect([renewed.serial > serial, take()]).toEqual([true, [wanted]])
  await showCertificate(options)
  const [text] = take() as [string]
  const theirs = openssl('x509', '-noout', '-text', '-in', settings.hostcert)
  for (const line of [
    'Not Before: ',
    'Not After : ',
    'Serial Number: ',
    'DNS:a.test',
    'CA:FALSE',
    'TLS Web Server',
    'Digital Signature, ',
  ]) {
    const found = theirs.split('\n').find((each) => each.includes(line))!
    expect(text.split('\n').map((each) => each.trim())).toContain(found.trim())
  }

  await cleanCertificate(options, { localca: true })
  expect(take()).toEqual([
    `notice: Removed private key ${settings.hostprivkey}`,
    `notice: Removed public key ${settings.hostpubkey}`,
    `notice: Removed certificate ${settings.hostcert}`,
    `notice: Removed local CA certificate ${settings.localcacert}`,
    `notice: Removed local CRL ${settings.hostcrl}`,
  ])
  await generateRequest(options)
  expect(openssl('req', '-noout', '-verify', '-subject', '-in', settings.hostcsr)).toContain('CN = a.test')
})

it('keeps the certificate that no server renews', async () => {
  server = await listen()
  const settings = await server.settingsFor('b.test')
  const { options } = sayingTo(settings)
  await submitRequest(options)
  await server.ca.sign('b.test')
  await downloadCertificate(options)
  const before = await readFile(settings.hostcert, 'utf8')
  await server.close()
  server = undefined
  await expect(renewCertificate(options)).rejects.toThrow('Failed to renew certificate: ')
  expect(await readFile(settings.hostcert, 'utf8')).toBe(before)
})

it("does not clean the authority's own host while the authority holds its certificate", async () => {
  server = await listen()
  const settings = await server.settingsFor('localhost', { ca_server: 'localhost' })
  const { options } = sayingTo(settings)
  await expect(cleanCertificate(options)).rejects.toThrow(
    'The certificate localhost must be cleaned from the CA first.',
  )
  await expect(stat(settings.hostcert)).rejects.toThrow('ENOENT')
  await server.ca.remove('localhost')
  const fresh = await server.settingsFor('localhost')
  await cleanCertificate(sayingTo(fresh).options)
})
