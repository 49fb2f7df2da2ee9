import type { KeyObject } from 'node:crypto'
import { createPuppetError, PuppetError, throwIssue } from '../../../base/issue.ts'
import { formatUtcDate } from '../../../base/time/utc-text.ts'
import { parseCertificates } from '../../../ca/x509/certificate.ts'
import { computeFingerprint } from '../../../ca/x509/fingerprint.ts'
import type { LogLevel } from '../../../language/host.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { FileLock } from '../../../machine/system/file-lock.ts'
import { puppetNameHolder } from '../../../machine/system/lock-holder.ts'
import type { System } from '../../../machine/system/system.ts'
import { hasResponseStatus, ResponseError } from '../../../network/client/errors.ts'
import { createSession, type Session, type SessionSettings } from '../../../network/client/session.ts'
import type { TlsContext } from '../../../network/client/tls.ts'
import { formatErrorWithHint } from '../error-hints.ts'
import { pause } from '../process/pause.ts'
import { isAuthorityRenewal } from './ca-renewal.ts'
import { createHostKey } from './host-key.ts'
import type { RequestSettings } from './host-request.ts'
import { sslIssues, wrapResponseError } from './issues.ts'
import { obtainRevocationLists } from './revocation-lists.ts'
import { adoptServerCertificate, type ServerPaths } from './server-certificate.ts'
import { type CaContext, createCaContext, createSslContext, noTrust, type SslContext } from './ssl-context.ts'
import { isRefreshDue, openSslFiles, type SslFiles, type SslPaths } from './ssl-files.ts'

/** Settings of the certificate bootstrap. */
export type SslSettings = SslPaths &
  RequestSettings &
  SessionSettings &
  Pick<
    Settings,
    | 'certificate_revocation'
    | 'ca_fingerprint'
    | 'ca_refresh_interval'
    | 'crl_refresh_interval'
    | 'key_type'
    | 'keylength'
    | 'named_curve'
    | 'waitforcert'
    | 'maxwaitforcert'
    | 'waitforlock'
    | 'maxwaitforlock'
  >

/** Settings, system and output of the certificate bootstrap. */
export interface BootstrapOptions {
  readonly settings: SslSettings
  readonly system: System
  readonly puppetVersion: string
  log(level: LogLevel, message: string): void
  /** Prints a message to the terminal, independent of the log level. */
  say(text: string): void
  /** Returns paths of the code server's key and certificate, copied if this host has none. */
  readonly server?: (() => ServerPaths) | undefined
  /** True to throw errors, instead of waiting and trying again. */
  readonly onetime?: boolean
  /** Aborts a wait, which then throws `StoppedError`. */
  readonly stop?: AbortSignal
}

/** Thrown when a wait is aborted. */
export class StoppedError extends Error {
  constructor() {
    super('Terminated while waiting')
    this.name = 'Stopped'
  }
}

async function waitOrStop(seconds: number, stop: AbortSignal | undefined): Promise<void> {
  if (await pause(seconds, stop)) throw new StoppedError()
}

