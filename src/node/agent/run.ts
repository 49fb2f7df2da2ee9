import { randomUUID } from 'node:crypto'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { createRootedSystem } from '../../machine/system/rooted-system.ts'
import type { System } from '../../machine/system/system.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { SignedCatalog } from '../../model/catalog-signature.ts'
import type { Report } from '../../model/report.ts'
import type { Session } from '../../network/client/session.ts'
import type { DeviceOfRun } from '../../ruby/node/node-machine.ts'
import { areFactsFresh, type EarlyFacts } from '../facts/early-facts.ts'
import type { FactValues } from '../facts/fact.ts'
import { collectNodeFacts } from '../facts/node-facts.ts'
import { selectServerBucket } from './buckets/server-bucket.ts'
import { type AgentCatalogs, createAgentCatalogs } from './catalog/agent-catalogs.ts'
import { internCatalog } from './catalog/intern-catalog.ts'
import { requestCatalog, toRequestFacts } from './catalog/request-catalog.ts'
import { checkSignature } from './catalog/signature-check.ts'
import { type ApplyResult, applyCatalog, buildApplyReport } from './catalog-application.ts'
import { formatErrorWithHint } from './error-hints.ts'
import { listDefaultProviders } from './facts/default-providers.ts'
import { warnAboutLargeFacts } from './facts/fact-limits.ts'
import { createFactLog } from './facts/fact-log.ts'
import { createServerSources } from './file-sources.ts'
import { readLastEnvironments } from './last-run.ts'
import { createReportLog, createTeeLog, type Log } from './log.ts'
import { resolveNodeName } from './node-name.ts'
import { fetchPlugins, type PluginRun, refreshPlugins } from './plugins/fetch-plugins.ts'
import { runHookCommand } from './process/hook-command.ts'
import type { RunEnd } from './process/run-timeout.ts'
import { buildReport, computeDetailedExitStatus, type RunFacts } from './report-builder.ts'
import { createRubyOptions } from './ruby/ruby-options.ts'
import type { RunPreparation } from './run-preparation.ts'
import { sendReport } from './run-report.ts'
import { createWebSources } from './web-sources.ts'

/** Options of a run. */
export interface AgentRunOptions {
  readonly settings: Settings
  readonly system: System
  readonly session: Session
  readonly log: Log
  /** True if the command line sets the environment, so that the server must not change it. */
  readonly environmentGiven: boolean
  /** The environment set on the command line or in puppet.conf. */
  readonly specifiedEnvironment?: string | undefined
  readonly jobId?: string | undefined
  /** Prints a message to the terminal, independent of the log level. */
  say(text: string): void
  readonly stopRequested: () => boolean
  /** The device to configure, instead of this machine. */
  readonly device?: DeviceOfRun | undefined
  /** The deadline of the run, if any. */
  readonly end?: RunEnd | undefined
  /** Facts and Ruby threads started while the code of the run was loaded. */
  readonly ahead?: RunPreparation | undefined
}

/** Maximum number of catalog requests while the server keeps changing the environment. Puppet: configurer.rb */
const mostEnvironments = 4

interface Run extends AgentRunOptions, PluginRun {
  readonly catalogs: AgentCatalogs
  readonly transactionUuid: string
  readonly initialEnvironment: string
  /** The node name in requests and reports. */
  nodeName: string
  facts: FactValues
  /** Facts whose collection was started in advance; used only for the first collection of facts. */
  begunFacts: EarlyFacts | undefined
  cachedCatalogStatus: NonNullable<Report['cached_catalog_status']>
  compiledBy(server: string): void
}

