import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import { createAuthorityCertificate, toListIssuer } from '../../src/ca/certificate-profile.ts'
import { openAuthority } from '../../src/ca/local-authority.ts'
import { createEmptyRevocationList } from '../../src/ca/revocation-file.ts'
import { importAuthority } from '../../src/ca/setup.ts'
import { buildCertificate, type Certificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { generatePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { buildRevocationList, parseRevocationLists, toRevocationListPem } from '../../src/ca/x509/revocation-list.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { createCaContext, createSslContext } from '../../src/node/agent/ssl/ssl-context.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const now = new Date()
const year = 365 * 86_400

/** A root elsewhere, and our authority below it. */
describe('an authority below another', () => {
  let rootKey: KeyObject
  let root: Certificate
  let ours: Certificate
  let ca: CertificateAuthority

  const rootList = (
    revoked: readonly bigint[],
    previous = createEmptyRevocationList(toListIssuer({ certificate: root, key: rootKey }), now),
  ) =>
    buildRevocationList(toListIssuer({ certificate: root, key: rootKey }), {
      previous,
      added: revoked.map((serial) => ({ serial, date: now, reason: undefined })),
      thisUpdate: new Date(now.getTime() - 1000),
      nextUpdate: new Date(now.getTime() + year * 1000),
    })

  beforeAll(async () => {
    rootKey = await generatePrivateKey(ec)
    root = createAuthorityCertificate('Root', rootKey, 5 * year, now)
    const key = await generatePrivateKey(ec)
    const template = createAuthorityCertificate('Puppet CA: ours', key, 5 * year, now)
    const { extensions, subject, notBefore, notAfter } = template
    const content = {
      serial: 5n,
      issuer: createDistinguishedName('Root'),
      subject,
      notBefore,
      notAfter,
      spki: toPublicKeyDer(key),
    }
    const own = extensions.filter(({ oid }) => oid !== '2.5.29.35')
    ours = buildCertificate({ ...content, extensions: own }, rootKey)
    const cadir = join(scratchFolder('intermediate'), 'ca')
    const ownList = createEmptyRevocationList(toListIssuer({ certificate: ours, key }), now)
    const parts = {
      cadir,
      privateKey: toPrivateKeyPem(key),
      certificates: [ours, root].map(toCertificatePem).join(''),
      system: localSystem,
    }
    await expect(importAuthority({ ...parts, revocationLists: toRevocationListPem(ownList) })).rejects.toThrow(
      "Could not find the revocation list of 'CN=Root' in --crl-chain",
    )
    await importAuthority({ ...parts, revocationLists: [ownList, rootList([])].map(toRevocationListPem).join('') })
    ca = await openAuthority({
      cadir,
      ttl: year,
      autosign: async () => false,
      allowDuplicates: false,
      allowSubjectAltNames: false,
      allowAuthorizationExtensions: false,
      allowAutoRenewal: false,
      autoRenewalTtl: year,
      system: localSystem,
    })
  })

  it('signs certificates that verify up to the root, for openssl and for us', async () => {
    const { certificate, key } = await ca.generate('a.test', { key: ec })
    const pem = (await ca.certificates()).pem
    const crl = (await ca.revocationLists()).pem
    const leaf = toCertificatePem(certificate)
    expect(openssl('verify', '-crl_check_all', '-CAfile', { pem }, '-CRLfile', { pem: crl }, { pem: leaf })).toContain(
      'OK',
    )
    expect(createSslContext(createCaContext(pem, crl, 'chain'), leaf, key, new Date()).chain.length).toBe(3)
  })

  it('keeps the lists of others when it revokes, and takes newer ones', async () => {
    await ca.generate('b.test', { key: ec })
    await ca.revoke('b.test')
    const numbers = async () =>
      parseRevocationLists((await ca.revocationLists()).pem).map(({ number }) => Number(number))
    expect(await numbers()).toEqual([1, 1])

    const stranger = await generatePrivateKey(ec)
    const forged = createEmptyRevocationList(toListIssuer({ certificate: root, key: stranger }), now)
    await expect(ca.updateRevocationLists(toRevocationListPem(forged))).rejects.toThrow('No valid CRLs submitted.')
    await ca.updateRevocationLists(toRevocationListPem(rootList([], rootList([]))))
    expect(await numbers()).toEqual([1, 2])
    await ca.updateRevocationLists(toRevocationListPem(rootList([])))
    expect(await numbers()).toEqual([1, 2])
  })

  it('is trusted no more when the root revokes it, unless only leaves are checked', async () => {
    const { certificate, key } = await ca.generate('c.test', { key: ec })
    const leaf = toCertificatePem(certificate)
    await ca.updateRevocationLists(toRevocationListPem(rootList([ours.serial], rootList([], rootList([])))))
    const [pem, crl] = [(await ca.certificates()).pem, (await ca.revocationLists()).pem]
    const check = (setting: 'chain' | 'leaf' | 'false') =>
      createSslContext(createCaContext(pem, crl, setting), leaf, key, new Date())
    expect(() => check('chain')).toThrow("Certificate 'CN=Puppet CA: ours' is revoked")
    expect(check('leaf').chain.length).toBe(3)
    expect(check('false').chain.length).toBe(3)
  })
})
