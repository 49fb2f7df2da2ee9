import { dirname } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { getKeyKind } from '../../ca/authority-settings.ts'
import { writeSigner } from '../../ca/catalog-signer.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { toCertificatePem } from '../../ca/x509/certificate.ts'
import { toPrivateKeyPem, toPublicKeyPem } from '../../ca/x509/keys.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import {
  altNamesOption,
  certnameArguments,
  certnameOption,
  forEachName,
  loadCaSettings,
  openCommandAuthority,
  parseDuration,
  requireCertnames,
  splitNames,
  ttlOption,
} from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [
  certnameOption,
  altNamesOption,
  ttlOption,
  { flags: '--ca-client', doc: 'Allow the certificate to manage this CA over HTTP.' },
  {
    flags: '--catalog-signer <file>',
    doc: 'Generate a catalog signing key and certificate for the server with this certname, and write both to a file.',
  },
] as const

/** The command `plumb ca generate`. */
export const generateCommand: CliCommand = {
  name: 'generate',
  summary: 'Generate a key and a certificate without a request.',
  usage: certnameArguments,
  options,
  run: generateCertificates,
}

async function generateCertificates(invocation: CommandInvocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const { files } = localSystem
  const authority = await openCommandAuthority(invocation)
  const { catalogSigner } = given
  return forEachName(requireCertnames(invocation, 'generate'), io, async (name) => {
    if (catalogSigner !== undefined) return generateSigner(authority, name, catalogSigner)
    const paths = loadCaSettings(invocation, name)
    const places = { 'private key': paths.hostprivkey, 'public key': paths.hostpubkey, certificate: paths.hostcert }
    for (const path of Object.values(places))
      if (await files.stat(path)) throwIssue(caIssues.CERTNAME_HAS_FILES, { name, path })
    const { key, certificate } = await authority.generate(name, {
      key: getKeyKind(paths),
      altNames: given.subjectAltNames === undefined ? [] : splitNames(given.subjectAltNames),
      administers: given.caClient === true,
      ttl: parseDuration(given.ttl),
    })
    for (const path of Object.values(places)) await files.makeDirectory(dirname(path), 0o750)
    await files.write(paths.hostprivkey, toPrivateKeyPem(key), 0o600)
    await files.write(paths.hostpubkey, toPublicKeyPem(key), 0o644)
    await files.write(paths.hostcert, toCertificatePem(certificate), 0o644)
    return Object.entries(places)
      .map(([what, path]) => `Successfully saved ${what} for ${name} to ${path}`)
      .join('\n')
  })
}

/** Generates the `catalog_signer` of a server without a CA. */
async function generateSigner(authority: CertificateAuthority, name: string, path: string): Promise<string> {
  const { files } = localSystem
  if (await files.stat(path)) throwIssue(caIssues.CERTNAME_HAS_FILES, { name, path })
  await writeSigner(await authority.generateSigner(name), path, { files })
  return `Successfully saved catalog signing key for ${name} to ${path}`
}
