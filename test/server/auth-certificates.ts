import { buildCertificate, certificatePem } from '../../src/ca/x509/certificate.ts'
import type { Extension } from '../../src/ca/x509/extensions.ts'
import { newKey, publicKeyDer } from '../../src/ca/x509/keys.ts'
import { nameOf } from '../../src/ca/x509/name.ts'

/** Certificates by a word, as PEM, of clients with a common name and extensions. */
export async function certificatesOf(
  clients: Readonly<Record<string, readonly [commonName: string, ...extensions: Extension[]]>>,
): Promise<readonly (readonly [word: string, pem: string])[]> {
  const key = await newKey({ type: 'ec', curve: 'prime256v1' })
  return Object.entries(clients).map(([word, [commonName, ...extensions]], index) => {
    const content = {
      ...{ serial: BigInt(index + 1), issuer: nameOf('Puppet CA: test'), subject: nameOf(commonName), extensions },
      ...{ notBefore: new Date('2020-01-01'), notAfter: new Date('2040-01-01'), spki: publicKeyDer(key) },
    }
    return [word, certificatePem(buildCertificate(content, key))]
  })
}
