import { join } from 'node:path'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { createBatchedFiles } from '../../machine/system/batched-files.ts'
import type { System } from '../../machine/system/system.ts'
import { createWriteJournal } from '../../machine/system/write-journal.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { Report, ReportLog } from '../../model/report.ts'
import { parseTagSelection } from '../../model/tag.ts'
import type { NodeMachineOptions } from '../../ruby/node/node-machine.ts'
import type { RubyPreload } from '../../ruby/node/ruby-preload.ts'
import type { GemSettings } from '../gems/configured-gems.ts'
import type { Deferrals } from '../resources/deferred-resolution.ts'
import { listInstances } from '../resources/instances.ts'
import type { ProviderFileSources, ProviderServices } from '../resources/provider.ts'
import { MachineRestart } from '../resources/providers/reboot/machine-restart.ts'
import { types } from '../resources/types.ts'
import { AppliedCatalog } from './applied-catalog.ts'
import { createCodeLogLine, getAppliedCode, openAppliedCodeFile } from './applied-code.ts'
import { createBuckets } from './buckets/buckets.ts'
import type { ServerBuckets } from './buckets/server-bucket.ts'
import { openCatalogDeferrals } from './catalog-deferrals.ts'
import { createFileSources } from './file-sources.ts'
import { saveCycles, saveGraphs } from './graph-files.ts'
import { saveNames } from './last-run.ts'
import type { Log } from './log.ts'
import { buildReport, type RunFacts } from './report-builder.ts'
import { findExtendedTypes } from './ruby/native-types.ts'
import type { AgentRuby } from './ruby/ruby-run.ts'
import { findRubyTypes } from './ruby/ruby-types.ts'
import { openRunState, type RunState } from './state-files.ts'
import { Transaction, type TransactionOptions, type TransactionResult } from './transaction.ts'

/** Settings for applying a catalog. */
export type ApplySettings = Pick<
  Settings,
  | 'noop'
  | 'tags'
  | 'skip_tags'
  | 'ignoreschedules'
  | 'evaltrace'
  | 'preprocess_deferred'
  | 'show_diff'
  | 'digest_algorithm'
  | 'compatibility'
  | 'statedir'
  | 'statefile'
  | 'transactionstorefile'
  | 'clientbucketdir'
  | 'classfile'
  | 'resourcefile'
  | 'write_catalog_summary'
  | 'graph'
  | 'graphdir'
>

/** Options for applying a catalog. */
export interface ApplyOptions {
  readonly settings: ApplySettings
  /** The system whose resources are managed; rooted at `agent_root` if set. */
  readonly system: System
  /** The system with the agent's own state; never rooted at `agent_root`. */
  readonly machine: System
  readonly facts: Readonly<Record<string, ExactJson>>
  /** Resolves `puppet:` sources. */
  readonly sources: ProviderFileSources
  /** Settings for gems of the built-in Ruby; if undefined, they cannot be managed. */
  readonly gems?: GemSettings
  /** Resolves `http:` and `https:` sources; if undefined, such sources fail. */
  readonly web?: ProviderFileSources
  /** Filebuckets on servers; if undefined, no server is contacted. */
  readonly serverBuckets?: ServerBuckets
  readonly log: Log
  /** Options for the Ruby code of modules: types and providers that are not built in. */
  readonly ruby?: NodeMachineOptions
  /** Returns a Ruby thread that was started in advance; called only if the catalog needs Ruby. */
  readonly rubyAhead?: () => RubyPreload | undefined
  readonly stopRequested?: () => boolean
  /** Terminates Ruby when the run exceeds its timeout. */
  readonly timeOver?: AbortSignal | undefined
  /**
   * True to store the values of properties between runs, so that the next run can detect corrective
   * changes.
   */
  readonly remembersChanges?: boolean
  /** Prefixes of errors about an invalid catalog; by default the agent's prefix, `Failed to apply catalog: `. */
  readonly invalidCatalogPrefixes?: { readonly resources: string; readonly relationships: string }
}

/** The result of applying a catalog, for the report. */
export interface ApplyResult extends TransactionResult {
  /** Durations in seconds by name. */
  readonly times: Readonly<Record<string, number>>
  /** False if the catalog as a whole could not be applied. */
  readonly applied: boolean
  /** The restart that resources requested. The caller starts it when the report is stored and sent. */
  readonly restart: MachineRestart
}

