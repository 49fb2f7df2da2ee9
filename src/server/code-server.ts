import type { AddressInfo } from 'node:net'
import type { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { budgets } from '../base/budgets/budgets.ts'
import { puppetVersion } from '../base/puppet-version.ts'
import type { CertificateAuthority } from '../ca/certificate-authority.ts'
import type { CertificateAlert } from '../ca/certificate-ends.ts'
import { OcspResponder } from '../ca/ocsp-responder.ts'
import type { Environments } from '../code/environments/environments.ts'
import type { FolderMounts } from '../code/environments/mounts/folder-mounts.ts'
import type { GitObjectSource } from '../code/git/git-object-source.ts'
import type { CompilePool } from '../compiler/workers/pool.ts'
import { openControl } from '../deploy/control/open-control.ts'
import type { CodeSources } from '../deploy/sources/code-sources.ts'
import type { ServedDeployments } from '../deploy/synthesis/served-deployments.ts'
import { errorText } from '../language/ruby-semantics/errno.ts'
import { liveSettings } from '../machine/settings/live-settings.ts'
import { descriptorLimit } from '../machine/system/descriptor-limit.ts'
import { answersFolder, pruneAnswers } from '../network/outside/kept-answers.ts'
import type { AuditLog } from '../store/audit/audit-log.ts'
import type { ExportStore } from '../store/exports/export-store.ts'
import { exportsFrom, type ServerStore } from '../store/exports/from-settings.ts'
import { KeptCommits } from '../store/kept-commits.ts'
import { adminV1 } from './admin-v1/index.ts'
import { beginAhead, roundsFrom } from './ahead/open-ahead.ts'
import { clientCertificateDer } from './auth/client-certificate.ts'
import { openCertificateTermini } from './ca-v1/certificate-termini.ts'
import { caV1 } from './ca-v1/index.ts'
import { ocspRoutes } from './ca-v1/ocsp.ts'
import { codeV1 } from './code-v1/fetch.ts'
import { movedBranches } from './gate/from-settings.ts'
import { gateFrom } from './gate/open-gate.ts'
import { gitEntrance } from './git/entrance.ts'
import { openGit } from './git/open-git.ts'
import { Admission } from './https/admission.ts'
import { closerOf } from './https/close-http.ts'
import { connectionBounds } from './https/connections.ts'
import { createHttpServer, type HttpOptions } from './https/http.ts'
import { listen } from './https/listen.ts'
import { MoreListeners } from './https/more-listeners.ts'
import { secureContextOptions } from './https/tls-context.ts'
import { jolokiaRoutes } from './jolokia/routes.ts'
import { serverBeans } from './jolokia/server-beans.ts'
import { pinoLevel } from './logger.ts'
import { openMetricsPort } from './metrics/port.ts'
import { prometheusRoute } from './metrics/prometheus.ts'
import { addStateMetrics } from './metrics/state-metrics.ts'
import { moveFiles } from './move-files.ts'
import { openPool } from './open-pool.ts'
import { type CertificateUpkeep, openUpkeep } from './opening/certificate-upkeep.ts'
import { beginDailyWork, logAlerts } from './opening/daily-work.ts'
import { openAuthority } from './opening/open-authority.ts'
import { openCode } from './opening/open-code.ts'
import { openEnvironments } from './opening/open-environments.ts'
import { listsFile, openIdentity } from './opening/open-identity.ts'
import { openStore } from './opening/open-store.ts'
import type { CodeServerParts, ServerParts } from './opening/server-parts.ts'
import { pdb } from './pdb/index.ts'
import { storeBeans } from './pdb/metrics.ts'
import { openPdbPorts, type PdbPorts, shareOfPdbPorts } from './pdb/ports.ts'
import { pluginRoutes } from './plumb-v1/plugins.ts'
import { puppetV3 } from './puppet-v3/index.ts'
import { serverFacts } from './puppet-v3/server-facts.ts'
import { requestedCatalogRoutes } from './puppet-v4/catalog.ts'
import { openMounts } from './reload/mounts.ts'
import { routesReload } from './reload/routes.ts'
import { settingsReload } from './reload/settings.ts'
import { type Reloadable, reloader } from './reloader.ts'
import type { CatalogSeal } from './sealing/catalog-seal.ts'
import { openAudit } from './sealing/open-audit.ts'
import { openSeal } from './sealing/open-seal.ts'
import { buildServices } from './services/build-services.ts'
import type { Services } from './services/services.ts'
import { Beginning } from './status-v1/beginning.ts'
import { Ending } from './status-v1/ending.ts'
import { statusV1 } from './status-v1/index.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import { openConsole } from './ui/open-console.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'

/** A server that answers. */
export interface CodeServer {
  readonly url: string
  readonly environments: Environments
  /** Reads all again that an operator may have changed. What cannot be read leaves all as it was. */
  reload(): Promise<void>
  /** Opens the access log anew, when another program has moved the old one away. */
  reopenLogs(): void
  /** True while the server listens. */
  isListening(): boolean
  /** Announces the end: the status says so, and answers end their connections. All is answered until `close`. */
  announceEnd(): void
  /** Takes no more requests, ends those under way, lets go of everything. */
  close(): Promise<void>
}

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

async function start(given: CodeServerParts, closers: Closer[]): Promise<CodeServer> {
  const live = liveSettings(given.settings)
  const { settings } = live
  const { log } = given
  const telemetry = openTelemetry(settings, (details, message) => log.warn(details, message))
  closers.unshift(() => telemetry.close())
  const parts: ServerParts = { ...given, settings, telemetry }
  // A wrong repository is said before anything is made.
  const { source, sources, close } = await openCode(parts)
  closers.unshift(close)
  const audit = await openAudit(settings, parts.system, log)
  if (audit) closers.unshift(() => audit.close())
  const ahead = roundsFrom(settings, log)
  const kept = new KeptCommits()
  const moved = source && movedBranches(settings, source.path, log)
  const [opened, served] = await Promise.allSettled([
    openAuthority(parts),
    openEnvironments(parts, { source, sources, audit, ahead, kept, moved }),
  ])
  if (served.status === 'fulfilled') closers.unshift(served.value.close)
  const authority = resultOf(opened)
  const { environments, deployments } = resultOf(served)
  const upkeep = await openUpkeep({ ...parts, authority })
  const seal = await openSeal({ ...parts, authority, audit })
  const store = await openStore(parts, listsFile(settings, authority))
  if (store) closers.unshift(() => store.store.close())
  kept.opened(store?.store)
  const exports = exportsFrom({ settings, files: parts.system.files, store })
  const answers = store && answersFolder(settings)
  if (answers) void pruneAnswers(answers)
  const pool = await openPool({
    ...parts,
    environments,
    exports,
    store: store?.store,
    answers,
    ended: (job) => telemetry.jobEnded(job, pool.status()),
  })
  closers.unshift(() => pool.close())
  const mounts = await openMounts(settings, parts.system, log)
  const server = await openHttp(parts, {
    mounts: mounts.mounts,
    ...{ authority, environments, deployments, source, sources, audit },
    ...{ pool, exports, store, seal, upkeep },
  })
  const more = new MoreListeners(server.http.server)
  const closeHttp = closerOf(server.http)
  closers.unshift(() => Promise.all([more.close(), closeHttp(), server.pdbPorts.close()]))
  await listen(server.http, settings)
  await server.pdbPorts.listen()
  closers.unshift(await openMetricsPort(settings, { log, registry: telemetry.registry }))
  const { port } = server.http.server.address() as AddressInfo
  void more.add(budgets.connection.listeners.bound)
  pool.warmUp()
  closers.unshift(async () => ahead.close())
  const begun = beginAhead(ahead, { settings, services: server.services, store: store?.store }, log)
  const hooks = await openWebhooks({ settings, sources, files: parts.system.files, log, figures: telemetry.sources })
  closers.unshift(() => hooks.close())
  const routes = routesReload(server.services, settings.route_file, log)
  const reload = reloader({
    readSettings: () => given.readSettings?.() ?? given.settings,
    reloadables: [
      ...[settingsReload(live, log), routes, mounts, server.reloadable, telemetry.reloadable, hooks],
      ...(sources ? [sources] : []),
    ],
    async after() {
      await sources?.follow()
      telemetry.sources.keepOnly(sources?.names ?? [])
      await Promise.all([environments.refresh(), exports?.refresh(), store?.store.reload?.(), seal.renew()])
    },
    told: (isDone) => telemetry.metrics.reloaded(isDone),
  })
  const warn = (message: string) => log.warn(message)
  const gate = gateFrom({
    settings,
    services: server.services,
    store: store?.store,
    repository: source?.path,
    ready: begun,
  })
  const code = { settings, environments, sources, deployments, repository: source?.path, audit, reload }
  closers.unshift(await openControl({ ...code, gate: gate.asked, warn, moved }))
  await moved?.begin(begun, { tryMove: gate.tryMove, decided: () => environments.refresh() })
  sources?.begin(() => environments.refresh())
  for (const { message, hint } of server.alerts()) parts.progress(`Warning: ${message}\n  ${hint}`)
  logAlerts(server.alerts(), log)
  closers.unshift(beginDailyWork({ alerts: () => server.alerts(), answers, audit, log }))
  closers.unshift(upkeep.begin({ renewed: reload, looked: () => Promise.all([seal.renew(), store?.store.reload?.()]) }))
  closers.unshift(async () => moved?.close())
  return {
    url: `https://${settings.certname}:${port}`,
    environments,
    reload,
    reopenLogs: () => telemetry.reopenLogs(),
    isListening: () => server.http.server.listening,
    announceEnd: () => server.ending.announce(server.http.server),
    close: () => closeAll(closers),
  }
}

function resultOf<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of closers) await close()
}

