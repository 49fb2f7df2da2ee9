import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { compile } from '../../compiler/compile.ts'
import { CatalogError } from '../../compiler/request/catalog-error.ts'
import type { CompileLog, CompileResult } from '../../compiler/request/compile-request.ts'
import type { LogLevel } from '../../language/host.ts'
import { formatError, formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { createRootedSystem } from '../../machine/system/rooted-system.ts'
import type { Catalog } from '../../model/catalog.ts'
import { selectServerBucket } from '../../node/agent/buckets/server-bucket.ts'
import { internCatalog } from '../../node/agent/catalog/intern-catalog.ts'
import { applyCatalog, buildApplyReport } from '../../node/agent/catalog-application.ts'
import { collectDeviceFacts } from '../../node/agent/devices/device-facts.ts'
import { listDefaultProviders } from '../../node/agent/facts/default-providers.ts'
import { createFactLog } from '../../node/agent/facts/fact-log.ts'
import { saveLastRun } from '../../node/agent/last-run.ts'
import { createReportLog, createTeeLog, isAtLeast, type Log } from '../../node/agent/log.ts'
import { openLog } from '../../node/agent/log-destinations.ts'
import { resolveNodeName } from '../../node/agent/node-name.ts'
import { createProductionEnvironment } from '../../node/agent/process/production-environment.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { computeDetailedExitStatus } from '../../node/agent/report-builder.ts'
import { createRubyOptions } from '../../node/agent/ruby/ruby-options.ts'
import { buildRunSummary, formatRunSummary } from '../../node/agent/run-summary.ts'
import { createWebSources } from '../../node/agent/web-sources.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { collectNodeFacts } from '../../node/facts/node-facts.ts'
import { getModulepath } from '../../ruby/node/function-files.ts'
import type { DeviceOfRun } from '../../ruby/node/node-machine.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { getLogDestinations, logdestOption } from '../command/logdest.ts'
import { type Option, type OptionValues, runExitcodes } from '../command/options.ts'
import { withServerSession } from '../connection/server-session.ts'
import { atOption, loadCodeSettings, openCodeWithOverrides, openModules, repoOption } from '../input/code-source.ts'
import { buildCompileRequest } from '../input/compile-options.ts'
import { readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { readStream } from '../input/manifest-files.ts'
import { classifyNode } from '../input/node-classification.ts'
import { createModuleFileSources, withLibraries } from '../module/module-files.ts'
import { type Destinations, openDestinations } from './data-destinations.ts'

// Messages of Puppet: application/apply.rb
const issues = defineIssues({
  NOTHING_TO_APPLY: {
    text: () => 'Nothing to apply: no manifest, code or catalog given',
    hint: () => "Use plumb apply FILE, plumb apply -e 'CODE', plumb apply --catalog FILE, or plumb apply < FILE.",
  },
  FILE_UNREADABLE: { text: (a: { file: string }) => `Could not run: Could not find file ${a.file}` },
  CATALOG_UNREADABLE: { text: (a: { why: string }) => `Could not run: ${a.why}` },
  CATALOG_NONE: {
    text: (a: { why: string }) => `Could not run: Could not deserialize catalog from rich_data_json: ${a.why}`,
  },
})

const applyOptions = [
  repoOption,
  atOption,
  { flags: '-e, --execute <code>', doc: 'Apply this code instead of a manifest.' },
  { flags: '-c, --catalog <file>', doc: "File with a JSON catalog to apply; '-' for standard input." },
  { flags: '-L, --loadclasses', doc: 'Declare the classes of the last run (classes.txt) in addition to the manifest.' },
  { flags: '--write-catalog-summary', doc: 'Alias of --write_catalog_summary.' },
  runExitcodes,
  { flags: '-t, --test', doc: 'Alias of --show_diff --verbose --detailed-exitcodes.' },
  logdestOption,
] as const satisfies readonly Option[]

/** The command `plumb apply`. */
export const apply = defineCommand({
  name: 'apply',
  summary: 'Compile a manifest and apply it to this machine without a server.',
  description: `Applies a manifest, a directory of manifests, code of -e or standard input, or a catalog printed by
'plumb catalog compile'. Modules, data and files are those of the environment, in the repository of --repo or code_repo
or in its directory. With --detailed-exitcodes, exits with 0 for no changes, 2 for changes, 4 for failures, 6 for both,
or 1 if nothing was applied.

  plumb apply -e 'notify { "hello": }'
  plumb apply --noop --modulepath modules site.pp
  plumb apply < site.pp`,
  usage: '[manifest...]',
  options: applyOptions,
  run: (invocation) => runApply(invocation),
})

/** A manifest to apply to a device instead of this machine. */
interface DeviceManifest extends Omit<Order, 'invocation' | 'device' | 'given'> {
  readonly file: string
  readonly device: DeviceOfRun
  /** Settings given on the command line. */
  readonly given: Readonly<Record<string, string>>
  readonly detailed: boolean
  readonly io: Io
}

/** Applies a manifest to a device, and returns the exit status. */
export function applyManifestToDevice({ file, given, detailed, io, ...order }: DeviceManifest): Promise<number> {
  const { logdest } = order.settings
  const none = { repo: undefined, at: undefined, execute: undefined, catalog: undefined, loadclasses: undefined }
  const options = {
    ...none,
    writeCatalogSummary: undefined,
    detailedExitcodes: detailed,
    test: undefined,
    logdest: [logdest],
  }
  return compileAndApply({ ...order, invocation: { args: [file], options, settings: given, io } }, 'info')
}

/** A catalog to apply with the files and plug-ins of the code from which it was compiled. */
export interface GivenCatalog {
  readonly catalog: Catalog
  readonly code: CompileEnvironment
}

/** A run that applies a given catalog. */
interface CatalogRun extends Pick<CommandInvocation, 'settings' | 'io'> {
  /** The file that contains the catalog. */
  readonly file: string
  readonly given: GivenCatalog
  readonly options: Pick<
    OptionValues<typeof applyOptions>,
    'detailedExitcodes' | 'test' | 'logdest' | 'debug' | 'verbose'
  >
}

/** Applies a given catalog as `plumb apply --catalog` does, and returns the exit status. */
export function applyGivenCatalog({ file, given, options, settings, io }: CatalogRun): Promise<number> {
  const none = { repo: undefined, at: undefined, execute: undefined, loadclasses: undefined }
  const all = { ...none, ...options, catalog: file, writeCatalogSummary: undefined }
  return runApply({ args: [], options: all, settings, io }, given)
}

async function runApply(invocation: Order['invocation'], given?: GivenCatalog): Promise<number> {
  const { options, settings: words, io } = invocation
  const test = options.test === true
  const own: Record<string, string> = { ...(test ? { show_diff: 'true' } : {}), ...words }
  if (options.writeCatalogSummary === true) own['write_catalog_summary'] = 'true'
  const settings = loadSettings({ given: own, runMode: 'user' })
  requireTrustedFolders(settings)
  const least = options.debug ? 'debug' : options.verbose || test ? 'info' : settings.log_level
  const log = await openLog({ ...getLogDestinations(settings, options), least, name: 'puppet-user', console: io })
  try {
    return await compileAndApply({ invocation, settings, log, given }, least)
  } catch (error) {
    // The caller prints errors on the console.
    if (log.hasConsole) throw error
    log.err(formatError(error))
    return 1
  } finally {
    await log.close()
  }
}

async function compileAndApply(order: Order, least: LogLevel): Promise<number> {
  const { invocation, settings, log, given } = order
  const withSession = (work: Parameters<typeof withServerSession<void>>[2]) =>
    withServerSession(settings, invocation, work)
  const told = await openDestinations({ settings, system: directSystem, log, withServer: withSession })
  const settingsOfCode = loadCodeSettings(invocation, 'user')
  await createProductionEnvironment(settingsOfCode, directSystem.files, log)
  // As in Puppet, the plug-in directories exist before the compilation, so that a manifest can write files to them.
  for (const name of ['plugindest', 'pluginfactdest'] as const)
    await directSystem.files.makeDirectory(settings[name], 0o755)
  const code = given?.code ?? (await openCodeToApply(invocation, settingsOfCode, log))
  return withLibraries(code, (libraries, factFolders) =>
    applyCode({ ...order, told, code, libraries, factFolders, least }),
  )
}

/** The code to apply, with the directories of its plug-ins. */
interface CodeToApply extends Order {
  readonly told: Destinations
  readonly code: CompileEnvironment
  readonly libraries: readonly string[]
  /** Directories of external facts in modules. */
  readonly factFolders: readonly string[]
  readonly least: LogLevel
}

async function applyCode(order: CodeToApply): Promise<number> {
  const { invocation, settings, log, told, code, libraries, least, device, given } = order
  const { options } = invocation
  const facts = await (device
    ? collectDeviceFacts(device, { ...order, failurePrefix: `Could not retrieve facts for ${device.name}: ` })
    : collectMachineFacts(order))
  await told.facts(resolveNodeName(settings, facts), facts, code.name)
  const started = Date.now()
  const catalog =
    given?.catalog ??
    (options.catalog !== undefined
      ? await parseCatalog(await readCatalogText(options.catalog, invocation.io), settings)
      : await compileLocally(code, {
          settings,
          facts,
          log,
          told,
          debug: options.debug === true,
          classes: options.loadclasses === true ? await readLastClasses(settings) : [],
        }))
  const times = { config_retrieval: (Date.now() - started) / 1000 }
  const detailed = options.test === true || options.detailedExitcodes === true
  return applyCatalogToMachine(
    { invocation, settings, catalog, code, libraries, facts, log, told, times, started, least, device },
    detailed,
  )
}

function collectMachineFacts({ settings, log, libraries, factFolders, least }: CodeToApply): Promise<FactValues> {
  return collectNodeFacts(directSystem, settings, {
    legacy: true,
    log: createFactLog(log),
    debug: least === 'debug',
    libraries,
    factFolders,
    providers: (core) => listDefaultProviders(directSystem, core),
  })
}

interface Order {
  readonly invocation: CommandInvocation<typeof applyOptions>
  readonly settings: Settings
  readonly log: Log
  readonly device?: DeviceOfRun | undefined
  /** A catalog that replaces the catalog of the options. */
  readonly given?: GivenCatalog | undefined
}

/** Opens the code to compile; for a given catalog, the code that contains its files. */
async function openCodeToApply(
  invocation: CommandInvocation<typeof applyOptions>,
  settings: Settings,
  log: Log,
): Promise<CompileEnvironment> {
  const { args, options, io } = invocation
  if (options.catalog !== undefined) return openModules(invocation, settings)
  const [file, ...others] = options.execute === undefined ? args : []
  if (others.length > 0) log.warning(`Only one file can be applied per run.  Skipping ${others.join(', ')}`)
  const isPiped = options.execute === undefined && (file === undefined || file === '-')
  const manifest =
    file === undefined || isPiped
      ? { text: options.execute ?? (await readPipedText(io, file === '-')) }
      : existsSync(file)
        ? { file: resolve(file) }
        : throwIssue(issues.FILE_UNREADABLE, { file })
  return openCodeWithOverrides(invocation, settings, { manifest })
}

/** Reads standard input; a terminal is read only if `-` is given. Throws NOTHING_TO_APPLY. */
async function readPipedText({ stdin }: Io, isAsked: boolean): Promise<string> {
  if (!isAsked && (stdin as { isTTY?: boolean }).isTTY) throwIssue(issues.NOTHING_TO_APPLY, {})
  return readStream(stdin)
}

async function readCatalogText(path: string, io: Io): Promise<string> {
  if (path === '-') return readStream(io.stdin)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    return throwIssue(issues.CATALOG_UNREADABLE, { why: `${formatErrorReason(error)} @ rb_sysopen - ${path}` })
  }
}

async function parseCatalog(text: string, { hostprivkey }: Settings): Promise<Catalog> {
  try {
    return await internCatalog(parseJson(text), () => directSystem.files.readText(hostprivkey))
  } catch (error) {
    return throwIssue(issues.CATALOG_NONE, { why: formatError(error) })
  }
}

/** Reads the classes that the last run declared. */
async function readLastClasses({ classfile }: Settings): Promise<readonly string[]> {
  const text = (await directSystem.files.readText(classfile)) ?? ''
  return text.split(/\s+/).filter((name) => name !== '')
}

interface Compilation {
  readonly settings: Settings
  readonly facts: FactValues
  readonly log: Log
  readonly told: Destinations
  readonly debug: boolean
  /** Classes that replace the classes from the node classifier. */
  readonly classes: readonly string[]
}

async function compileLocally(
  environment: CompileEnvironment,
  { settings, facts, log, told, debug, classes }: Compilation,
): Promise<Catalog> {
  const node = resolveNodeName(settings, facts)
  const started = Date.now()
  let result: CompileResult
  try {
    const classified = await classifyNode(node, classes, settings)
    const request = buildCompileRequest({ node, facts: undefined, classified }, environment, settings)
    const exports = toExportSearch(await readExportedResources({ options: {} }, settings))
    const { wantsFull } = told
    result = compile({ ...request, ...exports, facts, wantsFull, debug: debug || request.debug })
    writeLogs(result.logs, log)
    const seconds = ((Date.now() - started) / 1000).toFixed(2)
    const message = `Compiled catalog for ${node} in environment ${environment.name} in ${seconds} seconds`
    log.notice(message)
  } catch (error) {
    if (error instanceof CatalogError) writeLogs(error.logs, log)
    throw error
  }
  await told.catalog(result)
  return result.catalog
}

function writeLogs(logs: readonly CompileLog[], log: Log): void {
  for (const { level, message, source, file, line } of logs) log[level as LogLevel](message, { source, file, line })
}

interface Work {
  readonly invocation: Order['invocation']
  readonly settings: Settings
  readonly code: CompileEnvironment
  readonly libraries: readonly string[]
  readonly catalog: Catalog
  readonly facts: FactValues
  readonly log: Log
  readonly told: Destinations
  readonly times: Readonly<Record<string, number>>
  readonly started: number
  readonly least: LogLevel
  readonly device: DeviceOfRun | undefined
}

async function applyCatalogToMachine(
  { invocation, settings, catalog, code, libraries, facts, log: given, told, times, started, least, device }: Work,
  detailed: boolean,
) {
  // As in an agent run, the report does not contain the log messages of the compilation.
  const gathered = createReportLog(isAtLeast('info', least) ? 'info' : least, Date.now)
  const log = createTeeLog(given, gathered)
  log.info(`Using environment '${catalog.environment}'`)
  for (const folder of ['statedir', 'publicdir', 'clientbucketdir'] as const)
    await directSystem.files.makeDirectory(settings[folder], 0o750)
  if (settings.agent_root !== '') await directSystem.files.makeDirectory(settings.agent_root)
  const system = settings.agent_root === '' ? directSystem : createRootedSystem(directSystem, settings.agent_root)
  const applied = await applyCatalog(catalog, {
    settings,
    system,
    machine: directSystem,
    facts,
    sources: createModuleFileSources(code),
    web: createWebSources(settings),
    gems: settings,
    serverBuckets: (place, work) =>
      withServerSession(settings, invocation, (session) =>
        work(selectServerBucket(session, place, settings.serverport)),
      ),
    log,
    // As with Puppet, a device's run is an agent's, and others are not.
    remembersChanges: device !== undefined,
    invalidCatalogPrefixes:
      invocation.options.catalog === undefined
        ? { resources: '', relationships: '' }
        : { resources: 'Could not run: ', relationships: 'Failed to apply catalog: ' },
    ruby: createRubyOptions({
      settings,
      facts,
      loadPath: [...libraries, settings.plugindest],
      modulepath: getModulepath(libraries),
      debug: least === 'debug',
      device,
    }),
  })
  const report = buildApplyReport(catalog, applied, {
    host: resolveNodeName(settings, facts),
    time: started,
    transactionUuid: randomUUID(),
    noop: settings.noop,
    cachedCatalogStatus: 'not_used',
    excludesUnchanged: settings.exclude_unchanged_resources,
    logs: gathered.lines,
    times: { ...times, total: (Date.now() - started) / 1000 },
  })
  const summarized = { initialEnvironment: settings.environment, runMode: 'user', now: Date.now() }
  if (settings.summarize) invocation.io.out(formatRunSummary(buildRunSummary(report, summarized)))
  await saveLastRun(directSystem.files, settings, report, summarized)
  await told.report(report, libraries)
  await applied.restart.start(settings.agent_root)
  if (!applied.applied) return 1
  return detailed ? computeDetailedExitStatus(report) : 0
}
