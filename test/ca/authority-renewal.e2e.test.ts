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
import { createEmptyRevocationList } from '../../src/ca/revocation-document.ts'
import { importAuthority } from '../../src/ca/setup.ts'
import { buildCertificate, parseCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { generatePrivateKey, parsePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { toRevocationListPem } from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import type { System } from '../../src/machine/system/system.ts'
import { isAuthorityRenewal } from '../../src/node/agent/ssl/ca-renewal.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, folder, newAuthority } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const year = 365 * 86_400
const inYears = (years: number) => ({ ...localSystem, now: () => Date.now() + years * year * 1000 })

function renewFolder(cadir: string, ttl: number, system: System) {
  const { storage, access } = folder(cadir)
  return renewAuthority(storage, access, ttl, system)
}

describe('an authority that is renewed', () => {
  it('has the same key, name and serial, and what it signed before and after is good under either', async () => {
    const { ca, cadir } = await newAuthority()
    const old = readFileSync(getCaLayout(cadir).certificate, 'utf8')
    const before = toCertificatePem((await ca.generate('a.test', { key: ec })).certificate)
    const renewed = await renewFolder(cadir, 10 * year, localSystem)
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
    const { notAfter } = await renewFolder(cadir, year, inYears(7))
    expect(Math.round((notAfter.getTime() - Date.now()) / (year * 1000))).toBe(8)
  })

  it('is renewed by the one that signed it, and by no other', async () => {
    const now = new Date()
    const rootKey = await generatePrivateKey(ec)
    const root: Issuer = {
      certificate: await createAuthorityCertificate('Root', createKeySigner(rootKey), year, now),
      signer: createKeySigner(rootKey),
    }
    const key = await generatePrivateKey(ec)
    const { extensions, subject, notBefore, notAfter } = await createAuthorityCertificate(
      'Below',
      createKeySigner(key),
      year,
      now,
    )
    const content = {
      serial: 5n,
      issuer: createDistinguishedName('Root'),
      subject,
      notBefore,
      notAfter,
      spki: toPublicKeyDer(key),
    }
    const certificate = await buildCertificate({ ...content, extensions: extensions.slice(0, 4) }, root.signer)
    const cadir = join(scratchFolder('below'), 'ca')
    const issuers: readonly Issuer[] = [root, { certificate, signer: createKeySigner(key) }]
    const lists = await Promise.all(issuers.map((each) => createEmptyRevocationList(toListIssuer(each), now)))
    await importAuthority({
      ...folder(cadir),
      privateKey: toPrivateKeyPem(key),
      certificates: [certificate, root.certificate].map(toCertificatePem).join(''),
      revocationLists: lists.map(toRevocationListPem).join(''),
      system: localSystem,
    })
    await expect(renewFolder(cadir, year, localSystem)).rejects.toThrow(
      "The certificate of the CA 'CN=Below' can only be renewed by its issuer 'CN=Root",
    )
  })
})

describe('a renewal that a node takes unasked', async () => {
  const { cadir } = await newAuthority()
  const old = parseCertificate(readFileSync(getCaLayout(cadir).certificate, 'utf8'))
  const signer = createKeySigner(parsePrivateKey(readFileSync(getCaLayout(cadir).key, 'utf8')))
  const renewed = await renewAuthorityCertificate({ certificate: old, signer }, year, new Date())
  const stranger = createKeySigner(await generatePrivateKey(ec))
  const madeAnew = await createAuthorityCertificate('Puppet CA: ca.test', stranger, year, new Date())
  const unsigned = await renewAuthorityCertificate({ certificate: old, signer: stranger }, year, new Date())

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