interface HttpParts {
  readonly authority: CertificateAuthority | undefined
  readonly environments: Environments
  readonly deployments: ServedDeployments | undefined
  readonly source: GitObjectSource | undefined
  readonly sources: CodeSources | undefined
  readonly audit: AuditLog | undefined
  readonly mounts: FolderMounts
  readonly pool: CompilePool
  readonly exports: ExportStore | undefined
  readonly store: ServerStore | undefined
  readonly seal: CatalogSeal
  readonly upkeep: CertificateUpkeep
}

interface Http {
  readonly http: FastifyInstance
  readonly services: Services
  readonly pdbPorts: PdbPorts
  /** Alerts about the certificates that are shown and trusted now. */
  alerts(): readonly CertificateAlert[]
  readonly reloadable: Reloadable
  readonly ending: Ending
}

async function openHttp(parts: ServerParts, httpParts: HttpParts): Promise<Http> {
  const { authority, environments, mounts, source, sources, audit, pool, exports, store, seal, upkeep } = httpParts
  const { settings, system, log, version, telemetry } = parts
  const identity = await openIdentity({
    ...{ ...parts, authority },
    signer: () => seal.certificate,
    endingNodes: () => upkeep.endingNodes,
  })
  const { tls, gate } = identity
  const { unresponsive_after: unresponsiveAfter, node_ttl: nodeTtl } = settings
  const known = { environments, source, gate, now: () => system.now(), unresponsiveAfter, nodeTtl }
  const console = store && openConsole({ ...known, store: store.store })
  const shared = {
    tls,
    log,
    puppetVersion,
    rules: () => identity.rules(),
    admission: new Admission(settings),
    identify: (request) => identity.identify(request),
    observers: telemetry.observers,
  } satisfies HttpOptions
  const descriptors = (descriptorLimit() ?? Number.POSITIVE_INFINITY) * (1 - shareOfPdbPorts(settings))
  const http = createHttpServer({
    ...shared,
    legacyRoutes: settings.legacy_routes,
    connections: connectionBounds(settings, descriptors),
    entrance: (request) => gitEntrance(request) ?? console?.entrance(request),
  })
  const services = await buildServices({
    settings,
    system,
    environments,
    mounts,
    pool,
    exports,
    store,
    seal,
    serverFacts: serverFacts(settings.certname),
    logCompile: ({ level, message, source, file, line }, node, request) =>
      log[pinoLevel(level)]({ node, request, source, file, line }, message),
    logReport: (level, message) => log[pinoLevel(level)](message),
    logPlugIn: (level, message) => log[pinoLevel(level)](message),
    warn: (message, error) => log.warn(`${message}: ${errorText(error)}`),
  })
  http.addHook('onClose', () =>
    Promise.all([
      services.bodyReader.close(),
      services.classReader.close(),
      services.transportReader.close(),
      services.plugIns.close(),
      identity.close(),
    ]),
  )
  if (store) {
    const { kept, bodyReader: reader } = services
    const say = (level: 'info' | 'warn', message: string) => log[level](message)
    await moveFiles({ settings, files: system.files, store: store.store, reader, kept, say })
  }
  puppetV3(http, services, settings)
  requestedCatalogRoutes(http, services, settings)
  pluginRoutes(http, services)
  if (sources) codeV1(http, { sources, environments })
  await openGit(http, { settings, given: parts.given ?? {}, source, sources, audit, log, rules: shared.rules })
  if (console) await http.register(console.routes)
  const ending = new Ending()
  const statusSources = {
    isStarting: new Beginning(environments, httpParts.deployments).isUnderWay,
    isStopping: ending.isNear,
    ...{ pool, environments, version, telemetry, store: store?.store },
    authority: authority !== undefined,
    certificates: () => identity.certificates(),
    alerts: () => [
      ...identity.alerts().map(({ severity, message }) => ({ severity, message })),
      ...(sources?.alerts() ?? []),
    ],
  }
  const ofStore = store ? storeBeans(store.store) : []
  const ofServer = () => serverBeans({ ...telemetry, pool, serverId: settings.metrics_server_id })
  const storeRoutes = (each: FastifyInstance) => {
    if (store) pdb(each, { store: store.store, now: () => system.now() })
    statusV1(each, statusSources)
    jolokiaRoutes(each, { beans: () => [...ofStore, ...ofServer()], version, now: () => system.now() })
  }
  storeRoutes(http)
  const state = {
    ...{ version, pool, environments, upkeep: store?.store.upkeep },
    endings: identity.endings,
    now: () => system.now(),
  }
  addStateMetrics(telemetry.registry, { ...telemetry, ...state })
  prometheusRoute(http, telemetry.registry)
  adminV1(http, { environments, pool })
  const pdbPorts = await openPdbPorts({
    settings,
    store: store?.store,
    files: system.files,
    http: shared,
    routes: storeRoutes,
  })
  if (authority && settings.ocsp) {
    const signer = { certname: settings.certname, signerFile: settings.ocsp_signer }
    ocspRoutes(http, new OcspResponder({ authority, ...signer, system }))
  }
  const termini = openCertificateTermini({ authority, settings, files: system.files, routes: services.routes })
  await http.register(caV1({ ca: authority, termini, clientCertificate: clientCertificateDer }))
  const reloadable = identity.reloadable(async (renewed) => {
    const takePorts = await pdbPorts.prepare(renewed)
    return () => {
      takePorts()
      const { server } = http as unknown as { server: Server }
      server.setSecureContext(secureContextOptions(renewed))
    }
  })
  return { http, services, pdbPorts, ending, alerts: identity.alerts, reloadable }
}