/** Performs a run: plug-ins, facts, catalog, changes, report. Returns the exit status of `--detailed-exitcodes`. */
export async function runOnce(options: AgentRunOptions): Promise<number> {
  const { settings, system } = options
  const started = system.now()
  const gathered = createReportLog(settings.log_level === 'debug' ? 'debug' : 'info', system.now)
  const run: Run = {
    ...options,
    catalogs: await createAgentCatalogs({ files: system.files, settings, ask: () => requestCatalog(run) }),
    log: createTeeLog(options.log, gathered),
    compiledBy: (server) => run.log.notice(`Catalog compiled by ${server}`),
    transactionUuid: randomUUID(),
    initialEnvironment: settings.environment,
    nodeName: resolveNodeName(settings, undefined),
    times: { startup_time: (started - performance.timeOrigin) / 1000 },
    hints: new Set(),
    environment: settings.environment,
    facts: {},
    begunFacts: settings.prerun_command === '' ? options.ahead?.facts : undefined,
    pluginsCodeId: undefined,
    cachedCatalogStatus: 'not_used',
  }
  let catalog: Catalog | undefined
  let applied: ApplyResult | undefined
  try {
    await runHookCommand(run, 'prerun_command')
    catalog = await obtainCatalog(run)
    if (catalog) applied = await applyRunCatalog(run, catalog)
    else run.log.err('Could not retrieve catalog; skipping run')
  } catch (error) {
    run.log.err(`Failed to apply catalog: ${formatErrorWithHint(error, run.hints)}`)
  }
  // If the record cannot be written, the next run only starts its Ruby threads later.
  await run.ahead?.threads.close(applied?.applied === true).catch(() => {})
  const succeeded = await runHookCommand(run, 'postrun_command').then(
    () => true,
    (error: unknown) => {
      run.log.err(formatError(error))
      return false
    },
  )
  if (settings.resubmit_facts) await resubmitFacts(run)
  run.times['total'] = (system.now() - started) / 1000
  const server = await options.session.server().catch(() => undefined)
  const facts: Omit<RunFacts, 'statuses' | 'completed' | 'generationFailed' | 'configurationVersion' | 'environment'> =
    {
      host: run.nodeName,
      time: started,
      transactionUuid: run.transactionUuid,
      noop: settings.noop,
      logs: gathered.lines,
      times: run.times,
      serverUsed: server === undefined ? undefined : `${server.host}:${server.port}`,
      cachedCatalogStatus: run.cachedCatalogStatus,
      jobId: options.jobId,
      excludesUnchanged: settings.exclude_unchanged_resources,
    }
  const report =
    catalog && applied
      ? buildApplyReport(catalog, applied, facts)
      : buildReport({
          ...facts,
          statuses: [],
          completed: false,
          generationFailed: false,
          configurationVersion: catalog?.version,
          environment: run.environment,
        })
  await sendReport(run, report)
  await applied?.restart.start(settings.agent_root)
  if (!applied?.applied) return 1
  return succeeded ? computeDetailedExitStatus(report) : computeDetailedExitStatus(report) | 4
}

async function applyRunCatalog(run: Run, catalog: Catalog): Promise<ApplyResult> {
  const { settings, system, session, log, facts, stopRequested, end, device } = run
  return applyCatalog(catalog, {
    settings,
    system: settings.agent_root === '' ? system : createRootedSystem(system, settings.agent_root),
    machine: system,
    facts,
    sources: createServerSources(session, catalog.environment, catalog.codeId),
    web: createWebSources(settings),
    gems: settings,
    serverBuckets: (place, work) => work(selectServerBucket(session, place, settings.serverport)),
    log,
    ruby: {
      ...createRubyOptions({
        settings,
        facts,
        loadPath: [settings.plugindest],
        environment: catalog.environment,
        device,
      }),
      ...(end && { deadline: end.at }),
    },
    rubyAhead: () => run.ahead?.threads.forTypes(),
    stopRequested,
    timeOver: end?.signal,
    remembersChanges: true,
  })
}

