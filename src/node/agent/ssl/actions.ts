import type { KeyObject } from 'node:crypto'
import { createPuppetError, isIssue, PuppetError, throwIssue } from '../../../base/issue.ts'
import { formatUtcDate } from '../../../base/time/utc-text.ts'
import { parseCertificate } from '../../../ca/x509/certificate.ts'
import { formatCertificate } from '../../../ca/x509/certificate-text.ts'
import { formatDistinguishedName } from '../../../ca/x509/distinguished-name.ts'
import { computeFingerprint } from '../../../ca/x509/fingerprint.ts'
import { parseRevocationLists } from '../../../ca/x509/revocation-list.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { hasResponseStatus } from '../../../network/client/errors.ts'
import type { Session } from '../../../network/client/session.ts'
import { formatErrorWithHint } from '../error-hints.ts'
import { type BootstrapOptions, ensureAuthorities, withSession } from './bootstrap.ts'
import { createHostKey } from './host-key.ts'
import { createHostRequest } from './host-request.ts'
import { sslIssues } from './issues.ts'
import { type CaContext, createCaContext, createSslContext, type SslContext } from './ssl-context.ts'
import { openSslFiles } from './ssl-files.ts'

/**
 * Creates and submits a request, and downloads the certificate if it is already signed. Throws if
 * the server rejects the request.
 */
export async function submitRequest(options: BootstrapOptions): Promise<void> {
  const { settings, system, log } = options
  const { certname: name } = settings
  const context = await ensureAuthorities(options)
  await withSession(options, context.tls, async ({ ca }) => {
    const url = await ca.address()
    try {
      const pem = await createHostRequest(settings, await loadOrCreateKey(options), system.files)
      await ca.submitRequest(name, pem)
      await openSslFiles(settings, system.files).saveRequest(pem)
    } catch (error) {
      if (hasResponseStatus(error, 400)) throwIssue(sslIssues.CSR_CONFLICT, { name, url })
      throw wrapError(error, (why) => createPuppetError(sslIssues.CSR_NOT_SUBMITTED, { why }))
    }
    log('notice', `Submitted certificate request for '${name}' to ${url}`)
  })
  if (!(await downloadHostCertificate(options, context)))
    log('info', `The certificate for '${name}' has not yet been signed`)
}

/** Downloads the certificate. Throws CERT_NOT_SIGNED if none exists yet. */
export async function downloadCertificate(options: BootstrapOptions): Promise<void> {
  const context = await ensureAuthorities(options)
  if (!(await downloadHostCertificate(options, context)))
    throwIssue(sslIssues.CERT_NOT_SIGNED, { name: options.settings.certname })
}

/**
 * Renews the certificate with the same key. With `ifExpiringIn`, in seconds, a certificate that is valid for longer is
 * kept. Throws CERT_NOT_RENEWED; the present certificate then remains.
 */
export async function renewCertificate(
  options: BootstrapOptions,
  { ifExpiringIn }: { readonly ifExpiringIn?: number | undefined } = {},
): Promise<void> {
  const { settings, system, log } = options
  const { certname: name } = settings
  const context = await loadSslContext(options)
  const { notAfter } = context.certificate
  if (ifExpiringIn !== undefined && notAfter.getTime() - system.now() > ifExpiringIn * 1000) {
    log('info', `Certificate '${name}' is still valid until ${formatUtcDate(notAfter)}`)
    return
  }
  const files = openSslFiles(settings, system.files)
  const key =
    (await files.key()) ?? throwIssue(sslIssues.FILE_MISSING, { what: 'private key is', path: settings.hostprivkey })
  try {
    const pem = await withSession(options, context.tls, ({ ca }) => ca.renew())
    if (pem === undefined)
      throwIssue(sslIssues.CERT_NOT_RENEWED, { why: 'Certificate autorenewal has not been enabled on the server.' })
    const { certificate } = createSslContext(context, pem, key, new Date(system.now()))
    await files.saveCertificate(pem)
    log(
      'notice',
      `Renewed client certificate '${name}' with fingerprint (SHA256) ${computeFingerprint(certificate.der)}`,
    )
  } catch (error) {
    throw isIssue(error, sslIssues.CERT_NOT_RENEWED)
      ? error
      : wrapError(error, (why) => createPuppetError(sslIssues.CERT_NOT_RENEWED, { why }))
  }
}

/** Creates a request and stores it, to be transferred to the CA by hand. */
export async function generateRequest(options: BootstrapOptions): Promise<void> {
  const { settings, system, log } = options
  const pem = await createHostRequest(settings, await loadOrCreateKey(options), system.files)
  await openSslFiles(settings, system.files).saveRequest(pem)
  log('notice', `Generated certificate request in '${settings.hostcsr}'`)
}

/**
 * Checks key, certificate, chain and revocation, with the newest revocation list available. Throws
 * an error for the first problem.
 */
export async function verifyCertificate(options: BootstrapOptions): Promise<void> {
  await refreshRevocationLists(options)
  const { chain } = await loadSslContext(options)
  for (const certificate of [...chain].reverse()) {
    const what = certificate === chain[0] ? 'client' : 'CA'
    const digest = `(SHA256) ${computeFingerprint(certificate.der)}`
    options.log(
      'notice',
      `Verified ${what} certificate '${formatDistinguishedName(certificate.subject)}' fingerprint ${digest}`,
    )
  }
}

