import type { KeyObject } from 'node:crypto'
import { formatUtcDate } from '../../../base/time/utc-text.ts'
import { hasSignerCommand } from '../../../ca/authority-settings.ts'
import { listCertificateAlerts } from '../../../ca/certificate-alerts.ts'
import { getCaLayout } from '../../../ca/file-layout.ts'
import { type Certificate, parseCertificate, parseCertificates } from '../../../ca/x509/certificate.ts'
import { ChainError, verifyChain } from '../../../ca/x509/chain.ts'
import { findCommonName, formatDistinguishedName } from '../../../ca/x509/distinguished-name.ts'
import { listSubjectAltNames } from '../../../ca/x509/extensions.ts'
import { isSameKeyPair, parsePrivateKey } from '../../../ca/x509/keys.ts'
import { parseRevocationLists, type RevocationList } from '../../../ca/x509/revocation-list.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check, Installation } from '../installation.ts'

const dayMs = 86_400_000
/** Days before the expiry of a revocation list at which a warning is printed. Lists are valid for 30 days and renewed earlier. */
const warnDaysOfList = 7

const faults = defineFaults('certificates', {
  CERTIFICATE_MISSING: {
    severity: 'warning',
    what: (a: { file: string; isServer: boolean }) => `This host has no certificate: ${a.file} does not exist`,
    why: 'A server without a certificate cannot start; a node without one cannot request catalogs.',
    fix: (a) =>
      a.isServer
        ? "Start 'plumb server', which creates the certificate."
        : "Run 'plumb ssl bootstrap', and 'plumb ca sign' on the server.",
  },
  CERTIFICATE_UNREADABLE: {
    severity: 'error',
    what: (a: { file: string; why: string }) => `${a.file} cannot be read: ${a.why}`,
    why: 'TLS connections that use the file fail.',
    fix: (a) =>
      `Restore the file from a backup, or remove it and request a new one. 'openssl x509 -in ${a.file} -text' prints a valid certificate.`,
  },
  KEY_MISSING: {
    severity: 'error',
    what: (a: { file: string; certificate: string }) =>
      `The key of ${a.certificate} is missing: ${a.file} does not exist`,
    why: 'A certificate cannot be used without its key.',
    fix: () => "Restore the key, or request a new certificate: 'plumb ssl clean', 'plumb ssl bootstrap'.",
  },
  KEY_MISMATCH: {
    severity: 'error',
    what: (a: { file: string; certificate: string }) =>
      `The key ${a.file} does not match the certificate ${a.certificate}`,
    why: 'TLS connections that use the pair fail.',
    fix: () => "Restore the matching file, or request a new certificate: 'plumb ssl clean', 'plumb ssl bootstrap'.",
  },
  CERTIFICATE_ENDS: {
    severity: 'warning',
    what: (a: { message: string; fix: string }) => a.message,
    why: 'Peers reject this certificate after it expires.',
    fix: (a) => a.fix,
  },
  CERTIFICATE_NOT_IN_FORCE: {
    severity: 'error',
    what: (a: { message: string; fix: string }) => a.message,
    why: 'Peers reject this certificate.',
    fix: (a) => a.fix,
  },
  CERTIFICATE_UNTRUSTED: {
    severity: 'error',
    what: (a: { file: string; why: string; hint: string | undefined }) => `${a.file} is not trusted here: ${a.why}`,
    why: 'Servers and nodes reject this certificate also.',
    fix: (a) =>
      a.hint ?? "Run 'plumb ssl verify' for details, or 'plumb ssl download_cert' to fetch the certificate again.",
  },
  CERTIFICATE_NAME: {
    severity: 'error',
    what: (a: { file: string; name: string; certname: string }) =>
      `${a.file} is the certificate of '${a.name}', but certname is '${a.certname}'`,
    why: 'The server identifies a node by its certificate, not by puppet.conf.',
    fix: (a) =>
      `Run 'plumb config set certname ${a.name}', or request a new certificate: 'plumb ssl clean', 'plumb ssl bootstrap'.`,
  },
  CERTIFICATE_ALT_NAMES: {
    severity: 'warning',
    what: (a: { file: string; certname: string; names: string }) =>
      `${a.file} is valid for ${a.names}, but not for ${a.certname}`,
    why: 'Agents reject a server whose certificate does not contain the name to which they connect.',
    fix: (a) =>
      `Run 'plumb ca clean --certname ${a.certname}', then 'plumb ca generate --certname ${a.certname} --subject-alt-names ${a.certname},puppet'.`,
  },
  CRL_ENDS: {
    severity: 'warning',
    what: (a: { file: string; issuer: string; end: string }) =>
      `The revocation list of '${a.issuer}' in ${a.file} expires on ${a.end}`,
    why: 'No certificate of this CA is trusted after the list expires.',
    fix: () => "Start the server on the CA, which renews the list; then run 'plumb agent --test' here to fetch it.",
  },
})

/**
 * Checks the keys, certificates and revocation lists of this host, and of the CA if it is on this
 * machine.
 */
export const certificatesCheck: Check = {
  name: 'certificates',
  doc: 'keys, certificates, their chain, names and expiry, and revocation lists',
  async run(installation) {
    const findings: DoctorFinding[] = []
    const { server, agent } = installation
    if (server) findings.push(...(await checkHost(installation, server, true)))
    if (agent && agent.hostcert !== server?.hostcert) findings.push(...(await checkHost(installation, agent, false)))
    return findings
  },
}