async function obtainCatalog(run: Run): Promise<Catalog | undefined> {
  const { settings, log } = run
  if (settings.use_cached_catalog) {
    const cached = await readCachedCatalog(run, 'explicitly_requested')
    if (cached) {
      await collectRequestFacts(run)
      return cached
    }
  }
  let trustsPlugins = await prepareEnvironment(run)
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) trustsPlugins = (await fetchPlugins(run)) !== 'untrusted'
    await collectRequestFacts(run)
    if (!trustsPlugins) return fallBackToCache(run)
    const asked = run.system.now()
    let found = await fetchCatalog(run)
    if (found && (await refreshPlugins(run, found.wire['code_id']))) {
      await collectRequestFacts(run)
      found = await fetchCatalog(run)
    }
    run.times['config_retrieval'] = (run.system.now() - asked) / 1000
    if (!found) return fallBackToCache(run)
    const environment = typeof found.wire['environment'] === 'string' ? found.wire['environment'] : ''
    if (environment === '' || environment === run.environment) return acceptCatalog(run, found)
    if (settings.strict_environment_mode) {
      const message = `Not using catalog because its environment '${environment}' does not match agent specified environment '${run.environment}' and strict_environment_mode is set`
      log.err(message)
      return undefined
    }
    if (attempt >= mostEnvironments - 1)
      throw new Error(`Catalog environment didn't stabilize after ${mostEnvironments} fetches, aborting run`)
    log.notice(
      `Local environment: '${run.environment}' doesn't match server specified environment '${environment}', restarting agent run with environment '${environment}'`,
    )
    run.environment = environment
  }
}

async function acceptCatalog(run: Run, found: SignedCatalog): Promise<Catalog | undefined> {
  const { settings, log, system } = run
  const converting = system.now()
  let catalog: Catalog
  try {
    catalog = await internCatalog(found.wire, () => readNodeKey(run))
  } catch (error) {
    log.err(`Could not retrieve catalog from remote server: ${formatError(error)}`)
    return fallBackToCache(run)
  }
  run.times['convert_catalog'] = (system.now() - converting) / 1000
  if (!settings.noop && run.catalogs.save) {
    log.info(`Caching catalog for ${run.nodeName}`)
    await run.catalogs.save(run.nodeName, found)
  }
  return catalog
}

const readNodeKey = ({ settings, system }: Run) => system.files.readText(settings.hostprivkey)

/**
 * Returns the cached catalog, if the settings allow this and the catalog's environment is the run's
 * environment.
 */
async function fallBackToCache(run: Run): Promise<Catalog | undefined> {
  if (run.settings.usecacheonfailure) return readCachedCatalog(run, 'on_failure')
  run.log.warning('Not using cache on failed catalog')
  return undefined
}

async function readCachedCatalog(run: Run, why: Run['cachedCatalogStatus']): Promise<Catalog | undefined> {
  try {
    const kept = await run.catalogs.cached(run.nodeName)
    if (!kept) return undefined
    await checkSignature(kept, run.nodeName, run)
    const catalog = await internCatalog(kept.wire, () => readNodeKey(run))
    if (
      (why === 'on_failure' || (kept.signature !== undefined && isEnvironmentFixed(run))) &&
      catalog.environment !== run.environment
    ) {
      const message = `Not using cached catalog because its environment '${catalog.environment}' does not match '${run.environment}'`
      run.log.err(message)
      return undefined
    }
    run.cachedCatalogStatus = why
    run.environment = catalog.environment
    run.log.info(`Using cached catalog from environment '${catalog.environment}'`)
    return catalog
  } catch (error) {
    run.log.err(`Could not retrieve catalog from cache: ${formatError(error)}`)
    return undefined
  }
}

/**
 * True if the server must not choose the environment. A signed catalog of another environment is
 * then rejected, like a catalog of another node.
 */
function isEnvironmentFixed({ settings, environmentGiven }: Run): boolean {
  return settings.catalog_signature !== 'off' && (environmentGiven || settings.strict_environment_mode)
}

/**
 * Selects the environment and fetches its plug-ins. If the server no longer has the environment of
 * the last run, asks the server for the current environment. Returns true if a catalog may be
 * requested.
 */
