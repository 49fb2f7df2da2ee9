import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/ca/certificate-authority.ts'
import { createAuthorityCertificate, toListIssuer } from '../../src/ca/certificate-profile.ts'
import { createEmptyRevocationList } from '../../src/ca/revocation-document.ts'
import { importAuthority } from '../../src/ca/setup.ts'
import { buildCertificate, type Certificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { generatePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { buildRevocationList, parseRevocationLists, toRevocationListPem } from '../../src/ca/x509/revocation-list.ts'
import { createKeySigner, type Signer } from '../../src/ca/x509/signature.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { createCaContext, createSslContext } from '../../src/node/agent/ssl/ssl-context.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, folder, openFixture } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const now = new Date()
const year = 365 * 86_400

/** A root elsewhere, and our authority below it. */
describe('an authority below another', () => {
  let rootKey: Signer
  let root: Certificate
  let ours: Certificate
  let ca: CertificateAuthority

  const rootList = async (
    revoked: readonly bigint[],
    previous = createEmptyRevocationList(toListIssuer({ certificate: root, signer: rootKey }), now),
  ) =>
    buildRevocationList(toListIssuer({ certificate: root, signer: rootKey }), {
      previous: await previous,
      added: revoked.map((serial) => ({ serial, date: now, reason: undefined })),
      thisUpdate: new Date(now.getTime() - 1000),
      nextUpdate: new Date(now.getTime() + year * 1000),
    })

  beforeAll(async () => {
    rootKey = createKeySigner(await generatePrivateKey(ec))
    root = await createAuthorityCertificate('Root', rootKey, 5 * year, now)
    const key = await generatePrivateKey(ec)
    const template = await createAuthorityCertificate('Puppet CA: ours', createKeySigner(key), 5 * year, now)
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
    ours = await buildCertificate({ ...content, extensions: own }, rootKey)
    const cadir = join(scratchFolder('intermediate'), 'ca')
    const ownList = await createEmptyRevocationList(
      toListIssuer({ certificate: ours, signer: createKeySigner(key) }),
      now,
    )
    const parts = {
      ...folder(cadir),
      privateKey: toPrivateKeyPem(key),
      certificates: [ours, root].map(toCertificatePem).join(''),
      system: localSystem,
    }
    await expect(importAuthority({ ...parts, revocationLists: toRevocationListPem(ownList) })).rejects.toThrow(
      "Could not find the revocation list of 'CN=Root' in --crl-chain",
    )
    await importAuthority({
      ...parts,
      revocationLists: [ownList, await rootList([])].map(toRevocationListPem).join(''),
    })
    ca = await openFixture(cadir)
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

    const stranger = createKeySigner(await generatePrivateKey(ec))
    const forged = await createEmptyRevocationList(toListIssuer({ certificate: root, signer: stranger }), now)
    await expect(ca.updateRevocationLists(toRevocationListPem(forged))).rejects.toThrow('No valid CRLs submitted.')
    await ca.updateRevocationLists(toRevocationListPem(await rootList([], rootList([]))))
    expect(await numbers()).toEqual([1, 2])
    await ca.updateRevocationLists(toRevocationListPem(await rootList([])))
    expect(await numbers()).toEqual([1, 2])
  })

  it('is trusted no more when the root revokes it, unless only leaves are checked', async () => {
    const { certificate, key } = await ca.generate('c.test', { key: ec })
    const leaf = toCertificatePem(certificate)
    await ca.updateRevocationLists(toRevocationListPem(await rootList([ours.serial], rootList([], rootList([])))))
    const [pem, crl] = [(await ca.certificates()).pem, (await ca.revocationLists()).pem]
    const check = (setting: 'chain' | 'leaf' | 'false') =>
      createSslContext(createCaContext(pem, crl, setting), leaf, key, new Date())
    expect(() => check('chain')).toThrow("Certificate 'CN=Puppet CA: ours' is revoked")
    expect(check('leaf').chain.length).toBe(3)
    expect(check('false').chain.length).toBe(3)
  })
})