/** Applies a catalog. Logs errors that concern the catalog as a whole. */
export async function applyCatalog(catalog: Catalog, options: ApplyOptions): Promise<ApplyResult> {
  const { log, machine } = options
  const started = machine.now()
  const getElapsedSeconds = () => (machine.now() - started) / 1000
  let transaction: Transaction | undefined
  let ruby: AgentRuby | undefined
  let deferrals: Deferrals | undefined
  const restart = new MachineRestart()
  const failedToApply = 'Failed to apply catalog: '
  const { resources, relationships } = options.invalidCatalogPrefixes ?? {}
  let prefix = failedToApply
  try {
    ruby = await startRuby(catalog, options)
    prefix = resources ?? failedToApply
    const applied = new AppliedCatalog(catalog, ruby?.types ?? types, ruby?.failures)
    prefix = failedToApply
    const journal = createWriteJournal(machine.files, join(options.settings.statedir, 'unfinished'))
    if (!options.settings.noop) await journal.recover(options.system.files, machine.now())
    const batch = createBatchedFiles(options.system.files, journal)
    const services = createProviderServices(
      applied,
      catalog.environment,
      { ...options, restart, system: { ...options.system, files: batch.files } },
      ruby,
    )
    const state = await openState(options)
    transaction = new Transaction(applied, services, toTransactionOptions(options), state, log, ruby)
    deferrals = await openCatalogDeferrals(catalog, options, ruby)
    prefix = resources ?? failedToApply
    await transaction.prepare(deferrals)
    prefix = relationships ?? failedToApply
    await transaction.relate()
    prefix = failedToApply
    if (options.settings.write_catalog_summary)
      await saveNames(machine.files, options.settings, catalog.classes, applied)
    await transaction.generate()
    if (options.settings.graph) await saveGraphs(machine.files, options.settings.graphdir, applied)
    log.info(`Applying configuration version '${catalog.version}'`)
    const appliedCode = openAppliedCodeFile(machine.files, options.settings.statedir)
    const code = getAppliedCode(catalog)
    if (code) log.write(createCodeLogLine(code, await appliedCode.load()))
    const evaluating = machine.now()
    await transaction.run(() => restart.endsRun || options.stopRequested?.() === true)
    await batch.settle()
    await journal.clear()
    if (code && !options.settings.noop) await appliedCode.save(code)
    const times = {
      transaction_evaluation: (machine.now() - evaluating) / 1000,
      catalog_application: getElapsedSeconds(),
    }
    log.notice(`Applied catalog in ${getElapsedSeconds().toFixed(2)} seconds`)
    return { ...transaction.result, times, applied: true, restart }
  } catch (error) {
    log.err(`${prefix}${formatError(error)}`)
    const result = transaction?.result ?? { statuses: [], completed: false, generationFailed: false }
    return { ...result, times: { catalog_application: getElapsedSeconds() }, applied: false, restart }
  } finally {
    await Promise.all([deferrals?.close?.(), ruby?.close()])
  }
}

function openState({ machine, settings, remembersChanges, log }: ApplyOptions): Promise<RunState> {
  const { statefile } = settings
  const transactionstorefile = remembersChanges ? settings.transactionstorefile : undefined
  return openRunState(machine.files, { statefile, transactionstorefile }, log.err, log.info)
}

/** Starts Ruby and loads its types, if the catalog has types or providers defined only in a module's Ruby code. */
async function startRuby(catalog: Catalog, { ruby, ...options }: ApplyOptions): Promise<AgentRuby | undefined> {
  if (!ruby) return undefined
  const names = await findRubyTypes(catalog, ruby.loadPath, options.machine.files)
  const extended = await findExtendedTypes(catalog, ruby.loadPath, options.machine)
  if (names.length + extended.length === 0) return undefined
  const { AgentRuby } = await import('./ruby/ruby-run.ts')
  return AgentRuby.open({ names, extended }, ruby, { ...options, rubyAhead: options.rubyAhead?.() })
}

function createProviderServices(
  catalog: AppliedCatalog,
  environment: string,
  {
    system,
    machine,
    sources,
    web,
    serverBuckets,
    settings,
    gems,
    facts,
    log,
    restart,
  }: ApplyOptions & Pick<ApplyResult, 'restart'>,
  ruby: AgentRuby | undefined,
): ProviderServices {
  const { show_diff, digest_algorithm, compatibility, clientbucketdir } = settings
  const services: ProviderServices = {
    system,
    sources: createFileSources(system.files, sources, web),
    buckets: createBuckets({
      files: machine.files,
      catalog,
      standard: clientbucketdir,
      algorithm: digest_algorithm,
      environment,
      servers: serverBuckets,
      log,
    }),
    settings: { show_diff, digest_algorithm, compatibility },
    gems,
    facts,
    catalog,
    restart,
    instances: (type) => ruby?.instances(type) ?? listInstances(type, services),
  }
  return services
}

function toTransactionOptions({ settings, machine, ruby }: ApplyOptions): TransactionOptions {
  return {
    noop: settings.noop,
    tags: parseTagSelection(settings.tags),
    skipTags: parseTagSelection(settings.skip_tags),
    ignoreSchedules: settings.ignoreschedules,
    isForDevice: ruby?.device !== undefined,
    evaltrace: settings.evaltrace,
    saveCycles: settings.graph ? (paths) => saveCycles(machine.files, settings.graphdir, paths) : undefined,
  }
}

/** Builds the report of a run that applied a catalog. */
export function buildApplyReport(
  catalog: Catalog,
  applied: ApplyResult,
  run: Pick<
    RunFacts,
    'time' | 'transactionUuid' | 'noop' | 'serverUsed' | 'cachedCatalogStatus' | 'excludesUnchanged' | 'jobId' | 'host'
  > & {
    readonly logs: readonly ReportLog[]
    readonly times: Readonly<Record<string, number>>
  },
): Report {
  return buildReport({
    ...run,
    configurationVersion: catalog.version,
    environment: catalog.environment,
    completed: applied.completed,
    generationFailed: applied.generationFailed,
    statuses: applied.statuses,
    times: { ...run.times, ...applied.times },
    catalogUuid: catalog.catalogUuid,
    codeId: catalog.codeId,
  })
}
