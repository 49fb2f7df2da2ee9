import { dirname } from 'node:path'
import { fail } from '../../base/issue.ts'
import { saveSigner } from '../../ca/catalog-signer.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { keyKindOf } from '../../ca/from-settings.ts'
import { certificatePem } from '../../ca/x509/certificate.ts'
import { privateKeyPem, publicKeyPem } from '../../ca/x509/keys.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Command, Invocation } from '../command/command.ts'
import {
  altNames,
  authorityOf,
  certname,
  certnames,
  durationIn,
  forEach,
  namesIn,
  required,
  settingsOf,
  ttl,
} from './asked.ts'
import { issues } from './issues.ts'

const options = [
  certname,
  altNames,
  ttl,
  { flags: '--ca-client', doc: 'Allow the certificate to manage this CA over HTTP.' },
  {
    flags: '--catalog-signer <file>',
    doc: 'Write the catalog signing key and certificate of the server with this name to a file.',
  },
] as const

/** `plumb ca generate` */
export const generate: Command = {
  name: 'generate',
  summary: 'Generate a key and a certificate without a request.',
  usage: certnames,
  options,
  run,
}

async function run(invocation: Invocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const { files } = localSystem
  const authority = await authorityOf(invocation)
  const { catalogSigner } = given
  return forEach(required(invocation, 'generate'), io, async (name) => {
    if (catalogSigner !== undefined) return generateSigner(authority, name, catalogSigner)
    const paths = settingsOf(invocation, name)
    const places = { 'private key': paths.hostprivkey, 'public key': paths.hostpubkey, certificate: paths.hostcert }
    for (const path of Object.values(places))
      if (await files.stat(path)) fail(issues.CERTNAME_HAS_FILES, { name, path })
    const { key, certificate } = await authority.generate(name, {
      key: keyKindOf(paths),
      altNames: given.subjectAltNames === undefined ? [] : namesIn(given.subjectAltNames),
      administers: given.caClient === true,
      ttl: durationIn(given.ttl),
    })
    for (const path of Object.values(places)) await files.makeDirectory(dirname(path), 0o750)
    await files.write(paths.hostprivkey, privateKeyPem(key), 0o600)
    await files.write(paths.hostpubkey, publicKeyPem(key), 0o644)
    await files.write(paths.hostcert, certificatePem(certificate), 0o644)
    return Object.entries(places)
      .map(([what, path]) => `Successfully saved ${what} for ${name} to ${path}`)
      .join('\n')
  })
}

/** Generates the `catalog_signer` of a server without a CA. */
async function generateSigner(authority: CertificateAuthority, name: string, path: string): Promise<string> {
  const { files } = localSystem
  if (await files.stat(path)) fail(issues.CERTNAME_HAS_FILES, { name, path })
  await saveSigner(await authority.generateSigner(name), path, { files })
  return `Successfully saved catalog signing key for ${name} to ${path}`
}
