import type { AddressInfo } from 'node:net'
import type { Server } from 'node:tls'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { AuditLog } from '../audit/audit-log.ts'
import { budgets } from '../base/budgets.ts'
import { puppetVersion } from '../base/puppet-version.ts'
import type { CertificateAuthority } from '../ca/certificate-authority.ts'
import { authorityFrom, ensureAuthority } from '../ca/from-settings.ts'
import { ensureHostCertificate } from '../ca/host-files.ts'
import { caLayout } from '../ca/layout.ts'
import { authorityExists } from '../ca/setup.ts'
import type { CompilePool } from '../compiler/workers/pool.ts'
import { CodeChecker } from '../deploy/code-checker.ts'
import { openControl } from '../deploy/open-control.ts'
import { openDirectoryEnvironments } from '../environments/directory-environments.ts'
import type { Environments } from '../environments/environments.ts'
import { openGitEnvironments } from '../environments/git/git-environments.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import { openRepository } from '../git/open-repository.ts'
import { answersFolder, pruneAnswers } from '../outside/kept-answers.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import type { Settings } from '../settings/settings.ts'
import type { ExportStore } from '../store/exports/export-store.ts'
import { exportsFrom, type ServerStore } from '../store/exports/from-settings.ts'
import { storeFrom } from '../store/from-settings.ts'
import { KeptCommits } from '../store/kept-commits.ts'
import { Recorder } from '../store/recording/recorder.ts'
import { descriptorLimit } from '../system/descriptor-limit.ts'
import type { System } from '../system/system.ts'
import { parseCertificate, parseCertificates } from '../x509/certificate.ts'
import { Admission } from './admission.ts'
import { beginAhead, roundsFrom } from './ahead/open-ahead.ts'
import type { AheadRounds } from './ahead/rounds.ts'
import { readAuthConf, readExtensionNames } from './auth/auth-files.ts'
import { clientByCertificate, clientCertificateDer } from './auth/client-certificate.ts'
import { clientByHeaders } from './auth/header-client.ts'
import { KnownTokens } from './auth/known-tokens.ts'
import { tokenFiles } from './auth/token-file.ts'
import { TokenGate } from './auth/token-gate.ts'
import { Trust } from './auth/trust.ts'
import { buildServices } from './build-services.ts'
import { caV1 } from './ca-v1/index.ts'
import { type CertificateAlert, certificateAlerts } from './certificate-ends.ts'
import { closerOf } from './close-http.ts'
import { connectionBounds } from './connections.ts'
import { movedBranches } from './gate/from-settings.ts'
import type { MovedBranches } from './gate/moved-branches.ts'
import { gateFrom } from './gate/open-gate.ts'
import { createHttpServer, type HttpOptions } from './http.ts'
import { listen } from './listen.ts'
import { pinoLevel } from './logger.ts'
import { MoreListeners } from './more-listeners.ts'
import { moveFiles } from './move-files.ts'
import { openPool } from './open-pool.ts'
import { pdb } from './pdb/index.ts'
import { openPdbPorts, type PdbPorts, shareOfPdbPorts } from './pdb/ports.ts'
import { pluginRoutes } from './plumb-v1/plugins.ts'
import { puppetV3 } from './puppet-v3/index.ts'
import type { CatalogSeal } from './sealing/catalog-seal.ts'
import { noteChange, openAudit } from './sealing/open-audit.ts'
import { openSeal } from './sealing/open-seal.ts'
import { serverFacts } from './server-facts.ts'
import type { Services } from './services.ts'
import { statusV1 } from './status-v1/index.ts'
import { readTls, secureContextOptions, type TlsOptions } from './tls-context.ts'
import { headersWithCookie } from './ui/cookie.ts'
import { openConsole } from './ui/open-console.ts'

/** Parts from which a code server is started. */
export interface CodeServerParts {
  readonly settings: Settings
  readonly system: System
  readonly log: Logger
  /** The version of Plumbline. */
  readonly version: string
  /** Told of what takes long and happens once. */
  progress(message: string): void
}

