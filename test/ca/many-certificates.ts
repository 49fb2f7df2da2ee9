import { writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthorityCertificate, createHostCertificate } from '../../src/ca/certificate-profile.ts'
import { generatePrivateKey, toPublicKeyDer } from '../../src/ca/x509/keys.ts'
import { toPem } from '../../src/ca/x509/pem.ts'
import { createKeySigner } from '../../src/ca/x509/signature.ts'
import { ec } from './fixture.ts'

/** The name of the certificate of a number. */
export function manyName(index: number): string {
  return `node${String(index).padStart(6, '0')}.test`
}

/** The serial of the certificate of a number. */
export function manySerial(index: number): bigint {
  return 0x10000000n + BigInt(index)
}

/**
 * Writes many certificates into an authority's folder, with their lines of the inventory: one that was signed, whose name and
 * serial are replaced as bytes. Their signatures are those of the first; nobody verifies them in a list.
 */
export async function writeManyCertificates(cadir: string, count: number): Promise<void> {
  const key = await generatePrivateKey(ec)
  const now = new Date()
  const signer = createKeySigner(key)
  const certificate = await createAuthorityCertificate('Puppet CA: ca.test', signer, 5 * 365 * 86_400, now)
  const host = { altNames: [], extensions: [], ttl: 5 * 365 * 86_400, now, spki: toPublicKeyDer(key) }
  const issuer = { certificate, signer }
  const { der } = await createHostCertificate({ ...host, name: manyName(0), serial: manySerial(0) }, issuer)
  const template = der.toString('latin1')
  const bytesOf = (serial: bigint) => Buffer.from(serial.toString(16), 'hex').toString('latin1')
  const [name, serial] = [manyName(0), bytesOf(manySerial(0))]
  const lines: string[] = []
  for (let index = 0; index < count; index++) {
    const text = template.replaceAll(name, manyName(index)).replace(serial, () => bytesOf(manySerial(index)))
    writeFileSync(join(cadir, 'signed', `${manyName(index)}.pem`), toPem('CERTIFICATE', Buffer.from(text, 'latin1')))
    lines.push(
      `0x${manySerial(index).toString(16).toUpperCase()} 2026-11-23T00:00:00UTC 2031-11-23T00:00:00UTC /CN=${manyName(index)}\n`,
    )
  }
  await appendFile(join(cadir, 'inventory.txt'), lines.join(''))
}
