import { type Diagnostic, PuppetError } from '../../../base/issue.ts'
import type { Certificate } from '../../../ca/x509/certificate.ts'
import type { ChainError } from '../../../ca/x509/chain.ts'
import { commonNameOf } from '../../../ca/x509/name.ts'
import { enrolAgain } from '../../../network/client/errors.ts'

/** Trouble with this host's certificate or a certificate above, with advice for the owner. */
export function withAdvice(error: ChainError, own: Certificate): PuppetError {
  const hint = [error.diagnostic.hint, adviceFor(error, own)].filter((part) => part !== undefined).join(' ')
  const diagnostic: Diagnostic = { ...error.diagnostic, hint }
  return new PuppetError(diagnostic, { cause: error })
}

function adviceFor({ fault, certificate }: ChainError, own: Certificate): string | undefined {
  const name = commonNameOf(own.subject) ?? ''
  switch (fault) {
    case 'CERT_HAS_EXPIRED':
      return certificate === own
        ? `If the clock is right: 'plumb ca renew --certname ${name}' on the authority, and 'plumb ssl download_cert' here.`
        : "If the clock is right: 'plumb ca renew --ca' on the authority; the next run here then fetches its new certificate."
    case 'CERT_REVOKED':
      return certificate === own ? enrolAgain(name) : undefined
    case 'CERT_SIGNATURE_FAILURE':
    case 'ISSUER_MISSING':
      return "If the authority was made anew: 'plumb ssl clean --localca' here removes what is of the old one, and the next run asks for a certificate of the new one."
    case 'CRL_HAS_EXPIRED':
    case 'CRL_MISSING':
    case 'CRL_SIGNATURE_FAILURE':
      return "Remove the file that 'plumb config print hostcrl' names: the next run fetches the lists anew."
    case 'CERT_NOT_YET_VALID':
    case 'CRL_NOT_YET_VALID':
      return undefined
  }
}
