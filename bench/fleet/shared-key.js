// Certificates of many nodes with one key: a signature is cheap beside a key, and a server does not compare keys.
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHostCertificate } from '#built/ca/certificate-profile.js'
import { getCaLayout } from '#built/ca/file-layout.js'
import { parseCertificates, toCertificatePem } from '#built/ca/x509/certificate.js'
import { generatePrivateKey, toPrivateKeyPem, toPublicKeyDer } from '#built/ca/x509/keys.js'
import { createKeySigner } from '#built/ca/x509/signature.js'
import { loadSettings } from '#built/machine/settings/settings.js'

const ttlSeconds = 86_400
const firstSerial = 1_000_000n

/** Returns the identity of a name, signed by the authority in a server's folder when it is first requested. */
export async function sharedKeyIdentities(folder) {
  const given = { confdir: join(folder, 'plumbline/etc'), vardir: join(folder, 'plumbline/var') }
  const places = getCaLayout(loadSettings({ given, runMode: 'server', env: {} }).cadir)
  const [certificate] = parseCertificates(readFileSync(places.certificate, 'utf8'))
  const issuer = { certificate, signer: createKeySigner(createPrivateKey(readFileSync(places.key))) }
  const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
  const known = new Map()
  return async (/** @type {string} */ name) => {
    const found = known.get(name)
    if (found) return found
    const host = { name, altNames: [], extensions: [], spki: toPublicKeyDer(key), ttl: ttlSeconds, now: new Date() }
    const signed = await createHostCertificate({ ...host, serial: firstSerial + BigInt(known.size) }, issuer)
    const identity = { key: toPrivateKeyPem(key), cert: toCertificatePem(signed) }
    known.set(name, identity)
    return identity
  }
}