/** A server that answers. */
export interface CodeServer {
  readonly url: string
  readonly environments: Environments
  /** Reads auth.conf, certificates and refs again. What cannot be read leaves all as it was. */
  reload(): Promise<void>
  /** Takes no more requests, ends those under way, lets go of everything. */
  close(): Promise<void>
}

const oneDay = 24 * 3600 * 1000

/**
 * Starts a code server: it answers when this does. A first start makes the authority and our certificate. When it cannot,
 * whatever was opened is closed, so that nothing holds the process.
 */
export async function startCodeServer(parts: CodeServerParts): Promise<CodeServer> {
  const closers: Closer[] = []
  try {
    return await start(parts, closers)
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** Lets go of what was opened; the last one first. */
type Closer = () => Promise<unknown>

async function start(parts: CodeServerParts, closers: Closer[]): Promise<CodeServer> {
  const { settings, log } = parts
  // A wrong repository is said before anything is made.
  const source =
    settings.code_repo === '' ? undefined : await openRepository(settings.code_repo, { spoolFolder: settings.vardir })
  if (source) closers.unshift(() => source.close())
  const audit = await openAudit(settings, parts.system, log)
  if (audit) closers.unshift(() => audit.close())
  const ahead = roundsFrom(settings, log)
  const kept = new KeptCommits()
  const moved = source && movedBranches(settings, source.path, log)
  const [opened, served] = await Promise.allSettled([
    openAuthority(parts),
    openEnvironments(parts, { source, audit, ahead, kept, moved }),
  ])
  if (served.status === 'fulfilled') closers.unshift(served.value.close)
  const authority = resultOf(opened)
  const { environments } = resultOf(served)
  const seal = await openSeal({ ...parts, authority, audit })
  const store = await openStore(parts, listsFile(parts, authority))
  if (store) closers.unshift(() => store.store.close())
  kept.opened(store?.store)
  const exports = exportsFrom({ settings, files: parts.system.files, store })
  const answers = store && answersFolder(settings)
  if (answers) void pruneAnswers(answers)
  const pool = await openPool({ ...parts, environments, exports, store: store?.store, answers })
  closers.unshift(() => pool.close())
  const server = await openHttp(parts, { authority, environments, source, pool, exports, store, seal })
  const more = new MoreListeners(server.http.server)
  const closeHttp = closerOf(server.http)
  closers.unshift(() => Promise.all([more.close(), closeHttp(), server.pdbPorts.close()]))
  await listen(server.http, settings)
  await server.pdbPorts.listen()
  const { port } = server.http.server.address() as AddressInfo
  void more.add(budgets.connection.listeners.bound)
  pool.warmUp()
  closers.unshift(async () => ahead.close())
  const begun = beginAhead(ahead, { settings, services: server.services, store: store?.store }, log)
  const reload = async () => {
    await server.reload()
    await Promise.all([environments.refresh(), exports?.refresh(), store?.store.reload?.(), seal.renew()])
  }
  const warn = (message: string) => log.warn(message)
  const gate = gateFrom({ settings, services: server.services, store: store?.store, repository: source?.path })
  const control = { settings, environments, repository: source?.path, audit, gate: gate.asked, warn, reload }
  closers.unshift(await openControl({ ...control, skipGate: moved && ((move) => moved.skip(move)) }))
  await moved?.begin(begun, { tryMove: gate.tryMove, decided: () => environments.refresh() })
  for (const { message, hint } of server.alerts()) parts.progress(`Warning: ${message}\n  ${hint}`)
  logAlerts(server.alerts(), log)
  const daily = setInterval(() => {
    logAlerts(server.alerts(), log)
    if (answers) void pruneAnswers(answers)
    void seal.renew()
    void audit?.prune()
    void refreshRevocations(authority, log).then(() => store?.store.reload?.())
  }, oneDay).unref()
  closers.unshift(async () => clearInterval(daily))
  closers.unshift(async () => moved?.close())
  return { url: `https://${settings.certname}:${port}`, environments, reload, close: () => closeAll(closers) }
}

/** The store of the settings and its writer; none without one. */
async function openStore(
  { settings, system, log }: CodeServerParts,
  hostcrl: string,
): Promise<ServerStore | undefined> {
  const store = await storeFrom({ ...settings, hostcrl }, (level, message) => log[level](message))
  if (!store) return undefined
  const recorder = new Recorder({
    store,
    producer: settings.certname,
    shared: settings.store !== 'sqlite',
    failing: settings.store === 'puppetdb',
    now: () => system.now(),
    say: (level, message) => log[level](message),
  })
  return { store, recorder }
}

function resultOf<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of closers) await close()
}

