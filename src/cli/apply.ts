import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { applyCatalog, reportOf } from '../agent/apply.ts'
import { defaultProviders } from '../agent/facts/default-providers.ts'
import { factLog } from '../agent/facts/fact-log.ts'
import { saveLastRun } from '../agent/last-run.ts'
import { isAtLeast, type Log, reportLog, teeLog } from '../agent/log.ts'
import { openLog } from '../agent/log-destinations.ts'
import { nodeName } from '../agent/node-name.ts'
import { detailedExitStatus } from '../agent/report-builder.ts'
import { rubyOptions } from '../agent/ruby/ruby-options.ts'
import { defineIssues, fail } from '../base/issue.ts'
import { parseJson } from '../base/json-text.ts'
import { compile } from '../compiler/compile.ts'
import { CatalogError } from '../compiler/request/catalog-error.ts'
import type { CompileLog } from '../compiler/request/compile-request.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import type { FactValues } from '../facts/fact.ts'
import { factsOfNode } from '../facts/of-settings.ts'
import type { LogLevel } from '../language/host.ts'
import type { Catalog } from '../model/catalog.ts'
import { catalogFromWire } from '../model/catalog-wire.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { rootedSystem } from '../system/rooted.ts'
import { classify } from './classify.ts'
import { atOption, codeSettings, openCodeWith, openModules, repoOption } from './code-source.ts'
import { defineCommand, type Invocation } from './command.ts'
import { requestFor } from './compile-options.ts'
import { knownExports, searching } from './known-exports.ts'
import { logdestOf, logdestOption } from './logdest.ts'
import { libraryFolders, sourcesOfModules } from './module-files.ts'
import type { Option } from './options.ts'

const issues = defineIssues({
  NOTHING_TO_APPLY: {
    text: () => 'Nothing to apply: no manifest, no code and no catalog was given',
    hint: () => "plumb apply site.pp, plumb apply -e 'CODE', plumb apply --catalog catalog.json",
  },
  FILE_UNREADABLE: { text: (a: { file: string }) => `Could not find file ${a.file}` },
})

const applyOptions = [
  repoOption,
  atOption,
  { flags: '-e, --execute <code>', doc: 'Code to apply.' },
  { flags: '--catalog <file>', doc: 'A catalog to apply, as JSON.' },
  { flags: '--detailed-exitcodes', doc: 'Answer 2 for changes, 4 for failures, 6 for both.' },
  { flags: '-t, --test', doc: 'The same as --show_diff --verbose --detailed-exitcodes.' },
  logdestOption,
] as const satisfies readonly Option[]

/** `plumb apply` */
export const apply = defineCommand({
  name: 'apply',
  summary: 'Compiles a manifest and applies it to this machine, without a server.',
  description: `Applies a manifest, code given in place, or a catalog as 'plumb catalog compile' prints it. Modules, data and files are
those of the environment, of --repo or the setting code_repo, or else of its folder. With --detailed-exitcodes the exit
status is 0 for no changes, 2 for changes, 4 for failures, 6 for both, and 1 when nothing could be applied.

  plumb apply -e 'notify { "hello": }'
  plumb apply --noop --modulepath modules site.pp`,
  usage: '[manifest]',
  options: applyOptions,
  async run(invocation) {
    const { options, settings: given, io } = invocation
    const test = options.test === true
    const settings = loadSettings({ given: { ...(test ? { show_diff: 'true' } : {}), ...given }, runMode: 'user' })
    const least = options.debug ? 'debug' : options.verbose || test ? 'info' : settings.log_level
    const log = await openLog({ ...logdestOf(settings, options), least, name: 'puppet-user', console: io })
    try {
      return await compileAndApply({ invocation, settings, log }, least)
    } catch (error) {
      // The console is told by who runs commands.
      if (!log.hasConsole) log.err(errorText(error))
      throw error
    } finally {
      await log.close()
    }
  },
})

