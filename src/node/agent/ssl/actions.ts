import type { KeyObject } from 'node:crypto'
import { errorOf, fail, isIssue, PuppetError } from '../../../base/issue.ts'
import { parseCertificate } from '../../../ca/x509/certificate.ts'
import { certificateText } from '../../../ca/x509/certificate-text.ts'
import { fingerprint } from '../../../ca/x509/fingerprint.ts'
import { nameText } from '../../../ca/x509/name.ts'
import { parseRevocationLists } from '../../../ca/x509/revocation-list.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { hasStatus } from '../../../network/client/errors.ts'
import type { Session } from '../../../network/client/session.ts'
import { explained } from '../explain.ts'
import { type BootstrapOptions, conversation, ensureAuthorities } from './bootstrap.ts'
import { newHostKey } from './host-key.ts'
import { hostRequest } from './host-request.ts'
import { issues } from './issues.ts'
import { type CaContext, caContext, type SslContext, sslContext } from './ssl-context.ts'
import { sslFiles } from './ssl-files.ts'

/**
 * Creates and submits a request, and downloads the certificate if it is already signed. Throws if
 * the server rejects the request.
 */
export async function submitRequest(options: BootstrapOptions): Promise<void> {
  const { settings, system, log } = options
  const { certname: name } = settings
  const context = await ensureAuthorities(options)
  await conversation(options, context.tls, async ({ ca }) => {
    const url = await ca.address()
    try {
      const pem = await hostRequest(settings, await keyOrNew(options), system.files)
      await ca.submitRequest(name, pem)
      await sslFiles(settings, system.files).saveRequest(pem)
    } catch (error) {
      if (hasStatus(error, 400)) fail(issues.CSR_CONFLICT, { name, url })
      throw sentence(error, (why) => errorOf(issues.CSR_NOT_SUBMITTED, { why }))
    }
    log('notice', `Submitted certificate request for '${name}' to ${url}`)
  })
  if (!(await download(options, context))) log('info', `The certificate for '${name}' has not yet been signed`)
}

/** Downloads the certificate. Throws CERT_NOT_SIGNED if none exists yet. */
export async function downloadCertificate(options: BootstrapOptions): Promise<void> {
  const context = await ensureAuthorities(options)
  if (!(await download(options, context))) fail(issues.CERT_NOT_SIGNED, { name: options.settings.certname })
}

/** Renews the certificate with the same key. Throws CERT_NOT_RENEWED; the present certificate then remains. */
export async function renewCertificate(options: BootstrapOptions): Promise<void> {
  const { settings, system, log } = options
  const { certname: name } = settings
  const context = await loadContext(options)
  const files = sslFiles(settings, system.files)
  const key = (await files.key()) ?? fail(issues.FILE_MISSING, { what: 'private key is', path: settings.hostprivkey })
  try {
    const pem = await conversation(options, context.tls, ({ ca }) => ca.renew())
    if (pem === undefined)
      fail(issues.CERT_NOT_RENEWED, { why: 'Certificate autorenewal has not been enabled on the server.' })
    const { certificate } = sslContext(context, pem, key, new Date(system.now()))
    await files.saveCertificate(pem)
    log('notice', `Renewed client certificate '${name}' with fingerprint (SHA256) ${fingerprint(certificate.der)}`)
  } catch (error) {
    throw isIssue(error, issues.CERT_NOT_RENEWED)
      ? error
      : sentence(error, (why) => errorOf(issues.CERT_NOT_RENEWED, { why }))
  }
}

/** Creates a request and stores it, to be transferred to the CA by hand. */
export async function generateRequest(options: BootstrapOptions): Promise<void> {
  const { settings, system, log } = options
  const pem = await hostRequest(settings, await keyOrNew(options), system.files)
  await sslFiles(settings, system.files).saveRequest(pem)
  log('notice', `Generated certificate request in '${settings.hostcsr}'`)
}

/**
 * Checks key, certificate, chain and revocation, with the newest revocation list available. Throws
 * an error for the first problem.
 */
export async function verify(options: BootstrapOptions): Promise<void> {
  await refreshLists(options)
  const { chain } = await loadContext(options)
  for (const certificate of [...chain].reverse()) {
    const what = certificate === chain[0] ? 'client' : 'CA'
    const digest = `(SHA256) ${fingerprint(certificate.der)}`
    options.log('notice', `Verified ${what} certificate '${nameText(certificate.subject)}' fingerprint ${digest}`)
  }
}

