import { buildCertificate, toCertificatePem } from '#built/ca/x509/certificate.js'
import {
  encodeElement,
  encodeInteger,
  encodeOctetString,
  encodeSequence,
  encodeUtf8String,
  getContextTag,
} from '#built/ca/x509/der.js'
import { createDistinguishedName } from '#built/ca/x509/distinguished-name.js'
import { buildSubjectKeyIdentifier, buildTextExtension } from '#built/ca/x509/extensions.js'
import { generatePrivateKey, toPublicKeyDer } from '#built/ca/x509/keys.js'
import { oids, puppetOids } from '#built/ca/x509/oids.js'
import { createKeySigner } from '#built/ca/x509/signature.js'
import { chosen, sample } from '../support/chance.js'

/** Names that rules and certificates have in common, so that they meet. */
export const hostNames = [
  ...['a.test', 'A.Test', 'b.test', 'x.b.test', 'web1', 'Web1', 'web1.example.com', 'WEB1.Example.com', 'example.com'],
  ...['db.web1.example.com', 'notexample.com', 'bad.test', 'bad.test.', 'a..test', 'web@x', 'web@b.test', 'localhost'],
  ...['1.2', '12', '_a', 'a_b.test', '-a.test', 'puppet', 'com', 'test', 'secret', 'admin.test', 'a.test..', 'kelvin'],
]
export const extensionNames = ['pp_role', 'pp_cli_auth', 'pp_environment', 'pp_owner']
export const extensionOids = [
  ...extensionNames.map((name) => puppetOids.get(name) ?? ''),
  ...[
    '1.3.6.1.4.1.34380.1.2.7',
    '1.3.6.1.4.1.34380.1.3.99',
    '1.2.3.4',
    oids.subjectKeyIdentifier,
    oids.netscapeComment,
  ],
]
export const extensionValues = ['true', 'web', 'Web', 'db', 'a b', '(web)', '']
export const addresses = ['10.0.0.1', '0:0:0:0:0:0:0:1', '::1', '10.0.0.2']
export const uris = ['http://a.test/', 'urn:x']

/** Certificates of clients by chance, as PEM. */
export async function randomCertificates(
  /** @type {import('../support/chance.js').Chance} */ chance,
  /** @type {number} */ count,
) {
  const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
  const signer = createKeySigner(key)
  const made = Array.from({ length: count }, async (_, index) => {
    const content = /** @type {import('#built/ca/x509/certificate.js').CertificateContent} */ ({
      ...{
        serial: BigInt(index + 1),
        issuer: createDistinguishedName('Puppet CA: test'),
        subject: createDistinguishedName(chosen(hostNames, chance)),
      },
      ...{ notBefore: new Date('2020-01-01'), notAfter: new Date('2040-01-01'), spki: toPublicKeyDer(key) },
      extensions: [...randomExtensions(chance), ...(chance(2) === 0 ? [randomAltNames(chance)] : [])],
    })
    return toCertificatePem(await buildCertificate(content, signer))
  })
  return Promise.all(made)
}

function randomExtensions(chance) {
  return sample(extensionOids, chance(4), chance).map((oid) => {
    if (oid === oids.subjectKeyIdentifier) return buildSubjectKeyIdentifier(Buffer.from('web'))
    const value = chosen(extensionValues, chance)
    const forms = [
      ...Array(5).fill(encodeUtf8String(value)),
      ...[
        Buffer.from(value),
        encodeOctetString(Buffer.from(value)),
        encodeElement(0x16, Buffer.from(value)),
        encodeInteger(5),
      ],
      ...[encodeSequence(encodeUtf8String(value)), encodeElement(0x13, Buffer.from(value)), Buffer.from([0xff, 0xfe])],
    ]
    return value === '' || chance(3) > 0
      ? buildTextExtension(oid, value)
      : { oid, critical: false, value: chosen(forms, chance) }
  })
}

function randomAltNames(chance) {
  const text = (/** @type {number} */ tag, /** @type {string} */ value) =>
    encodeElement(getContextTag(tag, 'primitive'), Buffer.from(value, 'latin1'))
  const kinds = [
    ...Array(5).fill(() => text(2, chosen(hostNames, chance))),
    () => encodeElement(getContextTag(7, 'primitive'), Buffer.from([10, 0, 0, 1 + chance(2)])),
    () => encodeElement(getContextTag(7, 'primitive'), Buffer.from(`${'00'.repeat(15)}01`, 'hex')),
    () => encodeElement(getContextTag(7, 'primitive'), Buffer.from(`${'00'.repeat(10)}ffff0a000001`, 'hex')),
    () => text(6, chosen(uris, chance)),
    () => text(1, chosen(['root@a.test', 'a.test'], chance)),
    () => text(8, '\x2a\x03'),
    () => encodeElement(getContextTag(4, 'constructed'), createDistinguishedName('a.test').der),
    () => text(2, 'bad.test\n'),
    () => text(2, 'b\xe4d.test'),
  ]
  const names = Array.from({ length: 1 + chance(3) }, () => chosen(kinds, chance)())
  return { oid: oids.subjectAltName, critical: false, value: encodeSequence(...names) }
}
