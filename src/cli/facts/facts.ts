import type { ExactJson } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { printableWithTabs } from '../../base/text/printable.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { type Collection, type CollectOptions, collect, standardDirectories } from '../../node/facts/collect.ts'
import { facterVersion } from '../../node/facts/core/system.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { cacheFolderOf } from '../../node/facts/fact-cache.ts'
import { type FacterConf, readFacterConf } from '../../node/facts/facter-conf.ts'
import { factAt } from '../../node/facts/legacy.ts'
import type { FactLog } from '../../node/facts/log.ts'
import { machineOf } from '../../node/facts/machine.ts'
import { puppetFacts, rubyOf, sanitizeFacts } from '../../node/facts/of-settings.ts'
import type { RubyOfFacts } from '../../node/facts/ruby-facts.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { sayOfFacts } from '../command/say.ts'
import { facterLog, levelOf } from './facts-log.ts'
import { conflictIn, type FactsOptions, factsOptions } from './facts-options.ts'
import { printFacts } from './facts-output.ts'

/** `plumb facts` */
export const facts = defineCommand({
  name: 'facts',
  summary: 'Print the facts of this machine.',
  description: `Prints the facts that the agent sends: core facts, custom facts of modules, external facts from facts.d directories,
and facts in environment variables (FACTER_ROLE=web). The output is that of 'facter'; 'plumb facts show' prints JSON, like
Puppet's command. Names may be dotted paths, such as os.release.major.

  plumb facts
  plumb facts os.family networking.ip
  plumb facts -j > facts.json
  plumb facts find                    # with the name of this node`,
  usage: '[names...]',
  options: factsOptions,
  async run(invocation) {
    const { args, options, settings: given, io: told } = invocation
    const io = onTerminal(told)
    const settings = loadSettings({ given, runMode: 'agent' })
    requireTrustedFolders(settings)
    if (args[0] === 'upload') {
      const { values } = await collected([], options, settings, sayOfFacts(io))
      return (await import('./upload.ts')).uploadFacts(sanitizeFacts(values), settings, invocation)
    }
    if (args[0] === 'find') return find(args[1] ?? settings.certname, options, settings, io)
    const isShown = args[0] === 'show' || options.renderAs !== undefined || options.valueOnly === true
    return isShown
      ? show(args[0] === 'show' ? args.slice(1) : args, options, settings, io)
      : query(args, options, settings, io)
  },
})

/** Escapes control characters in facts on a terminal; pipes receive the text unchanged. */
function onTerminal(io: Io): Io {
  const shown = (text: string) => text.split('\n').map(printableWithTabs).join('\n')
  return io.terminal === true ? { ...io, out: (text) => io.out(shown(text)) } : io
}

/** `puppet facts show` */
async function show(names: readonly string[], options: FactsOptions, settings: Settings, io: Io): Promise<number> {
  const { values } = await collected(names, options, settings, sayOfFacts(io))
  const chosen = sanitizeFacts(names.length === 0 ? values : chosenOf(values, names.toSorted()))
  if (options.valueOnly === true && names.length === 1) {
    const value = chosen[names[0]!]!
    io.out(`${typeof value === 'string' ? value : printJson(value, 2)}\n`)
  } else io.out(options.renderAs === 'yaml' ? await yamlOf(chosen) : `${printJson(chosen, 2)}\n`)
  return 0
}

/** Prints the facts of this machine under the name of the node, like `puppet facts find NODE`. */
async function find(name: string, options: FactsOptions, settings: Settings, io: Io): Promise<number> {
  const { values } = await collected([], options, settings, sayOfFacts(io))
  io.out(`${printJson({ name, values: sanitizeFacts(values) }, 2)}\n`)
  return 0
}

/** Imports the YAML writer on demand, because it loads the values of the language. */
async function yamlOf(values: FactValues): Promise<string> {
  const [{ rubyYaml }, { valueFromJson }] = await Promise.all([
    import('../command/ruby-render.ts'),
    import('../../language/values/value-from-json.ts'),
  ])
  return rubyYaml(valueFromJson(values))
}