async function compileAndApply({ invocation, settings, log: given }: Order, least: LogLevel): Promise<number> {
  const { options } = invocation
  const gathered = reportLog(isAtLeast('info', least) ? 'info' : least, Date.now)
  const log = teeLog(given, gathered)
  const code = await codeOf(invocation)
  const facts = await factsOfNode(localSystem, settings, {
    legacy: true,
    log: factLog(log),
    debug: least === 'debug',
    libraries: libraryFolders(code),
    providers: (core) => defaultProviders(localSystem, core),
  })
  const started = Date.now()
  const catalog =
    options.catalog !== undefined
      ? catalogFromWire(parseJson(readText(options.catalog)))
      : await compileHere(code, { settings, facts, log, debug: options.debug === true })
  const times = { config_retrieval: (Date.now() - started) / 1000 }
  const detailed = options.test === true || options.detailedExitcodes === true
  return applyIt({ settings, catalog, code, facts, log, gathered, times, started, debug: least === 'debug' }, detailed)
}

interface Order {
  readonly invocation: Invocation<typeof applyOptions>
  readonly settings: Settings
  readonly log: Log
}

/** The code that is compiled, or whose files a given catalog names. */
async function codeOf(invocation: Invocation<typeof applyOptions>): Promise<CompileEnvironment> {
  const { args, options } = invocation
  const settings = codeSettings(invocation)
  if (options.catalog !== undefined) return openModules(invocation, settings)
  const manifest =
    options.execute !== undefined
      ? { text: options.execute }
      : args[0] === undefined
        ? fail(issues.NOTHING_TO_APPLY, {})
        : { file: resolve(args[0]) }
  return openCodeWith(invocation, settings, { manifest })
}

interface Compilation {
  readonly settings: Settings
  readonly facts: FactValues
  readonly log: Log
  readonly debug: boolean
}

async function compileHere(
  environment: CompileEnvironment,
  { settings, facts, log, debug }: Compilation,
): Promise<Catalog> {
  const node = nodeName(settings, facts)
  const started = Date.now()
  try {
    const classified = await classify(node, [], settings)
    const request = requestFor({ node, facts: undefined, classified }, environment, settings)
    const exports = searching(await knownExports({ options: {} }, settings))
    const { catalog, logs } = compile({ ...request, ...exports, facts, debug: debug || request.debug })
    writeLogs(logs, log)
    const seconds = ((Date.now() - started) / 1000).toFixed(2)
    const message = `Compiled catalog for ${node} in environment ${environment.name} in ${seconds} seconds`
    log.notice(message)
    return catalog
  } catch (error) {
    if (error instanceof CatalogError) writeLogs(error.logs, log)
    throw error
  }
}

function writeLogs(logs: readonly CompileLog[], log: Log): void {
  for (const { level, message, source, file, line } of logs) log[level as LogLevel](message, { source, file, line })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return fail(issues.FILE_UNREADABLE, { file })
  }
}

interface Work {
  readonly settings: Settings
  readonly code: CompileEnvironment
  readonly catalog: Catalog
  readonly facts: FactValues
  readonly log: Log
  readonly gathered: ReturnType<typeof reportLog>
  readonly times: Readonly<Record<string, number>>
  readonly started: number
  readonly debug: boolean
}

async function applyIt(
  { settings, catalog, code, facts, log, gathered, times, started, debug }: Work,
  detailed: boolean,
) {
  log.info(`Using environment '${catalog.environment}'`)
  for (const folder of ['statedir', 'publicdir', 'clientbucketdir'] as const)
    await localSystem.files.makeDirectory(settings[folder], 0o750)
  if (settings.agent_root !== '') await localSystem.files.makeDirectory(settings.agent_root)
  const system = settings.agent_root === '' ? localSystem : rootedSystem(localSystem, settings.agent_root)
  const applied = await applyCatalog(catalog, {
    settings,
    system,
    machine: localSystem,
    facts,
    sources: sourcesOfModules(code),
    log,
    ruby: rubyOptions({ settings, facts, loadPath: [...libraryFolders(code), settings.plugindest], debug }),
  })
  const report = reportOf(catalog, applied, {
    host: nodeName(settings, facts),
    time: started,
    transactionUuid: randomUUID(),
    noop: settings.noop,
    excludesUnchanged: settings.exclude_unchanged_resources,
    logs: gathered.lines,
    times: { ...times, total: (Date.now() - started) / 1000 },
  })
  const initialEnvironment = settings.environment
  await saveLastRun(localSystem.files, settings, report, { initialEnvironment, runMode: 'user', now: Date.now() })
  if (!applied.applied) return 1
  return detailed ? detailedExitStatus(report) : 0
}
