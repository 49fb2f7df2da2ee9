import { utcText } from '../base/time/utc-text.ts'
import { type EndingNodes, isEnding, type Span } from './ending.ts'
import type { Certificate } from './x509/certificate.ts'
import { commonNameOf, type Name, nameText } from './x509/name.ts'
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
  readonly nodes?: EndingNodes
}

/** A certificate or revocation list with its validity period. */
interface CertificateEnd extends Span {
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
export function certificateFigures(certificates: ServerCertificates, now: Date): CertificateFigures {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    certificates: watchedOf(certificates).map(({ kind, name, notAfter }) => ({
      ...{ kind, name, 'not-after': seconds(notAfter) },
      'seconds-left': seconds(notAfter) - seconds(now),
    })),
    'nodes-ending': certificates.nodes?.count ?? 0,
  }
}

/** Returns the expirations of a server's certificates and lists for metrics. */
export function certificateEnds(
  certificates: ServerCertificates,
): readonly { readonly of: string; readonly name: string; readonly notAfter: Date }[] {
  return watchedOf(certificates).map(({ kind, name, notAfter }) => ({ of: kind.replace('-', '_'), name, notAfter }))
}

/** Returns alerts about certificates that expire soon, have expired, or are not valid yet. */
export function certificateAlerts(certificates: ServerCertificates, now: Date): CertificateAlert[] {
  const alerts = watchedOf(certificates).flatMap((watched) => alertOf(watched, now) ?? [])
  return [...alerts, ...nodesAlert(certificates.nodes, now)]
}

function watchedOf(certificates: ServerCertificates): Watched[] {
  const { own, authorities, lists = [], signer } = certificates
  const name = nameIn(own.subject)
  return [
    ...authorities.map((each) => authorityOf(each, certificates)),
    serverOf(own, name, certificates),
    ...(signer ? [signerOf(signer, name, certificates)] : []),
    ...lists.flatMap((list) => listOf(list, certificates)),
  ]
}

function authorityOf(certificate: Certificate, { signsHere }: ServerCertificates): Watched {
  const { subject, notBefore, notAfter } = certificate
  return {
    ...{ kind: 'authority', name: nameIn(subject), notBefore, notAfter },
    what: `The certificate of the CA '${nameText(subject)}'`,
    renewal: signsHere
      ? "Run 'plumb ca renew --ca', then send SIGHUP to the server. The key does not change, so agents still trust it."
      : "Run 'plumb ca renew --ca' on the CA, copy its certificate to localcacert here, then send SIGHUP to the server.",
  }
}

function serverOf(own: Certificate, name: string, { signsHere }: ServerCertificates): Watched {
  const { subject, notBefore, notAfter } = own
  return {
    ...{ kind: 'server', name, notBefore, notAfter },
    what: `The certificate of this server, '${nameText(subject)}',`,
    renewal: signsHere
      ? `Run 'plumb ca renew --certname ${name}', then send SIGHUP to the server. The server renews it automatically, unless it is revoked or of another CA.`
      : `Run 'plumb ca renew --certname ${name}' on the CA and 'plumb ssl download_cert' here, then send SIGHUP to the server.`,
  }
}

function signerOf({ notBefore, notAfter }: Certificate, name: string, { signsHere }: ServerCertificates): Watched {
  return {
    ...{ kind: 'catalog-signer', name, notBefore, notAfter },
    what: 'The certificate of the catalog signing key',
    renewal: signsHere
      ? 'The server renews it automatically. Look for errors in its log.'
      : `Run 'plumb ca generate --certname ${name} --catalog-signer FILE' on the CA, copy the file to catalog_signer here, then send SIGHUP to the server.`,
  }
}

function listOf(list: RevocationList, { signsHere, own }: ServerCertificates): Watched[] {
  const { issuer, thisUpdate, nextUpdate } = list
  if (!nextUpdate) return []
  const isOurs = signsHere && issuer.der.equals(own.issuer.der)
  return [
    {
      ...{ kind: 'revocation-list', name: nameIn(issuer), notBefore: thisUpdate, notAfter: nextUpdate },
      what: `The revocation list of '${nameText(issuer)}'`,
      renewal: isOurs
        ? 'The server renews it automatically. Look for errors in its log.'
        : 'Get a newer list from that CA. Upload it with PUT /puppet-ca/v1/certificate_revocation_list on the CA server; elsewhere, save it to hostcrl.',
    },
  ]
}

function alertOf(watched: Watched, now: Date): CertificateAlert | undefined {
  const { notBefore, notAfter, what, renewal } = watched
  const clock = `The local clock is ${utcText(now)}.`
  if (notBefore > now)
    return { severity: 'error', message: `${what} is not valid before ${utcText(notBefore)}`, hint: clock }
  if (notAfter < now)
    return { severity: 'error', message: `${what} expired on ${utcText(notAfter)}`, hint: `${clock} ${renewal}` }
  if (!isEnding(watched, now)) return undefined
  return {
    severity: 'warning',
    message: `${what} expires in ${daysTo(notAfter, now)} days, on ${utcText(notAfter)}`,
    hint: renewal,
  }
}

function nodesAlert({ count, first }: EndingNodes = { count: 0 }, now: Date): CertificateAlert[] {
  if (!first) return []
  const subject = count === 1 ? 'The certificate of a node expires' : `The certificates of ${count} nodes expire`
  const message = `${subject} soon; that of '${first.name}' in ${daysTo(first.notAfter, now)} days, on ${utcText(first.notAfter)}`
  const hint =
    "List them with 'plumb ca list --expiring 60'. Agents renew their certificates in the last 30 days; renew others with 'plumb ca renew NAME'."
  return [{ severity: 'warning', message, hint }]
}

function daysTo(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / dayMs)
}

function nameIn(name: Name): string {
  return commonNameOf(name) ?? ''
}
