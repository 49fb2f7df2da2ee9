import { utcText } from '../base/utc-text.ts'
import type { Certificate } from '../x509/certificate.ts'
import { commonNameOf, nameText } from '../x509/name.ts'

/** The certificates that a server shows and trusts. */
export interface ServerCertificates {
  readonly own: Certificate
  readonly authorities: readonly Certificate[]
  /** The one that signs catalogs. */
  readonly signer?: Certificate | undefined
  /** True when the authority is this server's own, so that the certificate is renewed here. */
  readonly signsHere: boolean
}

/** A certificate that has ended, soon ends, or has not begun. */
export interface CertificateAlert {
  readonly severity: 'warning' | 'error'
  readonly message: string
  readonly hint: string
}

/** A certificate of the server's, with its owner and its renewal in words. */
interface Watched {
  readonly certificate: Certificate
  readonly whose: string
  readonly renewal: string
  /** Days before the certificate's end from which there is an alert. */
  readonly warnDays: number
}

const dayMs = 86_400_000
/** Days of warning before an authority's end: a new authority has to reach every node. */
const warnDaysOfAuthority = 90
/** Days of warning before the end of a server's own certificate, which is replaced in one place. */
const warnDaysOfServer = 30

/** Alerts about these certificates at this time; none while all is well. */
export function certificateAlerts(certificates: ServerCertificates, now: Date): CertificateAlert[] {
  return watchedOf(certificates).flatMap((watched) => alertOf(watched, now) ?? [])
}

function watchedOf({ own, authorities, signer, signsHere }: ServerCertificates): Watched[] {
  const name = commonNameOf(own.subject) ?? ''
  return [
    ...authorities.map((certificate) => ({
      certificate,
      whose: `the authority '${nameText(certificate.subject)}'`,
      renewal: signsHere
        ? "'plumb ca renew --ca', then SIGHUP to the server: its key stays, and agents go on to trust it."
        : "'plumb ca renew --ca' on the authority, its certificate into localcacert here, then SIGHUP to the server.",
      warnDays: warnDaysOfAuthority,
    })),
    {
      certificate: own,
      whose: `this server, '${nameText(own.subject)}',`,
      renewal: signsHere
        ? `'plumb ca renew --certname ${name}', then SIGHUP to the server.`
        : `'plumb ca renew --certname ${name}' on the authority, 'plumb ssl download_cert' here, then SIGHUP to the server.`,
      warnDays: warnDaysOfServer,
    },
    // Where the authority is, it is made anew in time.
    ...(signer === undefined || signsHere ? [] : [watchedSigner(signer, name)]),
  ]
}

function watchedSigner(certificate: Certificate, name: string): Watched {
  return {
    certificate,
    whose: 'the key that signs catalogs',
    renewal: `'plumb ca generate --certname ${name} --catalog-signer FILE' on the authority, the file as catalog_signer here, then SIGHUP to the server.`,
    warnDays: warnDaysOfServer,
  }
}

function alertOf({ certificate, whose, renewal, warnDays }: Watched, now: Date): CertificateAlert | undefined {
  const { notBefore, notAfter } = certificate
  const what = `The certificate of ${whose}`
  const clock = `The clock here says ${utcText(now)}.`
  if (notBefore > now)
    return { severity: 'error', message: `${what} is good from ${utcText(notBefore)} on only`, hint: clock }
  if (notAfter < now)
    return { severity: 'error', message: `${what} has expired on ${utcText(notAfter)}`, hint: `${clock} ${renewal}` }
  const days = Math.floor((notAfter.getTime() - now.getTime()) / dayMs)
  if (days >= warnDays) return undefined
  return { severity: 'warning', message: `${what} ends in ${days} days, on ${utcText(notAfter)}`, hint: renewal }
}
