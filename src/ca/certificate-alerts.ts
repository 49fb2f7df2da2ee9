import { formatUtcDate } from '../base/time/utc-text.ts'
import { type ExpiringNodes, isExpiring, type ValidityPeriod } from './expiring-certificates.ts'
import type { Certificate } from './x509/certificate.ts'
import { type DistinguishedName, findCommonName, formatDistinguishedName } from './x509/distinguished-name.ts'
import type { RevocationList } from './x509/revocation-list.ts'

/** The certificates and lists that a server presents and trusts. */
export interface ServerCertificates {
  readonly own: Certificate
  readonly authorities: readonly Certificate[]
  readonly lists?: readonly RevocationList[]
  /** The certificate for signing catalogs. */
  readonly signer?: Certificate | undefined
  /** True with a local CA, which then renews the server's certificate. */
  readonly signsHere: boolean
  readonly nodes?: ExpiringNodes
}

/** A certificate or revocation list with its validity period. */
interface CertificateEnd extends ValidityPeriod {
  readonly kind: 'authority' | 'server' | 'catalog-signer' | 'revocation-list'
  /** Common name of the certificate; for a list, the name of its issuer. */
  readonly name: string
}

/** Expirations of a server's certificates for the status API; the keys are part of the API. */
export interface CertificateFigures {
  readonly certificates: readonly {
    readonly kind: CertificateEnd['kind']
    readonly name: string
    readonly 'not-after': number
    /** Seconds until expiration; negative after expiration. */
    readonly 'seconds-left': number
  }[]
  /** Number of node certificates that expire soon, as last counted. */
  readonly 'nodes-ending': number
}

/** An alert about a certificate or list that has expired, expires soon, or is not valid yet. */
export interface CertificateAlert {
  readonly severity: 'warning' | 'error'
  readonly message: string
  readonly hint: string
}

/** A monitored certificate or list, with texts for messages: its description, and the way to renew it. */
interface Watched extends CertificateEnd {
  readonly what: string
  readonly renewal: string
}

const dayMs = 86_400_000

/** Returns the expirations of a server's certificates and lists for the status API. */
export function computeCertificateFigures(certificates: ServerCertificates, now: Date): CertificateFigures {
  const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    certificates: listMonitoredItems(certificates).map(({ kind, name, notAfter }) => ({
      ...{ kind, name, 'not-after': toSeconds(notAfter) },
      'seconds-left': toSeconds(notAfter) - toSeconds(now),
    })),
    'nodes-ending': certificates.nodes?.count ?? 0,
  }
}

/** Returns the expirations of a server's certificates and lists for metrics. */
export function listCertificateExpirations(
  certificates: ServerCertificates,
): readonly { readonly of: string; readonly name: string; readonly notAfter: Date }[] {
  return listMonitoredItems(certificates).map(({ kind, name, notAfter }) => ({
    of: kind.replace('-', '_'),
    name,
    notAfter,
  }))
}

/** Returns alerts about certificates that expire soon, have expired, or are not valid yet. */
export function listCertificateAlerts(certificates: ServerCertificates, now: Date): CertificateAlert[] {
  const alerts = listMonitoredItems(certificates).flatMap((watched) => findAlert(watched, now) ?? [])
  return [...alerts, ...listNodeAlerts(certificates.nodes, now)]
}

function listMonitoredItems(certificates: ServerCertificates): Watched[] {
  const { own, authorities, lists = [], signer } = certificates
  const name = formatCommonName(own.subject)
  return [
    ...authorities.map((each) => describeAuthority(each, certificates)),
    describeServerCertificate(own, name, certificates),
    ...(signer ? [describeCatalogSigner(signer, name, certificates)] : []),
    ...lists.flatMap((list) => describeRevocationList(list, certificates)),
  ]
}

