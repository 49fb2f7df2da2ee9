import type { KeyObject } from 'node:crypto'
import { buildCertificate, type Certificate } from '../../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../../src/ca/x509/distinguished-name.ts'
import {
  buildAuthorityKeyIdentifier,
  buildBasicConstraints,
  buildKeyUsage,
  buildSubjectAltName,
  buildSubjectKeyIdentifier,
  buildTextExtension,
} from '../../../src/ca/x509/extensions.ts'
import { computeKeyIdentifier, generatePrivateKey, toPublicKeyDer } from '../../../src/ca/x509/keys.ts'
import { puppetOids } from '../../../src/ca/x509/oids.ts'
import { buildRevocationList, keyCompromise, type RevocationList } from '../../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../../src/ca/x509/signature.ts'

export const start: Date = new Date('2026-01-01T00:00:00Z')
export const end: Date = new Date('2055-01-01T00:00:00Z')

/** The kinds of keys that are tested. */
export const kinds = [
  { type: 'rsa', bits: 2048 },
  { type: 'ec', curve: 'prime256v1' },
  { type: 'ec', curve: 'secp384r1' },
] as const

/** An authority and a host with its certificate. */
export interface Pair {
  readonly caKey: KeyObject
  readonly key: KeyObject
  readonly ca: Certificate
  readonly host: Certificate
  /** A list of the authority that revokes certificates. */
  listWith(serials: readonly bigint[]): Promise<RevocationList>
}

export async function newPair(kind: (typeof kinds)[number]): Promise<Pair> {
  const caKey = await generatePrivateKey(kind)
  const key = await generatePrivateKey(kind)
  const id = computeKeyIdentifier(toPublicKeyDer(caKey))
  const validity = { notBefore: start, notAfter: end }
  const issuer = createDistinguishedName('Puppet CA: ca.test')
  const constraints = [
    buildBasicConstraints(true),
    buildKeyUsage('keyCertSign', 'cRLSign'),
    buildSubjectKeyIdentifier(id),
  ]
  const caContent = { serial: 1n, issuer, subject: issuer, ...validity, spki: toPublicKeyDer(caKey) }
  const signer = createKeySigner(caKey)
  const ca = await buildCertificate({ ...caContent, extensions: constraints }, signer)
  const host = await buildCertificate(
    {
      serial: 0xabcdefn,
      issuer,
      subject: createDistinguishedName('a.test'),
      ...validity,
      spki: toPublicKeyDer(key),
      extensions: [
        buildAuthorityKeyIdentifier(id, { name: issuer, serial: 1n }),
        buildBasicConstraints(false),
        buildSubjectAltName(['DNS:a.test', 'b.test', 'IP:10.0.0.1', 'IP:fe80::1']),
        buildTextExtension(puppetOids.get('pp_role')!, 'wéb'),
      ],
    },
    signer,
  )
  const listWith = (serials: readonly bigint[]) =>
    buildRevocationList(
      { name: ca.subject, signer, keyIdentifier: computeKeyIdentifier(ca.spki) },
      {
        added: serials.map((serial) => ({ serial, date: start, reason: keyCompromise })),
        thisUpdate: start,
        nextUpdate: end,
      },
    )
  return { caKey, key, ca, host, listWith }
}