/** Connect timeout in seconds. If the server cannot be reached, the stored revocation lists are used. */
const refreshTimeout = 10

async function refreshLists(options: BootstrapOptions): Promise<void> {
  const { system, log } = options
  const { certificate_revocation: revocation, http_connect_timeout: timeout } = options.settings
  const settings = { ...options.settings, http_connect_timeout: Math.min(timeout, refreshTimeout) }
  const files = sslFiles(settings, system.files)
  const [authorities, known] = [await files.authorities(), await files.revocationLists()]
  if (revocation === 'false' || authorities === undefined || known === undefined) return
  try {
    const { tls } = caContext(authorities, known, revocation)
    const pem = await conversation({ ...options, settings }, tls, ({ ca }) => ca.revocationList())
    if (pem === undefined) return
    parseRevocationLists(pem)
    await files.saveRevocationLists(pem)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    log('warning', `Failed to refresh CRL, using existing CRL: ${explained(error)}`)
  }
}

/** Prints the host's certificate as text. Throws if it is missing or invalid. */
export async function show(options: BootstrapOptions): Promise<void> {
  options.say(certificateText((await loadContext(options)).certificate))
}

/** Removes this host's key and certificate; with `localca`, also the CA certificates and revocation lists. */
export async function clean(options: BootstrapOptions, { localca = false } = {}): Promise<void> {
  const { settings, system, log } = options
  if (settings.certname === settings.ca_server) await refuseUnlessCleaned(options)
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
async function refuseUnlessCleaned(options: BootstrapOptions): Promise<void> {
  const { certname: name } = options.settings
  const isSigned = async ({ ca }: Session) => (await ca.certificate(name)) !== undefined
  const signed = await ensureAuthorities(options)
    .then((context) => conversation(options, context.tls, isSigned))
    .catch((error) => {
      if (hasStatus(error, 404)) return false
      throw sentence(error, () => errorOf(issues.CLEAN_UNSURE, { name }))
    })
  if (signed) fail(issues.CLEAN_FIRST, { name })
}

/** Loads and checks the local files; nothing is downloaded. */
async function loadContext({ settings, system }: BootstrapOptions): Promise<SslContext> {
  const files = sslFiles(settings, system.files)
  const there = <Part>(what: string, part: Part | undefined, path: keyof Settings): Part =>
    part ?? fail(issues.FILE_MISSING, { what, path: String((settings as Settings)[path]) })
  const revocation = settings.certificate_revocation
  const authorities = there('CA certificates are', await files.authorities(), 'localcacert')
  const lists = revocation === 'false' ? undefined : there('CRL is', await files.revocationLists(), 'hostcrl')
  const key = there('private key is', await files.key(), 'hostprivkey')
  const certificate = there('client certificate is', await files.certificate(), 'hostcert')
  return sslContext(caContext(authorities, lists, revocation), certificate, key, new Date(system.now()))
}

async function keyOrNew({ settings, system, log }: BootstrapOptions): Promise<KeyObject> {
  const files = sslFiles(settings, system.files)
  return (await files.key()) ?? newHostKey(settings, files, log)
}

/** Downloads the certificate of this host. Returns false if the CA has not signed the request yet. */
async function download(options: BootstrapOptions, context: CaContext): Promise<boolean> {
  const { settings, system, log } = options
  const { certname: name } = settings
  const files = sslFiles(settings, system.files)
  try {
    return await conversation(options, context.tls, async ({ ca }) => {
      log('info', `Downloading certificate '${name}' from ${await ca.address()}`)
      const pem = (await ca.certificate(name)) ?? ''
      const digest = `(SHA256) ${fingerprint(parseCertificate(pem).der)}`
      log('notice', `Downloaded certificate '${name}' with fingerprint ${digest}`)
      const key =
        (await files.key()) ?? fail(issues.FILE_MISSING, { what: 'private key is', path: settings.hostprivkey })
      sslContext(context, pem, key, new Date(system.now()))
      await files.saveCertificate(pem)
      await files.removeRequest()
      return true
    })
  } catch (error) {
    if (hasStatus(error, 404)) return false
    throw sentence(error, (why) => errorOf(issues.CERT_NOT_DOWNLOADED, { why }))
  }
}

/** Wraps an error in a sentence about the failed action. The hint is kept. */
function sentence(error: unknown, say: (why: string) => PuppetError): unknown {
  if (!(error instanceof PuppetError)) return error
  return new PuppetError({ ...say(error.message).diagnostic, hint: error.diagnostic.hint }, { cause: error })
}