/** The authority: ours, if there is one, or if this host has no certificate of another. */
async function openAuthority({ settings, system, log, progress }: CodeServerParts) {
  const enrolled = (await system.files.stat(settings.hostcert)) !== undefined
  if (!(await authorityExists(settings.cadir, system))) {
    if (enrolled) return undefined
    progress(`Setting up a certificate authority in ${settings.cadir}`)
    await ensureAuthority(settings, system)
  }
  const authority = await authorityFrom(settings, system, (message) => log.info(message))
  if (!enrolled) progress(`Making the certificate of ${settings.certname}`)
  await ensureHostCertificate(settings, authority, system)
  return authority
}

interface EnvironmentParts {
  readonly source: GitObjectSource | undefined
  readonly audit: AuditLog | undefined
  readonly ahead: AheadRounds
  readonly kept: KeptCommits
  readonly moved: MovedBranches | undefined
}

interface OpenedEnvironments {
  readonly environments: Environments
  readonly close: Closer
}

async function openEnvironments(
  { settings, log }: CodeServerParts,
  { source, audit, ahead, kept, moved }: EnvironmentParts,
): Promise<OpenedEnvironments> {
  if (!source) {
    const environments = openDirectoryEnvironments(settings)
    return { environments, close: () => environments.close() }
  }
  const checker = new CodeChecker(source, settings)
  const environments = await openGitEnvironments({
    source,
    settings,
    check: (code, served) => checker.check(code, served),
    ...(moved && { gate: (move) => moved.pass(move) }),
    changed(change) {
      noteChange(audit, change)
      if (change.result !== 'refused') ahead.served(change.environment, change.new)
    },
    ahead: (environment) => ahead.progressOf(environment),
    named: (commits) => kept.among(commits),
    log: (level, message) => log[pinoLevel(level)](message),
  })
  // Both at once: the load of a commit waits for the checker's answer.
  return { environments, close: () => Promise.all([environments.close(), checker.close()]) }
}

interface HttpParts {
  readonly authority: CertificateAuthority | undefined
  readonly environments: Environments
  readonly source: GitObjectSource | undefined
  readonly pool: CompilePool
  readonly exports: ExportStore | undefined
  readonly store: ServerStore | undefined
  readonly seal: CatalogSeal
}

interface Http {
  readonly http: FastifyInstance
  readonly services: Services
  readonly pdbPorts: PdbPorts
  /** Alerts about the certificates that are shown and trusted now. */
  alerts(): readonly CertificateAlert[]
  reload(): Promise<void>
}

