import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { applyCatalog, reportOf } from '../agent/apply.ts'
import { messageOf } from '../agent/evaluate.ts'
import { moduleSources } from '../agent/file-sources.ts'
import { saveLastRun } from '../agent/last-run.ts'
import { isAtLeast, type Log, reportLog, teeLog } from '../agent/log.ts'
import { openLog } from '../agent/log-destinations.ts'
import { detailedExitStatus } from '../agent/report-builder.ts'
import { defineIssues, fail } from '../base/issue.ts'
import { parseJson } from '../base/json-text.ts'
import { CatalogError } from '../compiler/catalog-error.ts'
import { compile } from '../compiler/compile.ts'
import type { CompileLog } from '../compiler/compile-request.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import { openDirectory, openParts } from '../environments/open-environment.ts'
import { collectFacts } from '../facts/collect.ts'
import type { FactValues } from '../facts/fact.ts'
import { rubyFactsWarning } from '../facts/ruby-facts.ts'
import type { LogLevel } from '../language/host.ts'
import type { Catalog } from '../model/catalog.ts'
import { catalogFromWire } from '../model/catalog-wire.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { rootedSystem } from '../system/rooted.ts'
import { classify } from './classify.ts'
import type { Command, Invocation } from './command.ts'
import { requestFor } from './compile-options.ts'
import { knownExports, searching } from './known-exports.ts'
import { logdestOf, logdestOption } from './logdest.ts'

const issues = defineIssues({
  NOTHING_TO_APPLY: {
    text: () => 'Nothing to apply: no manifest, no code and no catalog was given',
    hint: () => "plumb apply site.pp, plumb apply -e 'CODE', plumb apply --catalog catalog.json",
  },
  FILE_UNREADABLE: { text: (a: { file: string }) => `Could not find file ${a.file}` },
})

/** `plumb apply` */
export const apply: Command = {
  name: 'apply',
  summary: 'Compiles a manifest and applies it to this machine, without a server.',
  description: `Applies a manifest, code given in place, or a catalog as 'plumb catalog compile' prints it. With --detailed-exitcodes the
exit status is 0 for no changes, 2 for changes, 4 for failures, 6 for both, and 1 when nothing could be applied.

  plumb apply -e 'notify { "hello": }'
  plumb apply --noop --modulepath modules site.pp`,
  usage: '[manifest]',
  options: [
    { flags: '-e, --execute <code>', doc: 'Code to apply.' },
    { flags: '--catalog <file>', doc: 'A catalog to apply, as JSON.' },
    { flags: '--detailed-exitcodes', doc: 'Answer 2 for changes, 4 for failures, 6 for both.' },
    { flags: '-t, --test', doc: 'The same as --show_diff --verbose --detailed-exitcodes.' },
    logdestOption,
  ],
  async run({ args, options, settings: given, io }: Invocation) {
    const test = options.test === true
    const settings = loadSettings({ given: { ...(test ? { show_diff: 'true' } : {}), ...given }, runMode: 'user' })
    const least = options.debug ? 'debug' : options.verbose || test ? 'info' : settings.log_level
    const log = await openLog({ ...logdestOf(settings, options), least, name: 'puppet-user', console: io })
    try {
      return await compileAndApply({ args, options, settings, log }, least)
    } catch (error) {
      // The console is told by who runs commands.
      if (!log.hasConsole) log.write({ level: 'err', message: messageOf(error) })
      throw error
    } finally {
      await log.close()
    }
  },
}

async function compileAndApply(given: Omit<Order, 'facts'>, least: LogLevel): Promise<number> {
  const { options, settings } = given
  const gathered = reportLog(isAtLeast('info', least) ? 'info' : least, Date.now)
  const log = teeLog(given.log, gathered)
  const facts = await collectFacts(localSystem, {
    factDirectories: [settings.pluginfactdest],
    legacy: true,
    warn: (message) => log.write({ level: 'warning', message }),
  })
  const plugins = [settings.plugindest, ...(await moduleLibraries(settings))]
  const ofRuby = await rubyFactsWarning(localSystem.files, plugins)
  if (ofRuby !== undefined) log.write({ level: 'warning', message: ofRuby })
  const started = Date.now()
  const catalog = await catalogOf({ ...given, facts, log })
  const times = { config_retrieval: (Date.now() - started) / 1000 }
  const detailed = options.test === true || options.detailedExitcodes === true
  return applyIt({ settings, catalog, facts, log, gathered, times, started }, detailed)
}

interface Order {
  readonly args: readonly string[]
  readonly options: Invocation['options']
  readonly settings: Settings
  readonly facts: FactValues
  readonly log: Log
}

