import { join } from 'node:path'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { holdsDeferred } from '../../language/values/deferred.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { batchedFiles } from '../../machine/system/batched-files.ts'
import type { System } from '../../machine/system/system.ts'
import { writeJournal } from '../../machine/system/write-journal.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { Report, ReportLog } from '../../model/report.ts'
import { selectedTags } from '../../model/tag.ts'
import type { NodeMachineOptions } from '../../ruby/node/node-machine.ts'
import type { RubyAhead } from '../../ruby/node/ruby-ahead.ts'
import { type Deferrals, noDeferrals } from '../resources/deferrals.ts'
import { instancesOf } from '../resources/instances.ts'
import type { FileSources, Services } from '../resources/provider.ts'
import { types } from '../resources/types.ts'
import { AppliedCatalog } from './applied-catalog.ts'
import { appliedCodeFile, codeLine, codeOf } from './applied-code.ts'
import { bucketsOf } from './buckets/buckets.ts'
import type { ServerBuckets } from './buckets/server-bucket.ts'
import { allSources } from './file-sources.ts'
import { saveCycles, saveGraphs } from './graph-files.ts'
import { saveNames } from './last-run.ts'
import type { Log } from './log.ts'
import { buildReport, type RunFacts } from './report-builder.ts'
import { extendedTypes } from './ruby/native-types.ts'
import type { RubyOfRun } from './ruby/ruby-run.ts'
import { typesInRuby } from './ruby/types-in-ruby.ts'
import { openRunState } from './state-files.ts'
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
  readonly sources: FileSources
  /** Resolves `http:` and `https:` sources; if undefined, such sources fail. */
  readonly web?: FileSources
  /** Filebuckets on servers; if undefined, no server is contacted. */
  readonly serverBuckets?: ServerBuckets
  readonly log: Log
  /** Options for the Ruby code of modules: types and providers that are not built in. */
  readonly ruby?: NodeMachineOptions
  /** Returns a Ruby thread started ahead; called only if the catalog needs Ruby. */
  readonly rubyAhead?: () => RubyAhead | undefined
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
export interface Applied extends TransactionResult {
  /** Durations in seconds by name. */
  readonly times: Readonly<Record<string, number>>
  /** False if the catalog as a whole could not be applied. */
  readonly applied: boolean
}

/** Applies a catalog. Logs errors that concern the catalog as a whole. */
export async function applyCatalog(catalog: Catalog, options: ApplyOptions): Promise<Applied> {
  const { log, machine } = options
  const started = machine.now()
  const seconds = () => (machine.now() - started) / 1000
  let transaction: Transaction | undefined
  let ruby: RubyOfRun | undefined
  const failedToApply = 'Failed to apply catalog: '
  const { resources, relationships } = options.invalidCatalogPrefixes ?? {}
  let prefix = failedToApply
  try {
    ruby = await rubyOf(catalog, options)
    prefix = resources ?? failedToApply
    const applied = new AppliedCatalog(catalog, ruby?.types ?? types, ruby?.failures)
    prefix = failedToApply
    const journal = writeJournal(machine.files, join(options.settings.statedir, 'unfinished'))
    if (!options.settings.noop) await journal.recover(options.system.files, machine.now())
    const batch = batchedFiles(options.system.files, journal)
    const services = servicesOf(
      applied,
      catalog.environment,
      { ...options, system: { ...options.system, files: batch.files } },
      ruby,
    )
    const { statefile, transactionstorefile } = options.settings
    const store = options.remembersChanges ? transactionstorefile : undefined
    const state = await openRunState(machine.files, { statefile, transactionstorefile: store }, log.err, log.info)
    transaction = new Transaction(applied, services, transactionOptions(options), state, log, ruby)
    const deferrals = await deferralsIn(catalog, options)
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
    const appliedCode = appliedCodeFile(machine.files, options.settings.statedir)
    const code = codeOf(catalog)
    if (code) log.write(codeLine(code, await appliedCode.load()))
    const evaluating = machine.now()
    await transaction.run(options.stopRequested)
    await batch.settle()
    await journal.clear()
    if (code && !options.settings.noop) await appliedCode.save(code)
    const times = { transaction_evaluation: (machine.now() - evaluating) / 1000, catalog_application: seconds() }
    log.notice(`Applied catalog in ${seconds().toFixed(2)} seconds`)
    return { ...transaction.result, times, applied: true }
  } catch (error) {
    log.err(`${prefix}${errorText(error)}`)
    const result = transaction?.result ?? { statuses: [], completed: false, generationFailed: false }
    return { ...result, times: { catalog_application: seconds() }, applied: false }
  } finally {
    await ruby?.close()
  }
}

/** Starts Ruby and loads its types, if the catalog has types or providers defined only in a module's Ruby code. */
async function rubyOf(catalog: Catalog, { ruby, ...options }: ApplyOptions): Promise<RubyOfRun | undefined> {
  if (!ruby) return undefined
  const names = await typesInRuby(catalog, ruby.loadPath, options.machine.files)
  const extended = await extendedTypes(catalog, ruby.loadPath, options.machine)
  if (names.length + extended.length === 0) return undefined
  const { RubyOfRun } = await import('./ruby/ruby-run.ts')
  return RubyOfRun.open({ names, extended }, ruby, { ...options, rubyAhead: options.rubyAhead?.() })
}

/** Resolvers for the catalog's Deferred values. Loads the language's functions only if the catalog has such values. */
async function deferralsIn(catalog: Catalog, { facts, log, settings }: ApplyOptions): Promise<Deferrals> {
  const values = catalog.resources.flatMap(({ parameters }) => [...parameters.values()])
  if (!values.some(holdsDeferred)) return noDeferrals
  const { deferralsOf } = await import('./deferred.ts')
  return deferralsOf(facts, catalog.environment, settings.preprocess_deferred, log)
}

function servicesOf(
  catalog: AppliedCatalog,
  environment: string,
  { system, machine, sources, web, serverBuckets, settings, facts, log }: ApplyOptions,
  ruby: RubyOfRun | undefined,
): Services {
  const { show_diff, digest_algorithm, clientbucketdir } = settings
  const services: Services = {
    system,
    sources: allSources(system.files, sources, web),
    buckets: bucketsOf({
      files: machine.files,
      catalog,
      standard: clientbucketdir,
      algorithm: digest_algorithm,
      environment,
      servers: serverBuckets,
      log,
    }),
    settings: { show_diff, digest_algorithm },
    facts,
    catalog,
    instances: (type) => ruby?.instances(type) ?? instancesOf(type, services),
  }
  return services
}

function transactionOptions({ settings, machine, ruby }: ApplyOptions): TransactionOptions {
  return {
    noop: settings.noop,
    tags: selectedTags(settings.tags),
    skipTags: selectedTags(settings.skip_tags),
    ignoreSchedules: settings.ignoreschedules,
    isForDevice: ruby?.device !== undefined,
    evaltrace: settings.evaltrace,
    saveCycles: settings.graph ? (paths) => saveCycles(machine.files, settings.graphdir, paths) : undefined,
  }
}

/** Builds the report of a run that applied a catalog. */
export function reportOf(
  catalog: Catalog,
  applied: Applied,
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
