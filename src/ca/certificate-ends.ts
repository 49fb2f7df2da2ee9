import { utcText } from '../base/time/utc-text.ts'
import { type EndingNodes, isEnding, type Span } from './ending.ts'
import type { Certificate } from './x509/certificate.ts'
import { commonNameOf, type Name, nameText } from './x509/name.ts'
import type { RevocationList } from './x509/revocation-list.ts'

/** The certificates and lists that a server shows and trusts. */
export interface ServerCertificates {
  readonly own: Certificate
  readonly authorities: readonly Certificate[]
  readonly lists?: readonly RevocationList[]
  /** The one that signs catalogs. */
  readonly signer?: Certificate | undefined
  /** True when the authority is this server's own, so that the certificate is renewed here. */
  readonly signsHere: boolean
  readonly nodes?: EndingNodes
}

/** A certificate or a revocation list with the time in which it is good. */
interface CertificateEnd extends Span {
  readonly kind: 'authority' | 'server' | 'catalog-signer' | 'revocation-list'
  /** The common name, of its issuer for a list. */
  readonly name: string
}

/** Figures of a server's certificates; keys are the wire's, times in seconds. */
export interface CertificateFigures {
  readonly certificates: readonly {
    readonly kind: CertificateEnd['kind']
    readonly name: string
    readonly 'not-after': number
    /** Seconds until then; below zero after it. */
    readonly 'seconds-left': number
  }[]
  /** Nodes' certificates that soon end, as of the last count. */
  readonly 'nodes-ending': number
}

/** A certificate that has ended, soon ends, or has not begun. */
export interface CertificateAlert {
  readonly severity: 'warning' | 'error'
  readonly message: string
  readonly hint: string
}

/** A watched certificate or list, with its owner and its renewal in words. */
interface Watched extends CertificateEnd {
  readonly what: string
  readonly renewal: string
}

const dayMs = 86_400_000

/** The ends of a server's certificates and lists, as figures. */
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

/** The ends of a server's certificates and lists, in the words of metrics. */
export function certificateEnds(
  certificates: ServerCertificates,
): readonly { readonly of: string; readonly name: string; readonly notAfter: Date }[] {
  return watchedOf(certificates).map(({ kind, name, notAfter }) => ({ of: kind.replace('-', '_'), name, notAfter }))
}

/** Alerts about these certificates at this time; none while all is well. */
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
    what: `The certificate of the authority '${nameText(subject)}'`,
    renewal: signsHere
      ? "'plumb ca renew --ca', then SIGHUP to the server: its key stays, and agents go on to trust it."
      : "'plumb ca renew --ca' on the authority, its certificate into localcacert here, then SIGHUP to the server.",
  }
}

function serverOf(own: Certificate, name: string, { signsHere }: ServerCertificates): Watched {
  const { subject, notBefore, notAfter } = own
  return {
    ...{ kind: 'server', name, notBefore, notAfter },
    what: `The certificate of this server, '${nameText(subject)}',`,
    renewal: signsHere
      ? `'plumb ca renew --certname ${name}', then SIGHUP to the server; it renews it by itself unless it is revoked or another's.`
      : `'plumb ca renew --certname ${name}' on the authority, 'plumb ssl download_cert' here, then SIGHUP to the server.`,
  }
}

function signerOf({ notBefore, notAfter }: Certificate, name: string, { signsHere }: ServerCertificates): Watched {
  return {
    ...{ kind: 'catalog-signer', name, notBefore, notAfter },
    what: 'The certificate of the key that signs catalogs',
    renewal: signsHere
      ? 'The server makes it anew by itself: its log says why it could not.'
      : `'plumb ca generate --certname ${name} --catalog-signer FILE' on the authority, the file as catalog_signer here, then SIGHUP to the server.`,
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
        ? 'The server issues it anew by itself: its log says why it could not.'
        : 'Get a newer one from that authority: PUT /puppet-ca/v1/certificate_revocation_list takes it, where the authority is; elsewhere it belongs into hostcrl.',
    },
  ]
}

function alertOf(watched: Watched, now: Date): CertificateAlert | undefined {
  const { notBefore, notAfter, what, renewal } = watched
  const clock = `The clock here says ${utcText(now)}.`
  if (notBefore > now)
    return { severity: 'error', message: `${what} is good from ${utcText(notBefore)} on only`, hint: clock }
  if (notAfter < now)
    return { severity: 'error', message: `${what} has expired on ${utcText(notAfter)}`, hint: `${clock} ${renewal}` }
  if (!isEnding(watched, now)) return undefined
  return {
    severity: 'warning',
    message: `${what} ends in ${daysTo(notAfter, now)} days, on ${utcText(notAfter)}`,
    hint: renewal,
  }
}

function nodesAlert({ count, first }: EndingNodes = { count: 0 }, now: Date): CertificateAlert[] {
  if (!first) return []
  const subject = count === 1 ? 'The certificate of a node ends' : `The certificates of ${count} nodes end`
  const message = `${subject} soon; that of '${first.name}' in ${daysTo(first.notAfter, now)} days, on ${utcText(first.notAfter)}`
  const hint =
    "'plumb ca list --expiring 60' shows them. Agents renew theirs in the last 30 days of it; for others, 'plumb ca renew NAME'."
  return [{ severity: 'warning', message, hint }]
}

function daysTo(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / dayMs)
}

function nameIn(name: Name): string {
  return commonNameOf(name) ?? ''
}
