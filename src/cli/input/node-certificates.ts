import { getCaLayout } from '../../ca/file-layout.ts'
import { openRecords } from '../../ca/pem-folder.ts'
import { type Certificate, parseCertificate } from '../../ca/x509/certificate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { buildTrustedFacts, readExternalTrustedData, type TrustedFacts } from '../../node/facts/trusted.ts'
import { readExtensionNames } from '../../server/auth/auth-files.ts'
import { listPuppetExtensions } from '../../server/auth/client-certificate.ts'

/** Returns a function that reads the certificate that the CA in `cadir` signed for a node; `undefined` if there is none. */
export function createCertificateReader({
  cadir,
}: Pick<Settings, 'cadir'>): (node: string) => Promise<Certificate | undefined> {
  const signed = openRecords(localSystem.files, getCaLayout(cadir).signed)
  return async (node) => {
    const pem = await signed.read(node)
    return pem === undefined ? undefined : parseCertificate(pem)
  }
}

/**
 * Returns a function that reads `$trusted` of a node from its signed certificate, with the data of
 * `trusted_external_command`.
 */
export function createTrustedFactsReader(settings: Settings): (node: string) => Promise<TrustedFacts> {
  const readCertificate = createCertificateReader(settings)
  const names = readExtensionNames({ settings, system: localSystem })
  const command = settings.trusted_external_command
  return async (node) => {
    const certificate = await readCertificate(node)
    const extensions = certificate ? listPuppetExtensions(certificate, await names) : {}
    const external = command === '' ? {} : await readExternalTrustedData(command, node, localSystem)
    return buildTrustedFacts({ authenticated: 'remote', certname: node, extensions }, external)
  }
}