async function prepareEnvironment(run: Run): Promise<boolean> {
  const { settings, system, log } = run
  const mayChoose = !run.environmentGiven && !settings.strict_environment_mode
  const last =
    mayChoose && settings.use_last_environment
      ? await readLastEnvironments(system.files, settings.lastrunfile)
      : undefined
  if (last && last.initial === settings.environment && last.converged !== last.initial) {
    run.environment = last.converged
    log.info(`Using environment '${run.environment}'`)
    const plugins = await fetchPlugins(run)
    if (plugins !== 'no environment') return plugins !== 'untrusted'
    run.environment = settings.environment
  }
  if (mayChoose) await requestEnvironment(run)
  log.info(`Using environment '${run.environment}'`)
  return (await fetchPlugins(run)) !== 'untrusted'
}

/** Asks the server for the environment of this node and uses it, if the server sets one. protocol.md 2.3 */
async function requestEnvironment(run: Run): Promise<void> {
  const { settings, system, session, log } = run
  const asked = system.now()
  try {
    const { environment } = await session.puppet.node(run.nodeName, {
      environment: run.environment,
      configuredEnvironment: settings.environment,
      transactionUuid: run.transactionUuid,
    })
    if (environment !== undefined && environment !== run.environment) {
      const message = `Local environment: '${run.environment}' doesn't match server specified node environment '${environment}', switching agent to '${environment}'.`
      log.notice(message)
      run.environment = environment
    }
  } catch (error) {
    log.warning('Unable to fetch my node definition, but the agent run will continue:')
    log.warning(formatErrorWithHint(error, run.hints))
  }
  run.times['node_retrieval'] = (system.now() - asked) / 1000
}

/** Collects the facts for a catalog request, and warns about facts above the soft limits. */
async function collectRequestFacts(run: Run): Promise<void> {
  const started = run.system.now()
  await loadFacts(run)
  warnAboutLargeFacts(toRequestFacts(run), run.settings, run.log)
  run.ahead?.threads.beginTypes()
  run.times['fact_generation'] = (run.system.now() - started) / 1000
}

async function loadFacts(run: Run): Promise<void> {
  const { settings, log } = run
  log.info('Loading facts')
  run.facts = run.device ? await loadDeviceFacts(run.device, run) : await collectMachineFacts(run)
  run.nodeName = resolveNodeName(settings, run.facts)
}

/**
 * Collects the facts of a device. The code is loaded on demand, because its Ruby part doubles the
 * loading time.
 */
async function loadDeviceFacts(device: DeviceOfRun, run: Run): Promise<FactValues> {
  const { collectDeviceFacts } = await import('./devices/device-facts.ts')
  return collectDeviceFacts(device, { ...run, failurePrefix: 'Could not retrieve local facts: ' })
}

function collectMachineFacts(run: Run): Promise<FactValues> {
  const { settings, system, log, end } = run
  const begun = run.begunFacts && areFactsFresh(run.begunFacts, system.now()) ? run.begunFacts : undefined
  run.begunFacts = undefined
  return collectNodeFacts(system, settings, {
    specifiedEnvironment: run.specifiedEnvironment,
    legacy: settings.include_legacy_facts,
    log: createFactLog(log),
    debug: settings.log_level === 'debug',
    providers: (core) => listDefaultProviders(system, core),
    end,
    begun,
    ahead: run.ahead?.threads.forFacts,
  })
}

async function fetchCatalog(run: Run): Promise<SignedCatalog | undefined> {
  try {
    const found = await run.catalogs.find(run.nodeName)
    if (found) await checkSignature(found, run.nodeName, run)
    return found
  } catch (error) {
    run.log.err(`Could not retrieve catalog from remote server: ${formatErrorWithHint(error, run.hints)}`)
    return undefined
  }
}

/** Collects the facts again after the run and sends them. Puppet: configurer.rb, `resubmit_facts`. */
async function resubmitFacts(run: Run): Promise<void> {
  const { system, session, log } = run
  const started = system.now()
  try {
    await loadFacts(run)
    const message = `Uploading facts for ${run.nodeName} to ${(await session.server()).host}`
    log.info(message)
    await session.puppet.facts(run.environment, toRequestFacts(run))
  } catch (error) {
    log.err(`Failed to submit facts: ${formatErrorWithHint(error, run.hints)}`)
  }
  run.times['resubmit_facts'] = (system.now() - started) / 1000
}