async function openHttp(parts: CodeServerParts, httpParts: HttpParts): Promise<Http> {
  const { authority, environments, source, pool, exports, store, seal } = httpParts
  const { settings, system, log, version } = parts
  let auth = await readAuthConf(parts)
  let names = await readExtensionNames(parts)
  const tls = await readTls(settings, system.files)
  let certificates = certificatesIn(tls)
  const alerts = () =>
    certificateAlerts(
      { ...certificates, signer: seal.certificate, signsHere: authority !== undefined },
      new Date(system.now()),
    )
  const trust = new Trust(listsFile(parts, authority), system.files, (message) =>
    log.error(`No certificate of a client counts: ${message}`),
  )
  await trust.open(tls.ca)
  const tokens = new KnownTokens({
    paths: tokenFiles(settings),
    files: system.files,
    now: () => system.now(),
    onTrouble: (message) => log.error(message),
    onRefused: (message) => log.warn(message),
  })
  const gate = new TokenGate(tokens)
  const byConnection = (request: FastifyRequest) =>
    auth.allowHeaderCertInfo
      ? clientByHeaders(request.raw.headersDistinct, request.ip, names)
      : clientByCertificate(request, trust, names)
  const known = { environments, source, gate, now: () => system.now(), unresponsiveAfter: settings.unresponsive_after }
  const console = store && openConsole({ ...known, store: store.store })
  const shared = {
    tls,
    log,
    puppetVersion,
    rules: () => auth.rules,
    admission: new Admission(settings),
    identify: async (request) =>
      gate.identify(await byConnection(request), headersWithCookie(request.raw, request.call.path)),
  } satisfies HttpOptions
  const descriptors = (descriptorLimit() ?? Number.POSITIVE_INFINITY) * (1 - shareOfPdbPorts(settings))
  const http = createHttpServer({
    ...shared,
    legacyRoutes: settings.legacy_routes,
    connections: connectionBounds(settings, descriptors),
    entrance: (request) => console?.entrance(request),
  })
  const services = await buildServices({
    settings,
    system,
    environments,
    pool,
    exports,
    store,
    seal,
    serverFacts: serverFacts(settings.certname),
    logCompile: ({ level, message, source, file, line }, node) =>
      log[pinoLevel(level)]({ node, source, file, line }, message),
    logReport: (level, message) => log[pinoLevel(level)](message),
    warn: (message, error) => log.warn(`${message}: ${errorText(error)}`),
  })
  http.addHook('onClose', () =>
    Promise.all([services.bodyReader.close(), services.classReader.close(), tokens.close()]),
  )
  if (store) {
    const { kept, bodyReader: reader } = services
    const say = (level: 'info' | 'warn', message: string) => log[level](message)
    await moveFiles({ settings, files: system.files, store: store.store, reader, kept, say })
  }
  puppetV3(http, services, { ...settings, maxRetryDelay: settings.max_retry_delay })
  pluginRoutes(http, services)
  if (console) await http.register(console.routes)
  const statusSources = {
    ...{ pool, environments, version, store: store?.store },
    authority: authority !== undefined,
    alerts: () => alerts().map(({ severity, message }) => ({ severity, message })),
  }
  const storeRoutes = (each: FastifyInstance) => {
    if (store) pdb(each, { store: store.store, now: () => system.now() })
    statusV1(each, statusSources)
  }
  storeRoutes(http)
  const pdbPorts = await openPdbPorts({
    settings,
    store: store?.store,
    files: system.files,
    http: shared,
    routes: storeRoutes,
  })
  if (authority) await http.register(caV1({ ca: authority, clientCertificate: clientCertificateDer }))
  return {
    http,
    services,
    pdbPorts,
    alerts,
    async reload() {
      const tls = await readTls(settings, system.files)
      const conf = await readAuthConf(parts)
      const mapping = await readExtensionNames(parts)
      const renewed = certificatesIn(tls)
      await pdbPorts.reload(tls)
      await trust.open(tls.ca)
      auth = conf
      names = mapping
      certificates = renewed
      const { server } = http as unknown as { server: Server }
      server.setSecureContext(secureContextOptions(tls))
    },
  }
}

/** The revocation lists that count: the authority's own, where it is here. */
function listsFile({ settings }: CodeServerParts, authority: CertificateAuthority | undefined): string {
  return authority ? caLayout(settings.cadir).revocationList : settings.hostcrl
}

function certificatesIn({ cert, ca }: TlsOptions) {
  return { own: parseCertificate(cert), authorities: parseCertificates(ca) }
}

function logAlerts(alerts: readonly CertificateAlert[], log: Logger): void {
  for (const { severity, message, hint } of alerts)
    log[severity === 'error' ? 'error' : 'warn'](`${message} (hint: ${hint})`)
}

async function refreshRevocations(authority: CertificateAuthority | undefined, log: Logger): Promise<void> {
  try {
    if (await authority?.refreshRevocationList()) log.info('The revocation list was issued anew')
  } catch (error) {
    log.error({ err: error }, 'The revocation list could not be issued anew')
  }
}