/** Connect timeout in seconds. If the server cannot be reached, the stored revocation lists are used. */
const refreshTimeout = 10

async function refreshRevocationLists(options: BootstrapOptions): Promise<void> {
  const { system, log } = options
  const { certificate_revocation: revocation, http_connect_timeout: timeout } = options.settings
  const settings = { ...options.settings, http_connect_timeout: Math.min(timeout, refreshTimeout) }
  const files = openSslFiles(settings, system.files)
  const [authorities, known] = [await files.authorities(), await files.revocationLists()]
  if (revocation === 'false' || authorities === undefined || known === undefined) return
  try {
    const { tls } = createCaContext(authorities, known, revocation)
    const pem = await withSession({ ...options, settings }, tls, ({ ca }) => ca.revocationList())
    if (pem === undefined) return
    parseRevocationLists(pem)
    await files.saveRevocationLists(pem)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    log('warning', `Failed to refresh CRL, using existing CRL: ${formatErrorWithHint(error)}`)
  }
}

/** Prints the host's certificate as text. Throws if it is missing or invalid. */
export async function showCertificate(options: BootstrapOptions): Promise<void> {
  options.say(formatCertificate((await loadSslContext(options)).certificate))
}

/** Removes this host's key and certificate; with `localca`, also the CA certificates and revocation lists. */
export async function cleanCertificate(options: BootstrapOptions, { localca = false } = {}): Promise<void> {
  const { settings, system, log } = options
  if (settings.certname === settings.ca_server) await checkCertificateCleaned(options)
  const paths: Readonly<Record<string, string>> = {
    'private key': settings.hostprivkey,
    'public key': settings.hostpubkey,
    'certificate request': settings.hostcsr,
    certificate: settings.hostcert,
    ...(localca ? { 'local CA certificate': settings.localcacert, 'local CRL': settings.hostcrl } : {}),
  }
  for (const [label, path] of Object.entries(paths)) {
    if (!(await system.files.stat(path))) continue
    await system.files.remove(path)
    log('notice', `Removed ${label} ${path}`)
  }
}

/** Prevents the CA's own host from deleting a certificate that the CA still considers valid. */
async function checkCertificateCleaned(options: BootstrapOptions): Promise<void> {
  const { certname: name } = options.settings
  const isSigned = async ({ ca }: Session) => (await ca.certificate(name)) !== undefined
  const signed = await ensureAuthorities(options)
    .then((context) => withSession(options, context.tls, isSigned))
    .catch((error) => {
      if (hasResponseStatus(error, 404)) return false
      throw wrapError(error, () => createPuppetError(sslIssues.CLEAN_UNSURE, { name }))
    })
  if (signed) throwIssue(sslIssues.CLEAN_FIRST, { name })
}

/** Loads and checks the local files; nothing is downloaded. */
async function loadSslContext({ settings, system }: BootstrapOptions): Promise<SslContext> {
  const files = openSslFiles(settings, system.files)
  const requireFile = <Part>(what: string, part: Part | undefined, path: keyof Settings): Part =>
    part ?? throwIssue(sslIssues.FILE_MISSING, { what, path: String((settings as Settings)[path]) })
  const revocation = settings.certificate_revocation
  const authorities = requireFile('CA certificates are', await files.authorities(), 'localcacert')
  const lists = revocation === 'false' ? undefined : requireFile('CRL is', await files.revocationLists(), 'hostcrl')
  const key = requireFile('private key is', await files.key(), 'hostprivkey')
  const certificate = requireFile('client certificate is', await files.certificate(), 'hostcert')
  return createSslContext(createCaContext(authorities, lists, revocation), certificate, key, new Date(system.now()))
}

async function loadOrCreateKey({ settings, system, log }: BootstrapOptions): Promise<KeyObject> {
  const files = openSslFiles(settings, system.files)
  return (await files.key()) ?? createHostKey(settings, files, log)
}

/** Downloads the certificate of this host. Returns false if the CA has not signed the request yet. */
async function downloadHostCertificate(options: BootstrapOptions, context: CaContext): Promise<boolean> {
  const { settings, system, log } = options
  const { certname: name } = settings
  const files = openSslFiles(settings, system.files)
  try {
    return await withSession(options, context.tls, async ({ ca }) => {
      log('info', `Downloading certificate '${name}' from ${await ca.address()}`)
      const pem = (await ca.certificate(name)) ?? ''
      const digest = `(SHA256) ${computeFingerprint(parseCertificate(pem).der)}`
      log('notice', `Downloaded certificate '${name}' with fingerprint ${digest}`)
      const key =
        (await files.key()) ??
        throwIssue(sslIssues.FILE_MISSING, { what: 'private key is', path: settings.hostprivkey })
      createSslContext(context, pem, key, new Date(system.now()))
      await files.saveCertificate(pem)
      await files.removeRequest()
      return true
    })
  } catch (error) {
    if (hasResponseStatus(error, 404)) return false
    throw wrapError(error, (why) => createPuppetError(sslIssues.CERT_NOT_DOWNLOADED, { why }))
  }
}

/** Wraps an error in a sentence about the failed action. The hint is kept. */
function wrapError(error: unknown, say: (why: string) => PuppetError): unknown {
  if (!(error instanceof PuppetError)) return error
  return new PuppetError({ ...say(error.message).diagnostic, hint: error.diagnostic.hint }, { cause: error })
}
