import { beforeAll, describe, expect, it } from 'vitest'
import { toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { buildCertificateRequest, parseCertificateRequest } from '../../../src/ca/x509/certificate-request.ts'
import { encodeUtf8String } from '../../../src/ca/x509/der.ts'
import { buildSubjectAltName, buildTextExtension, listSubjectAltNames } from '../../../src/ca/x509/extensions.ts'
import { computeFingerprint } from '../../../src/ca/x509/fingerprint.ts'
import { computeKeyIdentifier, toPrivateKeyPem } from '../../../src/ca/x509/keys.ts'
import { puppetOids } from '../../../src/ca/x509/oids.ts'
import { buildRevocationList, toRevocationListPem } from '../../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../../src/ca/x509/signature.ts'
import { openssl } from './openssl.ts'
import { end, kinds, newPair, type Pair, start } from './pair.ts'

// What openssl says of what we make, and the other way round.
describe.each(kinds)('with keys of $type $curve', (kind) => {
  let pair: Pair
  beforeAll(async () => {
    pair = await newPair(kind)
  })

  it('makes certificates that openssl verifies and reads', async () => {
    const { ca, host, listWith } = pair
    const pem = toCertificatePem(host)
    const crl = toRevocationListPem(await listWith([7n]))
    expect(
      openssl(
        'verify',
        '-crl_check_all',
        '-x509_strict',
        '-CAfile',
        { pem: toCertificatePem(ca) },
        '-CRLfile',
        { pem: crl },
        { pem },
      ),
    ).toContain('OK')
    const text = openssl('x509', '-noout', '-text', '-in', { pem })
    expect(text).toContain('DNS:a.test, DNS:b.test, IP Address:10.0.0.1, IP Address:FE80:0:0:0:0:0:0:1')
    expect(text).toContain('CN = a.test')
    expect(text).toContain('DirName:/CN=Puppet CA: ca.test')
    expect(text).toContain('Not After : Jan  1 00:00:00 2055 GMT')
    expect(openssl('x509', '-noout', '-fingerprint', '-sha256', '-in', { pem })).toContain(computeFingerprint(host.der))
  })

  it('makes requests that openssl verifies, and reads those of openssl', () => {
    const { key } = pair
    const pem = buildCertificateRequest(
      {
        commonName: 'a.test',
        extensions: [buildSubjectAltName(['DNS:b.test']), buildTextExtension(puppetOids.get('pp_uuid')!, 'u-1')],
        attributes: [['1.2.840.113549.1.9.7', encodeUtf8String('s3cret')]],
      },
      key,
    )
    expect(openssl('req', '-verify', '-noout', '-text', '-in', { pem })).toMatch(
      /DNS:b.test[\s\S]*1\.3\.6\.1\.4\.1\.34380\.1\.1\.1/,
    )

    const theirs = openssl(
      'req',
      '-new',
      '-key',
      { pem: toPrivateKeyPem(key) },
      '-subj',
      '/O=x/CN=c.test',
      '-addext',
      'subjectAltName=DNS:d.test',
    )
    expect(parseCertificateRequest(theirs)).toMatchObject({ commonName: 'c.test' })
    expect(listSubjectAltNames(parseCertificateRequest(theirs).extensions)).toEqual(['DNS:d.test'])
  })

  it('revokes, for openssl too', async () => {
    const { ca, host, listWith } = pair
    const list = await listWith([3n, host.serial])
    const verify = () =>
      openssl(
        'verify',
        '-crl_check',
        '-CAfile',
        { pem: toCertificatePem(ca) },
        '-CRLfile',
        { pem: toRevocationListPem(list) },
        { pem: toCertificatePem(host) },
      )
    expect(verify).toThrow('certificate revoked')
  })

  it('numbers its lists, for openssl too', async () => {
    const { ca, caKey, listWith } = pair
    const issuer = { name: ca.subject, signer: createKeySigner(caKey), keyIdentifier: computeKeyIdentifier(ca.spki) }
    const first = await listWith([1n])
    const added = [{ serial: 2n, date: start, reason: undefined }]
    const second = await buildRevocationList(issuer, { previous: first, added, thisUpdate: start, nextUpdate: end })
    expect(openssl('crl', '-noout', '-text', '-in', { pem: toRevocationListPem(second) })).toMatch(
      /X509v3 CRL Number: \n\s+1\n[\s\S]*Key Compromise/,
    )
  })
})
