import { type Diagnostic, PuppetError } from '../../../base/issue.ts'
import type { Certificate } from '../../../ca/x509/certificate.ts'
import type { ChainError } from '../../../ca/x509/chain.ts'
import { findCommonName } from '../../../ca/x509/distinguished-name.ts'
import { formatReenrollHint } from '../../../network/client/errors.ts'

/** Adds advice for the operator to an error about this host's certificate or a CA certificate. */
export function addAdvice(error: ChainError, own: Certificate): PuppetError {
  const hint = [error.diagnostic.hint, getAdvice(error, own)].filter((part) => part !== undefined).join(' ')
  const diagnostic: Diagnostic = { ...error.diagnostic, hint }
  return new PuppetError(diagnostic, { cause: error })
}

function getAdvice({ fault, certificate }: ChainError, own: Certificate): string | undefined {
  const name = findCommonName(own.subject) ?? ''
  switch (fault) {
    case 'CERT_HAS_EXPIRED':
      return certificate === own
        ? `If the clock is correct, run 'plumb ca renew --certname ${name}' on the CA server, then 'plumb ssl download_cert' on this host.`
        : "If the clock is correct, run 'plumb ca renew --ca' on the CA server. The next run on this host downloads the new CA certificate."
    case 'CERT_REVOKED':
      return certificate === own ? formatReenrollHint(name) : undefined
    case 'CERT_SIGNATURE_FAILURE':
    case 'ISSUER_MISSING':
      return "If the CA was re-created, run 'plumb ssl clean --localca' on this host. It removes the certificates of the old CA; the next run requests a certificate from the new CA."
    case 'CRL_HAS_EXPIRED':
    case 'CRL_MISSING':
    case 'CRL_SIGNATURE_FAILURE':
      return "Remove the file that 'plumb config print hostcrl' prints. The next run downloads the revocation lists again."
    case 'CERT_NOT_YET_VALID':
    case 'CRL_NOT_YET_VALID':
      return undefined
  }
}
