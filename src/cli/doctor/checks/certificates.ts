import type { KeyObject } from 'node:crypto'
import { utcText } from '../../../base/time/utc-text.ts'
import { certificateAlerts } from '../../../ca/certificate-ends.ts'
import { caLayout } from '../../../ca/layout.ts'
import { type Certificate, parseCertificate, parseCertificates } from '../../../ca/x509/certificate.ts'
import { ChainError, verifyChain } from '../../../ca/x509/chain.ts'
import { subjectAltNames } from '../../../ca/x509/extensions.ts'
import { isSamePair, parsePrivateKey } from '../../../ca/x509/keys.ts'
import { commonNameOf, nameText } from '../../../ca/x509/name.ts'
import { parseRevocationLists, type RevocationList } from '../../../ca/x509/revocation-list.ts'
import { errorText } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { defineFaults, type Finding } from '../finding.ts'
import type { Check, Installation } from '../installation.ts'

const dayMs = 86_400_000
/** Days before a revocation list's end from which it is warned of: one of 30 days is renewed long before. */
const warnDaysOfList = 7

const faults = defineFaults('certificates', {
  CERTIFICATE_MISSING: {
    severity: 'warning',
    what: (a: { file: string; isServer: boolean }) => `This host has no certificate: there is no ${a.file}`,
    why: 'Without it nothing is served, and nothing is fetched but a certificate.',
    fix: (a) =>
      a.isServer
        ? "'plumb server' makes it when it starts."
        : "'plumb ssl bootstrap', and 'plumb ca sign' on the server.",
  },
  CERTIFICATE_UNREADABLE: {
    severity: 'error',
    what: (a: { file: string; why: string }) => `${a.file} cannot be read: ${a.why}`,
    why: 'TLS cannot begin with it.',
    fix: (a) =>
      `Put the file back from a backup, or take it away and get another: 'openssl x509 -in ${a.file} -text' shows one that is sound.`,
  },
  KEY_MISSING: {
    severity: 'error',
    what: (a: { file: string; certificate: string }) => `The key of ${a.certificate} is missing: there is no ${a.file}`,
    why: 'A certificate without its key proves nothing.',
    fix: () => "Put the key back, or begin anew: 'plumb ssl clean', 'plumb ssl bootstrap'.",
  },
  KEY_MISMATCH: {
    severity: 'error',
    what: (a: { file: string; certificate: string }) =>
      `The key ${a.file} is not that of the certificate ${a.certificate}`,
    why: 'TLS cannot begin with such a pair.',
    fix: () => "Put back the one that belongs to the other, or begin anew: 'plumb ssl clean', 'plumb ssl bootstrap'.",
  },
  CERTIFICATE_ENDS: {
    severity: 'warning',
    what: (a: { message: string; fix: string }) => a.message,
    why: 'After that nobody speaks to who shows it.',
    fix: (a) => a.fix,
  },
  CERTIFICATE_NOT_IN_FORCE: {
    severity: 'error',
    what: (a: { message: string; fix: string }) => a.message,
    why: 'Nobody speaks to who shows it.',
    fix: (a) => a.fix,
  },
  CERTIFICATE_UNTRUSTED: {
    severity: 'error',
    what: (a: { file: string; why: string; hint: string | undefined }) => `${a.file} is not trusted here: ${a.why}`,
    why: 'Servers and nodes refuse it, too.',
    fix: (a) => a.hint ?? "'plumb ssl verify' says more; 'plumb ssl download_cert' fetches what the authority has.",
  },
  CERTIFICATE_NAME: {
    severity: 'error',
    what: (a: { file: string; name: string; certname: string }) =>
      `${a.file} is of '${a.name}', and certname is '${a.certname}'`,
    why: 'A node is who its certificate says, whatever puppet.conf says.',
    fix: (a) =>
      `'plumb config set certname ${a.name}', or another certificate: 'plumb ssl clean', 'plumb ssl bootstrap'.`,
  },
  CERTIFICATE_ALT_NAMES: {
    severity: 'warning',
    what: (a: { file: string; certname: string; names: string }) =>
      `${a.file} is not good for ${a.certname}, but for ${a.names}`,
    why: 'Agents look at these names, and refuse a server that has not the one which they asked for.',
    fix: (a) =>
      `'plumb ca clean --certname ${a.certname}', then 'plumb ca generate --certname ${a.certname} --subject-alt-names ${a.certname},puppet'.`,
  },
  CRL_ENDS: {
    severity: 'warning',
    what: (a: { file: string; issuer: string; end: string }) =>
      `The revocation list of '${a.issuer}' in ${a.file} ends on ${a.end}`,
    why: 'After that no certificate of this authority is trusted.',
    fix: () => "On the authority, a server that runs renews it; here 'plumb agent --test' fetches the new one.",
  },
})