/** `facter` */
async function query(names: readonly string[], options: FactsOptions, settings: Settings, io: Io): Promise<number> {
  const quiet = facterLog(io, 'warn')
  const conflict = conflictIn(options)
  if (conflict !== undefined) {
    quiet.log('error', conflict, 'Facter::OptionsValidator')
    return 1
  }
  const conf = await readFacterConf(directSystem.files, options.config, quiet.log)
  if (options.listBlockGroups === true || options.listCacheGroups === true) {
    io.out(await groupList(conf, options))
    return 0
  }
  const logger = facterLog(io, levelOf(options, conf))
  logger.log('info', `executed with command line: ${names.join(' ')}`)
  logger.log('debug', `Facter version: ${facterVersion}`)
  const timing = (name: string, seconds: number) => io.out(`fact '${name}', took: (${seconds.toFixed(6)}) seconds\n`)
  const collection = await collected(
    names,
    options,
    settings,
    logger.log,
    conf,
    options.timing === true ? timing : undefined,
  )
  for (const [name, value] of Object.entries(collection.values))
    logger.log('debug', `fact "${name}" has resolved to: ${printJson(value)}`, 'Facter::FactManager')
  const format =
    options.json === true ? 'json' : options.yaml === true ? 'yaml' : options.hocon === true ? 'hocon' : 'text'
  const asked = names.filter((name) => collection.statusOf(name) !== 'empty').sort()
  io.out(printFacts(names.length === 0 ? collection.values : chosenOf(collection.values, asked), asked, format))
  const missing = options.strict === true ? names.filter((name) => collection.statusOf(name) === 'unknown') : []
  for (const name of missing) logger.log('error', `fact "${name}" does not exist.`)
  return missing.length > 0 || logger.hasErrors() ? 1 : 0
}

async function collected(
  names: readonly string[],
  options: FactsOptions,
  settings: Settings,
  log: FactLog,
  given?: FacterConf,
  timing?: CollectOptions['timing'],
): Promise<Collection> {
  const conf = given ?? (await readFacterConf(directSystem.files, options.config, log))
  const isExternal = options.externalFacts && conf.externalFacts !== false
  const directories =
    options.externalDir ?? (conf.externalDirectories.length > 0 ? conf.externalDirectories : standardDirectories())
  return collect(machineOf(), {
    factDirectories: isExternal ? [settings.pluginfactdest] : [],
    externalDirectories: isExternal ? directories : [],
    legacy: (options.showLegacy ?? conf.showLegacy) === true || (given === undefined && settings.include_legacy_facts),
    log,
    conf: { ...conf, blocklist: [...(options.block ? conf.blocklist : []), ...(options.ruby ? [] : ['ruby'])] },
    ...(options.cache && { cacheFolder: cacheFolderOf(settings) }),
    ...(timing && { timing }),
    queries: names,
    added: puppetFacts,
    ruby:
      options.customFacts && options.ruby && conf.customFacts !== false ? rubyFor(options, settings, conf) : undefined,
  })
}

function rubyFor(options: FactsOptions, settings: Settings, conf: FacterConf): RubyOfFacts {
  return rubyOf(
    settings,
    { customDirectories: options.customDir ?? conf.customDirectories },
    {
      debug: levelOf(options, conf) === 'debug',
      trace: settings.trace || conf.cli.trace === true,
      // Imported on demand, because it loads all types and providers.
      providers: async (core) =>
        (await import('../../node/agent/facts/default-providers.ts')).defaultProviders(directSystem, core),
    },
  )
}

/** Facts by name; `undefined` for a fact that does not exist. */
function chosenOf(values: FactValues, names: readonly string[]): Record<string, ExactJson | undefined> {
  return Object.fromEntries(names.map((name) => [name, factAt(values, name)] as const))
}

/** The groups with their facts, and the files of external facts. */
async function groupList({ groups, externalDirectories }: FacterConf, { externalDir }: FactsOptions): Promise<string> {
  const files: string[] = []
  for (const folder of externalDir ?? (externalDirectories.length > 0 ? externalDirectories : standardDirectories()))
    files.push(...((await directSystem.files.list(folder)) ?? []))
  const rows = Object.entries(groups).flatMap(([name, names]) => [name, ...names.map((each) => `- ${listed(each)}`)])
  return `${[...rows, ...files].join('\n')}\n`
}

/** Formats a name as in YAML: quoted if it begins with `[` or `*`. */
const listed = (name: string): string => (/^[*[]/.test(name) ? `"${name}"` : name)