function describeAuthority(certificate: Certificate, { signsHere }: ServerCertificates): Watched {
  const { subject, notBefore, notAfter } = certificate
  return {
    ...{ kind: 'authority', name: formatCommonName(subject), notBefore, notAfter },
    what: `The certificate of the CA '${formatDistinguishedName(subject)}'`,
    renewal: signsHere
      ? "Run 'plumb ca renew --ca', then send SIGHUP to the server. The key does not change, so agents still trust it."
      : "Run 'plumb ca renew --ca' on the CA, copy its certificate to localcacert here, then send SIGHUP to the server.",
  }
}

function describeServerCertificate(own: Certificate, name: string, { signsHere }: ServerCertificates): Watched {
  const { subject, notBefore, notAfter } = own
  return {
    ...{ kind: 'server', name, notBefore, notAfter },
    what: `The certificate of this server, '${formatDistinguishedName(subject)}',`,
    renewal: signsHere
      ? `Run 'plumb ca renew --certname ${name}', then send SIGHUP to the server. The server renews it automatically, unless it is revoked or issued by another CA.`
      : `Run 'plumb ca renew --certname ${name}' on the CA and 'plumb ssl download_cert' here, then send SIGHUP to the server.`,
  }
}

function describeCatalogSigner(
  { notBefore, notAfter }: Certificate,
  name: string,
  { signsHere }: ServerCertificates,
): Watched {
  return {
    ...{ kind: 'catalog-signer', name, notBefore, notAfter },
    what: 'The certificate of the catalog signing key',
    renewal: signsHere
      ? 'The server renews it automatically. Look for errors in its log.'
      : `Run 'plumb ca generate --certname ${name} --catalog-signer FILE' on the CA, copy the file to catalog_signer here, then send SIGHUP to the server.`,
  }
}

function describeRevocationList(list: RevocationList, { signsHere, own }: ServerCertificates): Watched[] {
  const { issuer, thisUpdate, nextUpdate } = list
  if (!nextUpdate) return []
  const isOurs = signsHere && issuer.der.equals(own.issuer.der)
  return [
    {
      ...{ kind: 'revocation-list', name: formatCommonName(issuer), notBefore: thisUpdate, notAfter: nextUpdate },
      what: `The revocation list of '${formatDistinguishedName(issuer)}'`,
      renewal: isOurs
        ? 'The server renews it automatically. Look for errors in its log.'
        : 'Get a newer list from that CA. Upload it with PUT /puppet-ca/v1/certificate_revocation_list on the CA server; elsewhere, save it to hostcrl.',
    },
  ]
}

function findAlert(watched: Watched, now: Date): CertificateAlert | undefined {
  const { notBefore, notAfter, what, renewal } = watched
  const clock = `The local clock is ${formatUtcDate(now)}.`
  if (notBefore > now)
    return { severity: 'error', message: `${what} is not valid before ${formatUtcDate(notBefore)}`, hint: clock }
  if (notAfter < now)
    return { severity: 'error', message: `${what} expired on ${formatUtcDate(notAfter)}`, hint: `${clock} ${renewal}` }
  if (!isExpiring(watched, now)) return undefined
  return {
    severity: 'warning',
    message: `${what} expires in ${countDaysUntil(notAfter, now)} days, on ${formatUtcDate(notAfter)}`,
    hint: renewal,
  }
}

function listNodeAlerts({ count, first }: ExpiringNodes = { count: 0 }, now: Date): CertificateAlert[] {
  if (!first) return []
  const subject = count === 1 ? 'The certificate of a node expires' : `The certificates of ${count} nodes expire`
  const message = `${subject} soon; the certificate of '${first.name}' in ${countDaysUntil(first.notAfter, now)} days, on ${formatUtcDate(first.notAfter)}`
  const hint =
    "List them with 'plumb ca list --expiring 60'. Agents renew their certificates in the last 30 days; renew others with 'plumb ca renew NAME'."
  return [{ severity: 'warning', message, hint }]
}

function countDaysUntil(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / dayMs)
}

function formatCommonName(name: DistinguishedName): string {
  return findCommonName(name) ?? ''
}
