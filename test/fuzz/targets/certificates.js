import { PuppetError } from '../../../dist/base/issue.js'
import { toCertificateStatus, toRequestStatus } from '../../../dist/ca/certificate-status.js'
import { checkRequestContent, checkSubject } from '../../../dist/ca/signing-policy.js'
import { decodeCertificate } from '../../../dist/ca/x509/certificate.js'
import { hasProofOfPossession, parseCertificateRequest } from '../../../dist/ca/x509/certificate-request.js'
import { formatCertificate } from '../../../dist/ca/x509/certificate-text.js'
import { formatDistinguishedName, formatSlashedName } from '../../../dist/ca/x509/distinguished-name.js'
import { isAuthority, listSubjectAltNames } from '../../../dist/ca/x509/extensions.js'
import { toPem } from '../../../dist/ca/x509/pem.js'
import { listRevocations, parseRevocationLists } from '../../../dist/ca/x509/revocation-list.js'
import { listPuppetExtensions } from '../../../dist/server/auth/client-certificate.js'
import { allowing } from '../target.js'

const policy = { allowSubjectAltNames: true, allowAuthorizationExtensions: true }

/**
 * DER of a request, a certificate, a revocation list: refused in words, or good for all that is asked of one later.
 *
 * @type {import('../target.js').Target}
 */
export default {
  name: 'certificates',
  seeds: [],
  dictionary: [
    '\x30\x03',
    '\x30\x80',
    '\x02\x01\x00',
    '\x06\x03\x55\x1d\x11',
    '\x06\x03\x55\x04\x03',
    '\x82\x01\x00',
    '\x04\x00',
    '\x04\x02\x30\x00',
    '\x03\x02\x00',
    '\x05\x00',
    '\xa0\x03',
    '\xa3\x03',
    '\x87\x04\x7f\x00\x00\x01',
    '\x82\x01*',
    '\x17\x0d991231235959Z',
    '\x01\x01\xff',
    '\x0c\x02\x1b[',
  ],
  // A signature is verified, and a key is read, each for a tenth of a millisecond: what a byte costs is not seen below that.
  nsPerByte: 3000,
  run(bytes) {
    const request = allowing([PuppetError], () => parseCertificateRequest(toPem('CERTIFICATE REQUEST', bytes)))
    if (request) {
      allowing([PuppetError], () => hasProofOfPossession(request))
      allowing([PuppetError], () =>
        checkSubject(request.commonName ?? '', request, /** @type {any} */ ({ subject: request.subject })),
      )
      allowing([PuppetError], () => checkRequestContent(request.commonName ?? '', request, policy))
      allowing([PuppetError], () => listSubjectAltNames(request.extensions))
      allowing([PuppetError], () => toRequestStatus('web1.example.com', request))
      formatDistinguishedName(request.subject)
    }
    const certificate = allowing([PuppetError], () => decodeCertificate(Buffer.from(bytes)))
    if (certificate) {
      formatSlashedName(certificate.subject)
      allowing([PuppetError], () => listPuppetExtensions(certificate, new Map()))
      allowing([PuppetError], () => toCertificateStatus('web1.example.com', certificate, 'signed'))
      allowing([PuppetError], () => isAuthority(certificate.extensions))
      allowing([PuppetError], () => formatCertificate(certificate))
    }
    const lists = allowing([PuppetError], () => parseRevocationLists(toPem('X509 CRL', bytes)))
    for (const list of lists ?? []) allowing([PuppetError], () => listRevocations(list))
  },
}