async function catalogOf({ args, options, settings, facts, log }: Order): Promise<Catalog> {
  if (typeof options.catalog === 'string') return catalogFromWire(parseJson(readText(options.catalog)))
  const manifest =
    typeof options.execute === 'string'
      ? { text: options.execute }
      : args[0] === undefined
        ? fail(issues.NOTHING_TO_APPLY, {})
        : { file: resolve(args[0]) }
  const { environment: name, certname } = settings
  const environment = await codeOf(manifest, settings, (message) => log.write({ level: 'warning', message }))
  const started = Date.now()
  try {
    const classified = await classify(certname, [], settings)
    const request = requestFor({ node: certname, facts: undefined, classified }, environment, settings)
    const exports = searching(await knownExports({ options: {} }, settings))
    const debug = options.debug === true || request.debug
    const { catalog, logs } = compile({ ...request, ...exports, facts, debug })
    writeLogs(logs, log)
    const seconds = ((Date.now() - started) / 1000).toFixed(2)
    const message = `Compiled catalog for ${certname} in environment ${name} in ${seconds} seconds`
    log.write({ level: 'notice', message })
    return catalog
  } catch (error) {
    if (error instanceof CatalogError) writeLogs(error.logs, log)
    throw error
  }
}

/** The environment's data, modules and functions, where there is one, with another manifest. */
async function codeOf(
  manifest: { readonly text: string } | { readonly file: string },
  settings: Settings,
  warn: (message: string) => void,
): Promise<CompileEnvironment> {
  const { environment: name, environmentpath, hiera_config: hiera, modulepath } = settings
  const parts = openParts({
    name,
    modulepath: modulepathOf(settings),
    manifest,
    ...(existsSync(hiera) ? { hiera } : {}),
  })
  const directory = environmentpath.map((path) => join(path, name)).find((path) => existsSync(path))
  if (directory === undefined) return parts
  const { environment, warnings } = await openDirectory({ directory, name }, settings)
  for (const warning of warnings) warn(warning)
  return {
    ...{ name, tree: environment.tree, globalHiera: environment.globalHiera },
    modulepath: modulepath.length > 0 ? parts.modulepath : environment.modulepath,
    manifest: parts.manifest && 'path' in parts.manifest ? { ...parts.manifest, tree: parts.tree } : parts.manifest,
    get version() {
      return environment.version
    },
  }
}

/** The modules of the environment, unless a modulepath was given. */
function modulepathOf({ modulepath, environmentpath, environment, basemodulepath }: Settings): readonly string[] {
  if (modulepath.length > 0) return modulepath
  return [...environmentpath.map((path) => join(path, environment, 'modules')), ...basemodulepath]
}

async function moduleLibraries(settings: Settings): Promise<string[]> {
  const modules = modulepathOf(settings).map(async (folder) =>
    ((await localSystem.files.list(folder)) ?? []).map((name) => join(folder, name, 'lib')),
  )
  return (await Promise.all(modules)).flat()
}

function writeLogs(logs: readonly CompileLog[], log: Log): void {
  for (const { level, message, source, file, line } of logs)
    log.write({ level: level as LogLevel, message, source, file, line })
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
  readonly catalog: Catalog
  readonly facts: FactValues
  readonly log: Log
  readonly gathered: ReturnType<typeof reportLog>
  readonly times: Readonly<Record<string, number>>
  readonly started: number
}

async function applyIt({ settings, catalog, facts, log, gathered, times, started }: Work, detailed: boolean) {
  for (const folder of ['statedir', 'publicdir', 'clientbucketdir'] as const)
    await localSystem.files.makeDirectory(settings[folder], 0o750)
  if (settings.agent_root !== '') await localSystem.files.makeDirectory(settings.agent_root)
  const system = settings.agent_root === '' ? localSystem : rootedSystem(localSystem, settings.agent_root)
  const applied = await applyCatalog(catalog, {
    settings,
    system,
    machine: localSystem,
    facts,
    sources: moduleSources(localSystem.files, modulepathOf(settings)),
    log,
  })
  const report = reportOf(catalog, applied, {
    host: settings.certname,
    time: started,
    transactionUuid: randomUUID(),
    noop: settings.noop,
    logs: gathered.lines,
    times: { ...times, total: (Date.now() - started) / 1000 },
  })
  const initialEnvironment = settings.environment
  await saveLastRun(localSystem.files, settings, report, { initialEnvironment, runMode: 'user', now: Date.now() })
  if (!applied.applied) return 1
  return detailed ? detailedExitStatus(report) : 0
}