/** Keys, certificates and revocation lists of this host, and of the authority where it is here. */
export const certificates: Check = {
  name: 'certificates',
  doc: 'keys, certificates, their chain, names and ends, and revocation lists',
  async run(installation) {
    const findings: Finding[] = []
    const { server, agent } = installation
    if (server) findings.push(...(await ofHost(installation, server, true)))
    if (agent && agent.hostcert !== server?.hostcert) findings.push(...(await ofHost(installation, agent, false)))
    return findings
  },
}

async function ofHost({ system }: Installation, settings: Settings, isServer: boolean): Promise<Finding[]> {
  const { files } = system
  const findings: Finding[] = []
  const authority = caLayout(settings.cadir)
  const signsHere = isServer && (await files.stat(authority.certificate)) !== undefined
  const own = await readWith(files, settings.hostcert, parseCertificate, findings)
  const authorities = (await readWith(files, settings.localcacert, parseCertificates, findings)) ?? []
  const listFile = signsHere ? authority.revocationList : settings.hostcrl
  const lists = (await readWith(files, listFile, parseRevocationLists, findings)) ?? []
  const broken = findings.length > 0
  if (own === undefined) {
    if (!broken) findings.push(faults.CERTIFICATE_MISSING({ file: settings.hostcert, isServer }))
  } else {
    findings.push(...(await keyOf(files, settings, own)), ...namesOf(settings, own, isServer))
    findings.push(...trustIn(settings, { own, authorities, lists, signsHere }, new Date(system.now())))
  }
  if (signsHere) findings.push(...(await keyOfAuthority(files, settings)))
  return [...findings, ...endsOf(lists, listFile, new Date(system.now()))]
}

/** The content of a file; a finding where there is one that cannot be read. */
async function readWith<Content>(
  files: Files,
  file: string,
  parse: (text: string) => Content,
  findings: Finding[],
): Promise<Content | undefined> {
  try {
    const text = await files.readText(file)
    return text === undefined ? undefined : parse(text)
  } catch (error) {
    findings.push(faults.CERTIFICATE_UNREADABLE({ file, why: errorText(error) }))
    return undefined
  }
}

async function keyOf(files: Files, { hostprivkey: file, hostcert }: Settings, own: Certificate): Promise<Finding[]> {
  return pairOf(files, { file, certificate: hostcert, publicKey: own.publicKey })
}

async function keyOfAuthority(files: Files, { cadir }: Settings): Promise<Finding[]> {
  const { key, certificate } = caLayout(cadir)
  const findings: Finding[] = []
  const own = await readWith(files, certificate, parseCertificate, findings)
  if (own) findings.push(...(await pairOf(files, { file: key, certificate, publicKey: own.publicKey })))
  return findings
}

interface Pair {
  readonly file: string
  readonly certificate: string
  readonly publicKey: KeyObject
}

async function pairOf(files: Files, { file, certificate, publicKey }: Pair): Promise<Finding[]> {
  const findings: Finding[] = []
  if ((await files.stat(file)) === undefined) return [faults.KEY_MISSING({ file, certificate })]
  const key = await readWith(files, file, parsePrivateKey, findings)
  if (key && !isSamePair(key, publicKey)) findings.push(faults.KEY_MISMATCH({ file, certificate }))
  return findings
}

function namesOf(
  { hostcert: file, certname }: Settings,
  { subject, extensions }: Certificate,
  isServer: boolean,
): Finding[] {
  const name = commonNameOf(subject) ?? ''
  if (name !== certname) return [faults.CERTIFICATE_NAME({ file, name, certname })]
  const names = subjectAltNames(extensions).map((each) => each.replace(/^DNS:/, ''))
  if (!isServer || names.length === 0 || names.includes(certname)) return []
  return [faults.CERTIFICATE_ALT_NAMES({ file, certname, names: names.join(', ') })]
}

interface Shown {
  readonly own: Certificate
  readonly authorities: readonly Certificate[]
  readonly lists: readonly RevocationList[]
  readonly signsHere: boolean
}

function trustIn(settings: Settings, { own, authorities, lists, signsHere }: Shown, now: Date): Finding[] {
  const alerts = certificateAlerts({ own, authorities, signsHere }, now)
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

function endsOf(lists: readonly RevocationList[], file: string, now: Date): Finding[] {
  return lists.flatMap(({ issuer, nextUpdate }) => {
    if (nextUpdate === undefined) return []
    const left = nextUpdate.getTime() - now.getTime()
    // One that has ended keeps the certificate from being trusted, which is said.
    if (left <= 0 || left > warnDaysOfList * dayMs) return []
    return [faults.CRL_ENDS({ file, issuer: nameText(issuer), end: utcText(nextUpdate) })]
  })
}
