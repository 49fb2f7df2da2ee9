import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseCertificate } from '../../ca/x509/certificate.ts'
import { parseCertificateRequest } from '../../ca/x509/certificate-request.ts'
import { computeFingerprint, digests } from '../../ca/x509/fingerprint.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'

const issues = defineIssues({
  NO_FINGERPRINT: {
    text: () => 'Fingerprint asked but neither the certificate, nor the certificate request have been issued',
  },
  UNKNOWN_DIGEST: {
    text: (a: { name: string }) => `Unsupported digest ${a.name}`,
    hint: () => `Valid digests: ${digests.join(', ')}.`,
  },
})

/** The fingerprint of this host's certificate, otherwise of its request: `(SHA256) AB:CD:…`. */
export async function readHostFingerprint(
  { hostcert, hostcsr }: Pick<Settings, 'hostcert' | 'hostcsr'>,
  digest: string,
): Promise<string> {
  const name = digest.toUpperCase()
  const algorithm = digests.find((each) => each === name) ?? throwIssue(issues.UNKNOWN_DIGEST, { name: digest })
  const certificate = await localFiles.readText(hostcert)
  const request = certificate === undefined ? await localFiles.readText(hostcsr) : undefined
  if (certificate === undefined && request === undefined) throwIssue(issues.NO_FINGERPRINT, {})
  const { der } = certificate === undefined ? parseCertificateRequest(request ?? '') : parseCertificate(certificate)
  return `(${algorithm}) ${computeFingerprint(der, algorithm)}`
}