async function checkHost({ system }: Installation, settings: Settings, isServer: boolean): Promise<DoctorFinding[]> {
  const { files } = system
  const findings: DoctorFinding[] = []
  const authority = getCaLayout(settings.cadir)
  const isInFiles = settings.ca_store === 'cadir' && (await files.stat(authority.certificate)) !== undefined
  const signsHere = isServer && (isInFiles || settings.ca_store !== 'cadir')
  const own = await readAndParse(files, settings.hostcert, parseCertificate, findings)
  const authorities = (await readAndParse(files, settings.localcacert, parseCertificates, findings)) ?? []
  const listFile = isServer && isInFiles ? authority.revocationList : settings.hostcrl
  const lists = (await readAndParse(files, listFile, parseRevocationLists, findings)) ?? []
  const broken = findings.length > 0
  if (own === undefined) {
    if (!broken) findings.push(faults.CERTIFICATE_MISSING({ file: settings.hostcert, isServer }))
  } else {
    findings.push(...(await checkHostKey(files, settings, own)), ...checkNames(settings, own, isServer))
    findings.push(...checkTrust(settings, { own, authorities, lists, signsHere }, new Date(system.now())))
  }
  if (isServer && isInFiles && !hasSignerCommand(settings)) findings.push(...(await checkAuthorityKey(files, settings)))
  return [...findings, ...checkListExpirations(lists, listFile, new Date(system.now()))]
}

/** Reads and parses a file; adds a finding if it exists but cannot be read. */
async function readAndParse<Content>(
  files: Files,
  file: string,
  parse: (text: string) => Content,
  findings: DoctorFinding[],
): Promise<Content | undefined> {
  try {
    const text = await files.readText(file)
    return text === undefined ? undefined : parse(text)
  } catch (error) {
    findings.push(faults.CERTIFICATE_UNREADABLE({ file, why: formatError(error) }))
    return undefined
  }
}

async function checkHostKey(
  files: Files,
  { hostprivkey: file, hostcert }: Settings,
  own: Certificate,
): Promise<DoctorFinding[]> {
  return checkKeyPair(files, { file, certificate: hostcert, publicKey: own.publicKey })
}

async function checkAuthorityKey(files: Files, { cadir }: Settings): Promise<DoctorFinding[]> {
  const { key, certificate } = getCaLayout(cadir)
  const findings: DoctorFinding[] = []
  const own = await readAndParse(files, certificate, parseCertificate, findings)
  if (own) findings.push(...(await checkKeyPair(files, { file: key, certificate, publicKey: own.publicKey })))
  return findings
}

interface Pair {
  readonly file: string
  readonly certificate: string
  readonly publicKey: KeyObject
}

async function checkKeyPair(files: Files, { file, certificate, publicKey }: Pair): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  if ((await files.stat(file)) === undefined) return [faults.KEY_MISSING({ file, certificate })]
  const key = await readAndParse(files, file, parsePrivateKey, findings)
  if (key && !isSameKeyPair(key, publicKey)) findings.push(faults.KEY_MISMATCH({ file, certificate }))
  return findings
}

function checkNames(
  { hostcert: file, certname }: Settings,
  { subject, extensions }: Certificate,
  isServer: boolean,
): DoctorFinding[] {
  const name = findCommonName(subject) ?? ''
  if (name !== certname) return [faults.CERTIFICATE_NAME({ file, name, certname })]
  const names = listSubjectAltNames(extensions).map((each) => each.replace(/^DNS:/, ''))
  if (!isServer || names.length === 0 || names.includes(certname)) return []
  return [faults.CERTIFICATE_ALT_NAMES({ file, certname, names: names.join(', ') })]
}

interface Shown {
  readonly own: Certificate
  readonly authorities: readonly Certificate[]
  readonly lists: readonly RevocationList[]
  readonly signsHere: boolean
}

function checkTrust(settings: Settings, { own, authorities, lists, signsHere }: Shown, now: Date): DoctorFinding[] {
  const alerts = listCertificateAlerts({ own, authorities, signsHere }, now)
  const findings = alerts.map(({ severity, message, hint: fix }) =>
    severity === 'error'
      ? faults.CERTIFICATE_NOT_IN_FORCE({ message, fix })
      : faults.CERTIFICATE_ENDS({ message, fix }),
  )
  try {
    const revocation = settings.certificate_revocation
    verifyChain(
      own,
      { authorities, lists, revocation: revocation === 'leaf' ? 'leaf' : revocation === 'false' ? false : 'chain' },
      now,
    )
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const isSaid = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].includes(error.fault)
    const { message, hint } = error.diagnostic
    if (!isSaid) findings.push(faults.CERTIFICATE_UNTRUSTED({ file: settings.hostcert, why: message, hint }))
  }
  return findings
}

function checkListExpirations(lists: readonly RevocationList[], file: string, now: Date): DoctorFinding[] {
  return lists.flatMap(({ issuer, nextUpdate }) => {
    if (nextUpdate === undefined) return []
    const left = nextUpdate.getTime() - now.getTime()
    // An expired list makes the certificate untrusted, which is already reported.
    if (left <= 0 || left > warnDaysOfList * dayMs) return []
    return [faults.CRL_ENDS({ file, issuer: formatDistinguishedName(issuer), end: formatUtcDate(nextUpdate) })]
  })
}
