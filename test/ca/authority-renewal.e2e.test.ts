import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renewAuthority } from '../../src/ca/authority-renewal.ts'
import {
  createAuthorityCertificate,
  type Issuer,
  renewAuthorityCertificate,
  toListIssuer,
} from '../../src/ca/certificate-profile.ts'
import { getCaLayout } from '../../src/ca/file-layout.ts'
import { createEmptyRevocationList } from '../../src/ca/revocation-file.ts'
import { importAuthority } from '../../src/ca/setup.ts'
import { buildCertificate, parseCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { generatePrivateKey, parsePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { toRevocationListPem } from '../../src/ca/x509/revocation-list.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { isAuthorityRenewal } from '../../src/node/agent/ssl/ca-renewal.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, newAuthority } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const year = 365 * 86_400
const inYears = (years: number) => ({ ...localSystem, now: () => Date.now() + years * year * 1000 })

describe('an authority that is renewed', () => {
  it('has the same key, name and serial, and what it signed before and after is good under either', async () => {
    const { ca, cadir } = await newAuthority()
    const old = readFileSync(getCaLayout(cadir).certificate, 'utf8')
    const before = toCertificatePem((await ca.generate('a.test', { key: ec })).certificate)
    const renewed = await renewAuthority(cadir, 10 * year, localSystem)
    const after = toCertificatePem((await ca.generate('b.test', { key: ec })).certificate)
    const now = readFileSync(getCaLayout(cadir).certificate, 'utf8')
    expect(now).toBe(toCertificatePem(renewed))
    expect([renewed.serial, renewed.spki]).toEqual([parseCertificate(old).serial, parseCertificate(old).spki])
    expect(renewed.notAfter.getTime()).toBeGreaterThan(Date.now() + 9 * year * 1000)
    for (const authority of [old, now])
      for (const host of [before, after])
        expect(openssl('verify', '-x509_strict', '-CAfile', { pem: authority }, { pem: host })).toContain('OK')
  })

  it('may have expired', async () => {
    const { cadir } = await newAuthority()
    const { notAfter } = await renewAuthority(cadir, year, inYears(7))
    expect(Math.round((notAfter.getTime() - Date.now()) / (year * 1000))).toBe(8)
  })

  it('is renewed by the one that signed it, and by no other', async () => {
    const now = new Date()
    const rootKey = await generatePrivateKey(ec)
    const root: Issuer = { certificate: createAuthorityCertificate('Root', rootKey, year, now), key: rootKey }
    const key = await generatePrivateKey(ec)
    const { extensions, subject, notBefore, notAfter } = createAuthorityCertificate('Below', key, year, now)
    const content = {
      serial: 5n,
      issuer: createDistinguishedName('Root'),
      subject,
      notBefore,
      notAfter,
      spki: toPublicKeyDer(key),
    }
    const certificate = buildCertificate({ ...content, extensions: extensions.slice(0, 4) }, rootKey)
    const cadir = join(scratchFolder('below'), 'ca')
    const lists = [root, { certificate, key }].map((each) =>
      toRevocationListPem(createEmptyRevocationList(toListIssuer(each), now)),
    )
    await importAuthority({
      cadir,
      privateKey: toPrivateKeyPem(key),
      certificates: [certificate, root.certificate].map(toCertificatePem).join(''),
      revocationLists: lists.join(''),
      system: localSystem,
    })
    await expect(renewAuthority(cadir, year, localSystem)).rejects.toThrow(
      "The certificate of the CA 'CN=Below' can only be renewed by its issuer 'CN=Root",
    )
  })
})

describe('a renewal that a node takes unasked', async () => {
  const { cadir } = await newAuthority()
  const old = parseCertificate(readFileSync(getCaLayout(cadir).certificate, 'utf8'))
  const key = parsePrivateKey(readFileSync(getCaLayout(cadir).key, 'utf8'))
  const renewed = renewAuthorityCertificate(old, key, year, new Date())
  const stranger = await generatePrivateKey(ec)
  const madeAnew = createAuthorityCertificate('Puppet CA: ca.test', stranger, year, new Date())
  const unsigned = renewAuthorityCertificate(old, stranger, year, new Date())

  it.each([
    ['the same name and key', [renewed], true],
    ['the very certificate', [old], true],
    ['the same name, and another key', [madeAnew], false],
    ['the same name and key, signed by another key', [unsigned], false],
    ['one more than there were', [renewed, madeAnew], false],
    ['none', [], false],
  ])('is of %s: %#', (_, given, expected) => {
    expect(isAuthorityRenewal([old], given)).toBe(expected)
  })
})