/** Runs `work` in a session with the server, with these TLS settings. */
export async function withSession<Result>(
  { settings, puppetVersion, log }: BootstrapOptions,
  tls: TlsContext,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = createSession({ settings, tls, puppetVersion, warn: (message) => log('warning', message) })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** A state does its work and returns the next state. */
type State = (machine: Machine) => Promise<State | Done>
type Done = { readonly context: CaContext | SslContext }

interface Machine extends BootstrapOptions {
  readonly files: SslFiles
  readonly lock: FileLock
  /** The last step of the state machine. */
  readonly goal: 'authorities' | 'certificate'
  readonly certificateDeadline: number
  readonly lockDeadline: number
  /** Runs `work` in a session with these TLS settings. */
  talk<Result>(tls: TlsContext, work: (session: Session) => Promise<Result>): Promise<Result>
}

/** Obtains this host's certificate, waiting until it is signed, and checks all files. protocol.md 2.1. */
export async function ensureClientCertificate(options: BootstrapOptions): Promise<SslContext> {
  return (await runStates(options, 'certificate')) as SslContext
}

/** Obtains only the CA certificates and revocation lists. */
export function ensureAuthorities(options: BootstrapOptions): Promise<CaContext> {
  return runStates(options, 'authorities')
}

async function runStates(options: BootstrapOptions, goal: Machine['goal']): Promise<CaContext | SslContext> {
  const { settings, system } = options
  const machine: Machine = {
    ...options,
    goal,
    files: openSslFiles(settings, system.files),
    lock: new FileLock(settings.ssl_lockfile, puppetNameHolder),
    certificateDeadline: system.now() + settings.maxwaitforcert * 1000,
    lockDeadline: system.now() + settings.maxwaitforlock * 1000,
    talk: (tls, work) => withSession(options, tls, work),
  }
  await system.files.makeDirectory(settings.ssldir, 0o771)
  let locked = false
  try {
    for (let state: State = acquireSslLock; ; ) {
      const next = await executeState(machine, state)
      locked = next !== acquireSslLock
      if (typeof next !== 'function') return next.context
      state = next
    }
  } catch (error) {
    // The lock is released during a wait; another process may hold it by now.
    if (error instanceof StoppedError) locked = false
    throw error
  } finally {
    if (locked) await machine.lock.release()
  }
}

/** Executes a state. A one-time run throws its errors; any other run logs them and waits. */
async function executeState(machine: Machine, state: State): Promise<State | Done> {
  if (state === acquireSslLock || state === waitForCertificate) return state(machine)
  try {
    return await state(machine)
  } catch (error) {
    if (machine.onetime || !(error instanceof PuppetError)) throw error
    machine.log('err', formatErrorWithHint(error))
    return waitForCertificate
  }
}

async function acquireSslLock({ lock, settings, system, lockDeadline, log, stop }: Machine): Promise<State> {
  if (await lock.tryAcquire()) return obtainAuthorities
  const seconds = settings.waitforlock
  if (seconds < 1) throwIssue(sslIssues.LOCK_ZERO, {})
  if (system.now() >= lockDeadline) throwIssue(sslIssues.LOCK_TOO_LONG, {})
  log('info', 'Another puppet instance is already running; waiting for it to finish')
  log('info', `Will try again in ${seconds} seconds.`)
  await waitOrStop(seconds, stop)
  return acquireSslLock
}

async function obtainAuthorities(machine: Machine): Promise<State> {
  const { files, log } = machine
  log('debug', 'Loading CA certs')
  const known = await files.authorities()
  if (known !== undefined) return createRevocationState(await refreshAuthorities(machine, known))
  const pem = await machine.talk(noTrust.tls, async ({ ca }) => {
    try {
      return (await ca.certificate('ca')) ?? ''
    } catch (error) {
      if (hasResponseStatus(error, 404)) throwIssue(sslIssues.CA_MISSING_ON_SERVER, {})
      throw wrapResponseError(error, (why) => createPuppetError(sslIssues.CA_FAILED, { why }))
    }
  })
  checkFingerprint(machine, pem)
  parseCertificates(pem)
  await files.saveAuthorities(pem)
  return createRevocationState(pem)
}

function checkFingerprint({ settings, log }: Machine, pem: string): void {
  if (settings.ca_fingerprint === '') return
  const actual = computeFingerprint(Buffer.from(pem))
  const digits = settings.ca_fingerprint.replace(/[^0-9a-f]/gi, '').toUpperCase()
  const expected = digits.replace(/..(?=.)/g, '$&:')
  if (actual !== expected) throwIssue(sslIssues.CA_MISMATCH, { actual, expected })
  log('info', `Verified CA bundle with digest (SHA256) ${actual}`)
}

/** Downloads the CA certificates if due or expired; after an error, returns the present certificates. */
async function refreshAuthorities(machine: Machine, known: string): Promise<string> {
  const { files, log, settings, system } = machine
  const since = await files.lastUpdate('localcacert')
  const ended = parseCertificates(known).some(({ notAfter }) => notAfter.getTime() < system.now())
  if (!ended && !isRefreshDue(since, settings.ca_refresh_interval, system.now())) return known
  log('info', 'Refreshing CA certificate')
  try {
    const pem = ended
      ? await fetchRenewedAuthorities(machine, known)
      : await fetchChangedAuthorities(machine, known, since)
    if (pem === undefined) log('info', 'CA certificate is unmodified, using existing CA certificate')
    await files.saveAuthorities(pem ?? known)
    return pem ?? known
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    if (hasResponseStatus(error, 404))
      log('info', 'CA certificate is missing from the server, using existing CA certificate')
    else
      log('warning', `Failed to refresh CA certificate, using existing CA certificate: ${formatErrorWithHint(error)}`)
    return known
  }
}

async function fetchChangedAuthorities({ talk }: Machine, known: string, since: Date | undefined) {
  const { tls } = createCaContext(known, undefined, 'false')
  const pem = await talk(tls, ({ ca }) => ca.certificate('ca', since))
  if (pem !== undefined) parseCertificates(pem)
  return pem
}

/**
 * Replaces expired CA certificates. An expired CA cannot verify the server, so TLS is unverified
 * here. Only certificates with the trusted names and keys, signed by these keys, are accepted.
 * Throws CA_NOT_RENEWED.
 */
async function fetchRenewedAuthorities({ talk }: Machine, known: string): Promise<string | undefined> {
  const pem = (await talk(noTrust.tls, ({ ca }) => ca.certificate('ca'))) ?? ''
  if (!isAuthorityRenewal(parseCertificates(known), parseCertificates(pem))) throwIssue(sslIssues.CA_NOT_RENEWED, {})
  return pem === known ? undefined : pem
}

function createRevocationState(authorities: string): State {
  return async (machine) => {
    const { log, settings } = machine
    const revocation = settings.certificate_revocation
    log('debug', 'Loading CRLs')
    if (revocation === 'false') {
      log('info', 'Certificate revocation is disabled, skipping CRL download')
      return selectTrustedState(machine, createCaContext(authorities, undefined, revocation))
    }
    const lists = await obtainRevocationLists(machine, authorities)
    return selectTrustedState(machine, createCaContext(authorities, lists, revocation))
  }
}

function selectTrustedState({ goal }: Machine, context: CaContext): State {
  return goal === 'authorities' ? async () => ({ context }) : createKeyState(context)
}

function createKeyState(context: CaContext): State {
  return async (machine) => {
    const { files, log, settings, system } = machine
    log('debug', 'Loading/generating private key')
    const key = (await files.key()) ?? (await adoptServerCertificate(context, machine))
    if (key === undefined) return createRequestState(context, await createHostKey(settings, files, log))
    const certificate = await files.certificate()
    if (certificate === undefined) return createRequestState(context, key)
    const complete = createSslContext(context, certificate, key, new Date(system.now()))
    const ends = complete.certificate.notAfter.getTime()
    const renewal = settings.hostcert_renewal_interval
    return renewal > 0 && system.now() + renewal * 1000 > ends
      ? createRenewalState(complete, key)
      : createFinalState(complete)
  }
}

function createRequestState(context: CaContext, key: KeyObject): State {
  return async ({ files, log, settings, system, talk }) => {
    log('debug', 'Generating and submitting a CSR')
    const { createHostRequest } = await import('./host-request.ts')
    const pem = await createHostRequest(settings, key, system.files)
    let rejection: string | undefined
    try {
      await talk(context.tls, ({ ca }) => ca.submitRequest(settings.certname, pem))
      await files.saveRequest(pem)
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error
      if (error.status !== 400) throwIssue(sslIssues.CSR_FAILED, { status: error.status })
      if (!isDuplicateRequest(error.reason)) rejection = error.reason
    }
    return createCertificateState(context, key, rejection)
  }
}

/** True for Puppet Server's message that a request or certificate exists; the request may be signed by now. */
const isDuplicateRequest = (reason: string): boolean => reason.includes(' already has a ')

/** Downloads the certificate. `rejection` is the server's reason for rejecting the request, thrown if no certificate exists. */
function createCertificateState(context: CaContext, key: KeyObject, rejection?: string): State {
  return async ({ files, log, say, settings, system, talk }) => {
    const { certname: name } = settings
    log('debug', 'Downloading client certificate')
    let pem: string
    try {
      pem = await talk(context.tls, async ({ ca }) => {
        const certificate = (await ca.certificate(name)) ?? ''
        log('info', `Downloaded certificate for ${name} from ${await ca.address()}`)
        return certificate
      })
    } catch (error) {
      if (!hasResponseStatus(error, 404))
        throw wrapResponseError(error, (why) => createPuppetError(sslIssues.CERT_FAILED, { name, why }))
      if (rejection !== undefined) throwIssue(sslIssues.CSR_REJECTED, { name, reason: rejection })
      log('info', `Certificate for ${name} has not been signed yet`)
      say(
        `Couldn't fetch certificate from CA server; you might still need to sign this agent's certificate (${name}).\n`,
      )
      return waitForCertificate
    }
    const complete = createSslContext(context, pem, key, new Date(system.now()))
    await files.saveCertificate(pem)
    await files.removeRequest()
    return createFinalState(complete)
  }
}

/**
 * Creates the state that renews the certificate. If the renewal fails, here or on the server, the
 * present certificate remains and the run continues.
 */
function createRenewalState(context: SslContext, key: KeyObject): State {
  return async ({ files, log, system, talk }) => {
    log('debug', 'Renewing client certificate')
    try {
      const pem = await talk(context.tls, ({ ca }) => ca.renew())
      if (pem === undefined) {
        log('info', 'Certificate autorenewal has not been enabled on the server.')
        return createFinalState(context)
      }
      const renewed = createSslContext(context, pem, key, new Date(system.now()))
      await files.saveCertificate(pem)
      const { der, notBefore, notAfter } = renewed.certificate
      const time = `not before '${formatUtcDate(notBefore)}', not after '${formatUtcDate(notAfter)}'`
      log('info', `Renewed client certificate: ${computeFingerprint(der)}, ${time}`)
      return createFinalState(renewed)
    } catch (error) {
      if (error instanceof StoppedError) throw error
      const how = error instanceof ResponseError ? 'Failed' : 'Unable'
      log('warning', `${how} to automatically renew certificate: ${formatErrorWithHint(error)}`)
      return createFinalState(context)
    }
  }
}

async function waitForCertificate({ lock, log, settings, system, certificateDeadline, stop }: Machine): Promise<State> {
  const seconds = settings.waitforcert
  if (seconds < 1) throwIssue(sslIssues.WAIT_ZERO, {})
  if (system.now() > certificateDeadline) throwIssue(sslIssues.WAIT_TOO_LONG, { name: settings.certname })
  log('info', `Will try again in ${seconds} seconds.`)
  await lock.release()
  await waitOrStop(seconds, stop)
  return acquireSslLock
}

function createFinalState(context: SslContext): State {
  return async () => ({ context })
}
