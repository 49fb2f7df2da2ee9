import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toPrintableLine } from '../../base/text/printable.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import {
  type Collection,
  type CollectOptions,
  collectAllFacts,
  listStandardDirectories,
} from '../../node/facts/collection.ts'
import { facterVersion } from '../../node/facts/core/system.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { getCacheFolder } from '../../node/facts/fact-cache.ts'
import { type FacterConf, readFacterConf } from '../../node/facts/facter-conf.ts'
import { getFact } from '../../node/facts/legacy.ts'
import type { FactLog } from '../../node/facts/log.ts'
import { createMachine } from '../../node/facts/machine.ts'
import { createRubyFactOptions, puppetFacts, sanitizeFacts } from '../../node/facts/node-facts.ts'
import type { RubyFactOptions } from '../../node/facts/ruby-facts.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { createTerminalFactLog } from '../command/messages.ts'
import { usageIssues } from '../command/usage-errors.ts'
import { updateFacterDb } from './facts-db.ts'
import { createFacterLog, getLogLevel } from './facts-log.ts'
import { type FactsOptions, factsOptions, findOptionConflict } from './facts-options.ts'
import { formatFacts } from './facts-output.ts'
import { collectRootFacts, requireRootUsage } from './root-facts.ts'

const issues = defineIssues({
  FACTS_DB_ARGUMENT: {
    text: (a: { given: string }) => `Unexpected argument '${a.given}'`,
    hint: () => "Give a version with --version: plumb facts db update --version '~> 2.1'.",
  },
  FACTS_DB_VERSION: {
    text: () => "--version is an option of 'plumb facts db update'",
    hint: () =>
      "Run 'plumb --version' for the version of this program, 'plumb facts facterversion' for that of Facter.",
  },
})

/** The command `plumb facts`. */
export const factsCommand = defineCommand({
  name: 'facts',
  summary: 'Print the facts of this machine.',
  description: `Prints the facts that the agent sends: core facts, custom facts of modules, external facts from facts.d directories, and
facts in environment variables (FACTER_ROLE=web). The output has the format of 'facter'; 'plumb facts show' prints JSON,
like Puppet's command. Names may be dotted paths, such as os.release.major.

  plumb facts
  plumb facts os.family networking.ip
  plumb facts -j > facts.json
  plumb facts --root /mnt/image -j    # facts of a mounted image, without running its programs
  plumb facts find                    # with the name of this node
  plumb facts db update               # install FacterDB, the facts of systems for 'plumb test'
  plumb facts db update --version '~> 2.1'`,
  usage: '[names...]',
  options: factsOptions,
  async run(invocation) {
    const { args, options, settings: given, io: told } = invocation
    const io = escapeOnTerminal(told)
    if (args[0] === 'db' && args[1] !== undefined) {
      const [, action, unexpected] = args
      if (action !== 'update')
        throwIssue(usageIssues.UNKNOWN_ACTION, { path: 'plumb facts db', action, known: ['update'] })
      if (unexpected !== undefined) throwIssue(issues.FACTS_DB_ARGUMENT, { given: unexpected })
      return updateFacterDb(options.version, loadSettings({ given, runMode: 'user' }), io)
    }
    if (options.version !== undefined) throwIssue(issues.FACTS_DB_VERSION, {})
    const settings = loadSettings({ given, runMode: 'agent' })
    if (options.root === undefined) requireTrustedFolders(settings)
    else requireRootUsage(args[0], options)
    if (args[0] === 'upload') {
      const { values } = await collectFacts([], options, settings, createTerminalFactLog(io))
      return (await import('./upload.ts')).uploadFacts(sanitizeFacts(values), settings, invocation)
    }
    if (args[0] === 'find') return findNodeFacts(args[1] ?? settings.certname, options, settings, io)
    const isShown = args[0] === 'show' || options.renderAs !== undefined || options.valueOnly === true
    return isShown
      ? showFacts(args[0] === 'show' ? args.slice(1) : args, options, settings, io)
      : queryFacts(args, options, settings, io)
  },
})

/** Escapes control characters in facts on a terminal; pipes receive the text unchanged. */
function escapeOnTerminal(io: Io): Io {
  const escapeLines = (text: string) => text.split('\n').map(toPrintableLine).join('\n')
  return io.terminal === true ? { ...io, out: (text) => io.out(escapeLines(text)) } : io
}

/** Prints facts like `puppet facts show`. */
async function showFacts(names: readonly string[], options: FactsOptions, settings: Settings, io: Io): Promise<number> {
  const { values } = await collectFacts(names, options, settings, createTerminalFactLog(io))
  const chosen = sanitizeFacts(names.length === 0 ? values : selectFacts(values, names.toSorted()))
  if (options.valueOnly === true && names.length === 1) {
    const value = chosen[names[0]!]!
    io.out(`${typeof value === 'string' ? value : formatExactJson(value, 2)}\n`)
  } else io.out(options.renderAs === 'yaml' ? await formatFactsYaml(chosen) : `${formatExactJson(chosen, 2)}\n`)
  return 0
}

/** Prints the facts of this machine under the name of the node, like `puppet facts find NODE`. */
async function findNodeFacts(name: string, options: FactsOptions, settings: Settings, io: Io): Promise<number> {
  const { values } = await collectFacts([], options, settings, createTerminalFactLog(io))
  io.out(`${formatExactJson({ name, values: sanitizeFacts(values) }, 2)}\n`)
  return 0
}

