import { describe, expect, it } from 'vitest'
import { formatExactJson, parseJson } from '../../src/base/json/json-text.ts'
import { type Certificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { toPrivateKeyPem } from '../../src/ca/x509/keys.ts'
import { parsePemBlocks } from '../../src/ca/x509/pem.ts'
import { decryptCatalogSecrets, encryptCatalogSecrets } from '../../src/model/catalog-secrets.ts'
import { ec, newAuthority } from '../ca/fixture.ts'

const { ca } = await newAuthority()
const rsa = { type: 'rsa', bits: 2048 } as const
const identities = {
  RSA: await ca.generate('rsa.test', { key: rsa }),
  'P-256': await ca.generate('ec.test', { key: ec }),
  'P-384': await ca.generate('ec384.test', { key: { type: 'ec', curve: 'secp384r1' } }),
}

const derOf = (certificate: Certificate) => parsePemBlocks(toCertificatePem(certificate))[0]!.der
const bytesOf = (text: string) => new TextEncoder().encode(text)

const sensitive = (value: string) => `{"__ptype":"Sensitive","__pvalue":${value}}`
const catalogOf = (parameters: string, more = '') =>
  `{"name":"n","resources":[{"type":"File","title":"/a","parameters":${parameters}${more}}],"edges":[]}`

/** Catalogs with secrets that begin with `s3cret`. */
const catalogs = {
  'a sensitive parameter': catalogOf('{"content":"s3cret","mode":"0600"}', ',"sensitive_parameters":["content"]'),
  'a sensitive structure': catalogOf('{"a":{"b":["s3cret",1.0,null]}}', ',"sensitive_parameters":["a"]'),
  'a nested Sensitive': catalogOf(`{"a":{"b":[${sensitive('"s3cret"')},${sensitive('"s3cret2"')}]}}`),
  'a Sensitive in arguments of a Deferred': catalogOf(
    `{"a":{"__ptype":"Deferred","name":"f","arguments":[${sensitive('{"k":"s3cret"}')}]}}`,
  ),
  'keys of digits, a large number and other characters': catalogOf(
    `{"a":{"10":1,"2":${sensitive('"s3cret ü\\u0000"')},"n":12345678901234567890,"f":1.0}}`,
  ),
  'a parameter with the name of a prototype': catalogOf(
    '{"__proto__":"s3cret"}',
    ',"sensitive_parameters":["__proto__"]',
  ),
}

describe.each(Object.entries(identities))('secrets of a catalog, for a key of %s', (_, { key, certificate }) => {
  const own = async () => toPrivateKeyPem(key)

  it.each(Object.entries(catalogs))('are restored: %s', async (_title, text) => {
    const encrypted = Buffer.from(encryptCatalogSecrets(bytesOf(text), derOf(certificate))).toString()
    expect(encrypted).not.toContain('s3cret')
    expect(encrypted).toContain('"encrypted_secrets"')
    const decrypted = formatExactJson(await decryptCatalogSecrets(parseJson(encrypted), own))
    expect(decrypted.replace(/,"encrypted_secrets":\{[^}]*\}\}$/, '}')).toBe(text)
  })

  it('are not restored with another key, or after a change', async () => {
    const encrypt = () =>
      Buffer.from(encryptCatalogSecrets(bytesOf(catalogs['a nested Sensitive']), derOf(certificate)))
    const other = await ca.generate(`other-${certificate.serial}.test`, {
      key: key.asymmetricKeyType === 'rsa' ? rsa : { type: 'ec', curve: 'prime256v1' },
    })
    const read = (text: string, pem = toPrivateKeyPem(key)) => decryptCatalogSecrets(parseJson(text), async () => pem)
    await expect(read(encrypt().toString(), toPrivateKeyPem(other.key))).rejects.toThrow(
      /encrypted for another key|Could not decrypt a secret of File\[\/a\]/,
    )
    const moved = encrypt().toString().replace('"title":"/a"', '"title":"/b"')
    await expect(read(moved)).rejects.toThrow('Could not decrypt a secret of File[/b], parameter a: it was changed')
    const swapped = encrypt()
      .toString()
      .replace(/(\{"__ptype":"EncryptedSecret"[^}]*\})(.*?)(\{"__ptype":"EncryptedSecret"[^}]*\})/, '$3$2$1')
    await expect(read(swapped)).rejects.toThrow('Could not decrypt a secret of File[/a], parameter a: it was changed')
    const cut = encrypt()
      .toString()
      .replace(/("EncryptedSecret","__pvalue":")[^"]{30}/, '$1')
    await expect(read(cut)).rejects.toThrow('Could not decrypt a secret')
    const header = encrypt()
      .toString()
      .replace(/"key":"[^"]*"/, '"key":7')
    await expect(read(header)).rejects.toThrow('encrypted_secrets.key must be a string')
    await expect(decryptCatalogSecrets(parseJson(encrypt().toString()), async () => undefined)).rejects.toThrow(
      'the private key of this node does not exist',
    )
  })
})

/** A certificate with an Ed25519 key, by OpenSSL. */
it('rejects a certificate whose key cannot encrypt', () => {
  const der = Buffer.from(
    [
      'MIIBLjCB4aADAgECAhQJxoPlhOKxRRj2Wk2sT7MxL7v1/zAFBgMrZXAwDDEKMAgGA1UEAwwBeDAgFw0yNjExMjkxNDE2NDZaGA8y',
      'MTI2MTEwNTE0MTY0NlowDDEKMAgGA1UEAwwBeDAqMAUGAytlcAMhAHGQZmLT03ys3D0UfXeTa8xFvae5wa1e+RgYdvgjo5+jo1Mw',
      'UTAdBgNVHQ4EFgQUjJpzyhS2AVEbyhjT761hP29lY88wHwYDVR0jBBgwFoAUjJpzyhS2AVEbyhjT761hP29lY88wDwYDVR0TAQH/',
      'BAUwAwEB/zAFBgMrZXADQQCPmmPySv+VkXaDFoe2rvVIEOQrj2qe98XSncIss5XtIQoYQRDaWXgEZk9HKKFd1Ge49fE0F77zo0B5',
      't+7UlsoK',
    ].join(''),
    'base64',
  )
  expect(() => encryptCatalogSecrets(bytesOf(catalogs['a nested Sensitive']), der)).toThrow(
    'The secrets of the catalog cannot be encrypted for the certificate of the node, whose key has the type ed25519',
  )
})

it('leaves a catalog without secrets as it is', async () => {
  const text = bytesOf(catalogOf('{"content":"\\"__ptype\\":\\"Sensitive\\""}'))
  expect(encryptCatalogSecrets(text, derOf(identities.RSA.certificate))).toBe(text)
  const wire = parseJson(catalogOf('{"a":1}'))
  expect(await decryptCatalogSecrets(wire, async () => undefined)).toBe(wire)
})
