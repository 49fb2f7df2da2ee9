import { buildCertificate, toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import type { Extension } from '../../src/ca/x509/extensions.ts'
import { generatePrivateKey, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'

/** Certificates by a word, as PEM, of clients with a common name and extensions. */
export async function certificatesOf(
  clients: Readonly<Record<string, readonly [commonName: string, ...extensions: Extension[]]>>,
): Promise<readonly (readonly [word: string, pem: string])[]> {
  const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
  const signer = createKeySigner(key)
  const made = Object.entries(clients).map(async ([word, [commonName, ...extensions]], index) => {
    const content = {
      ...{
        serial: BigInt(index + 1),
        issuer: createDistinguishedName('Puppet CA: test'),
        subject: createDistinguishedName(commonName),
        extensions,
      },
      ...{ notBefore: new Date('2020-01-01'), notAfter: new Date('2040-01-01'), spki: toPublicKeyDer(key) },
    }
    return [word, toCertificatePem(await buildCertificate(content, signer))] as const
  })
  return Promise.all(made)
}