/**
 * Formats facts as YAML. The YAML writer is imported on demand, because it loads the value types of
 * the language.
 */
async function formatFactsYaml(values: FactValues): Promise<string> {
  const [{ formatRubyYaml: rubyYaml }, { convertJsonToValue: valueFromJson }] = await Promise.all([
    import('../command/ruby-format.ts'),
    import('../../language/values/json-values.ts'),
  ])
  return rubyYaml(valueFromJson(values))
}

/** Prints facts like `facter`. */
async function queryFacts(
  names: readonly string[],
  options: FactsOptions,
  settings: Settings,
  io: Io,
): Promise<number> {
  const quiet = createFacterLog(io, 'warn')
  const conflict = findOptionConflict(options)
  if (conflict !== undefined) {
    quiet.log('error', conflict, 'Facter::OptionsValidator')
    return 1
  }
  const conf = await readFacterConf(directSystem.files, options.config, quiet.log)
  if (options.listBlockGroups === true || options.listCacheGroups === true) {
    io.out(await formatFactGroups(conf, options))
    return 0
  }
  const logger = createFacterLog(io, getLogLevel(options, conf))
  logger.log('info', `executed with command line: ${names.join(' ')}`)
  logger.log('debug', `Facter version: ${facterVersion}`)
  const printTiming = (name: string, seconds: number) =>
    io.out(`fact '${name}', took: (${seconds.toFixed(6)}) seconds\n`)
  const collection = await collectFacts(
    names,
    options,
    settings,
    logger.log,
    conf,
    options.timing === true ? printTiming : undefined,
  )
  for (const [name, value] of Object.entries(collection.values))
    logger.log('debug', `fact "${name}" has resolved to: ${formatExactJson(value)}`, 'Facter::FactManager')
  const format =
    options.json === true ? 'json' : options.yaml === true ? 'yaml' : options.hocon === true ? 'hocon' : 'text'
  const asked = names.filter((name) => collection.statusOf(name) !== 'empty').sort()
  io.out(formatFacts(names.length === 0 ? collection.values : selectFacts(collection.values, asked), asked, format))
  const missing = options.strict === true ? names.filter((name) => collection.statusOf(name) === 'unknown') : []
  for (const name of missing) logger.log('error', `fact "${name}" does not exist.`)
  return missing.length > 0 || logger.hasErrors() ? 1 : 0
}

async function collectFacts(
  names: readonly string[],
  options: FactsOptions,
  settings: Settings,
  log: FactLog,
  given?: FacterConf,
  timing?: CollectOptions['timing'],
): Promise<Collection> {
  if (options.root !== undefined) return collectRootFacts(options.root, names, options, log, timing)
  const conf = given ?? (await readFacterConf(directSystem.files, options.config, log))
  const isExternal = options.externalFacts && conf.externalFacts !== false
  const directories =
    options.externalDir ?? (conf.externalDirectories.length > 0 ? conf.externalDirectories : listStandardDirectories())
  return collectAllFacts(createMachine(), {
    factDirectories: isExternal ? [settings.pluginfactdest] : [],
    externalDirectories: isExternal ? directories : [],
    legacy: (options.showLegacy ?? conf.showLegacy) === true || (given === undefined && settings.include_legacy_facts),
    log,
    conf: { ...conf, blocklist: [...(options.block ? conf.blocklist : []), ...(options.ruby ? [] : ['ruby'])] },
    ...(options.cache && { cacheFolder: getCacheFolder(settings) }),
    ...(timing && { timing }),
    queries: names,
    added: puppetFacts,
    ruby:
      options.customFacts && options.ruby && conf.customFacts !== false
        ? createFactsRuby(options, settings, conf)
        : undefined,
  })
}

function createFactsRuby(options: FactsOptions, settings: Settings, conf: FacterConf): RubyFactOptions {
  return createRubyFactOptions(
    settings,
    { customDirectories: options.customDir ?? conf.customDirectories },
    {
      debug: getLogLevel(options, conf) === 'debug',
      trace: settings.trace || conf.cli.trace === true,
      // Imported on demand, because it loads all types and providers.
      providers: async (core) =>
        (await import('../../node/agent/facts/default-providers.ts')).listDefaultProviders(directSystem, core),
    },
  )
}

/** Facts by name; `undefined` for a fact that does not exist. */
function selectFacts(values: FactValues, names: readonly string[]): Record<string, ExactJson | undefined> {
  return Object.fromEntries(names.map((name) => [name, getFact(values, name)] as const))
}

/** Formats the fact groups with their facts, then the names of external fact files. */
async function formatFactGroups(
  { groups, externalDirectories }: FacterConf,
  { externalDir }: FactsOptions,
): Promise<string> {
  const files: string[] = []
  for (const folder of externalDir ??
    (externalDirectories.length > 0 ? externalDirectories : listStandardDirectories()))
    files.push(...((await directSystem.files.list(folder)) ?? []))
  const rows = Object.entries(groups).flatMap(([name, names]) => [
    name,
    ...names.map((each) => `- ${formatListName(each)}`),
  ])
  return `${[...rows, ...files].join('\n')}\n`
}

/** Formats a name as in YAML: quoted if it begins with `[` or `*`. */
const formatListName = (name: string): string => (/^[*[]/.test(name) ? `"${name}"` : name)
