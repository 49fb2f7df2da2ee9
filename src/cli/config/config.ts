import { existsSync, readFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { readEnvironmentConf } from '../../code/environments/environment-conf.ts'
import { settingDefinitions } from '../../machine/settings/definitions/index.ts'
import { parseSetting, type SettingDefinition } from '../../machine/settings/kinds.ts'
import { deleteConfValue, setConfValue } from '../../machine/settings/puppet-conf-editor.ts'
import {
  checkSettings,
  formatSetting,
  getConfigFile,
  getSettingOrigins,
  listServerConfWarnings,
  loadSettings,
  type RunMode,
  resolveSettingName,
  type SettingName,
  type Settings,
} from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { formatOwnRules } from '../../server/auth/default-rules.ts'
import { extensibleSettings, findUnknownNames } from '../../server/termini/plug-ins/unknown-plug-ins.ts'
import { type CliCommand, defineCommand, type Io } from '../command/command.ts'
import { printDiagnostic, printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { findEnvironmentFolder } from '../input/code-source.ts'

const issues = defineIssues({
  SETTING_UNKNOWN: {
    text: (a: { name: string }) => `Could not find setting '${a.name}'`,
    hint: (a) => [formatSuggestion(a.name, Object.keys(settingDefinitions)), forceHint].filter(Boolean).join(' '),
  },
  NAME_UNKNOWN: {
    text: (a: { message: string; hint: string | undefined }) => a.message,
    hint: (a) => [a.hint, forceHint].filter(Boolean).join(' '),
  },
  AUTH_DEFAULTS: {
    text: () => 'Nothing to print',
    hint: () =>
      "'plumb config auth --defaults' prints the default rules; 'plumb server auth list' all rules of a server.",
  },
  SETTING_LINES: { text: () => 'The name, section and value of a setting must not contain line breaks' },
})

const forceHint = 'Use --force to write it anyway.'

const sectionOption = {
  flags: '--section <name>',
  doc: 'Section: main, server, agent or user.',
  default: 'main',
} as const

/** The command `plumb config`. */
export const config: CliCommand = {
  name: 'config',
  summary: 'Print and change settings.',
  description: `Reads and writes puppet.conf in confdir; keeps comments, order and whitespace.

  plumb config print certname
  plumb config set server code.example.com --section agent
  plumb config delete server --section agent`,
  commands: [
    defineCommand({
      name: 'print',
      summary: 'Print the values of settings.',
      description: `Prints the bare value of a single setting, or 'name = value' for several or all settings.

  plumb config print certname
  plumb config print --section agent server runinterval
  plumb config print --section server --origin serverport bindaddress

With --origin, prints the source of each value. In order of precedence: the command line; for the section server, the
conf.d file named by server_config; the section of puppet.conf; its section main; the default, which environment
variables can change.`,
      usage: '[names...]',
      options: [sectionOption, renderAs, { flags: '--origin', doc: 'Print the source of each value.' }],
      async run({ args, options, settings: given, io }) {
        const source = { given, runMode: getRunMode(options.section, io) }
        const settings = applyEnvironmentConf(loadSettings(source))
        if (source.runMode === 'server') for (const each of listServerConfWarnings(source)) printDiagnostic(each, io)
        const asJson = options.renderAs === 'json'
        if (options.origin) return printSettingOrigins(settings, getSettingOrigins(source), args, io, asJson)
        return printSettings(settings, args, io, asJson)
      },
    }),
    defineCommand({
      name: 'set',
      summary: 'Set a value in puppet.conf.',
      description: `Checks the value and writes it to puppet.conf. With --config FILE, writes to FILE, and creates it if it is missing.

  plumb config set server code.example.com --section agent
  plumb config set certname web1.example.com --config ./web1.conf`,
      usage: '<name> <value>',
      options: [
        sectionOption,
        { flags: '--force', doc: 'Accept an unknown setting, or an unknown name of a terminus or report processor.' },
      ],
      async run({ args: [name = '', value = ''], options: { section, force }, settings: given, io }) {
        checkNoLineBreaks(name, section, value)
        if (name === 'environment' && section === 'main') printMessage('Warning', environmentInMain, io)
        const setting = resolveSettingName(name)
        if (setting) await checkSettingValue({ setting, value, isForced: force === true }, given, io)
        else if (!force) throwIssue(issues.SETTING_UNKNOWN, { name })
        await rewritePuppetConf(given, async (text) =>
          setConfValue(removeFromMaster(text ?? '', section, name, io), toCurrentSection(section), name, value),
        )
        return 0
      },
    }),
    defineCommand({
      name: 'delete',
      summary: 'Remove a setting from puppet.conf.',
      usage: '<name>',
      options: [sectionOption],
      async run({ args: [name = ''], options: { section }, settings: given, io }) {
        await rewritePuppetConf(given, async (text, path) => {
          if (text === undefined) printMessage('Warning', `The puppet.conf file does not exist ${path}`, io)
          return text === undefined ? undefined : deleteSetting(text, section, name, io)
        })
        return 0
      },
    }),
    defineCommand({
      name: 'auth',
      summary: 'Print the default auth.conf rules of endpoints that Puppet Server does not have.',
      description: `Prints the rules that extend auth.conf unless auth_default_rules is false. Rules in auth.conf with a sort-order below
999 override the printed rules. To change a rule, copy the rule to auth.conf under the same name.

  plumb config auth --defaults`,
      options: [{ flags: '--defaults', doc: 'Print the default rules.' }],
      async run({ options: { defaults }, io }) {
        if (!defaults) throwIssue(issues.AUTH_DEFAULTS, {})
        io.out(formatOwnRules())
        return 0
      },
    }),
    {
      name: 'explain',
      summary: 'Print the documentation and defaults of settings.',
      usage: '[names...]',
      async run({ args, io }) {
        const names = args.length === 0 ? Object.keys(settingDefinitions) : args
        for (const name of names) {
          const setting = resolveSettingName(name)
          if (!setting) {
            printUnknownSetting(name, io)
            return 1
          }
          const definition = settingDefinitions[setting]
          io.out(
            `${name}: ${definition.doc}\n  type: ${definition.kind.expects}; default: ${definition.ofServer ?? (definition.default || 'none')}\n`,
          )
        }
        return 0
      },
    },
  ],
}

/** Warns about a setting without effect. Throws INVALID_SETTING, and NAME_UNKNOWN unless forced. */
async function checkSettingValue(
  { setting, value, isForced }: { readonly setting: SettingName; readonly value: string; readonly isForced: boolean },
  given: Readonly<Record<string, string>>,
  io: Io,
): Promise<void> {
  const definition = settingDefinitions[setting] as SettingDefinition<unknown>
  if (definition.unused) printMessage('Warning', `Setting '${setting}' has no effect`, io, definition.unused)
  // A reference to another setting is resolved when the value is used.
  if (value.includes('$')) return
  const parsed = parseSetting({ name: setting, text: value }, definition)
  if (isForced || !extensibleSettings.includes(setting)) return
  const { config: _, ...withoutFile } = given
  const source = existsSync(getConfigFile({ given })) ? given : withoutFile
  const { server_plugins } = checkSettings({ given: source, runMode: 'server' }).settings
  const [unknown] = await findUnknownNames({ [setting]: parsed }, server_plugins, localFiles)
  if (unknown) throwIssue(issues.NAME_UNKNOWN, { message: unknown.message, hint: unknown.hint })
}

/** Rejects text that contains line breaks, since a setting is one line in puppet.conf. Throws SETTING_LINES. */
function checkNoLineBreaks(...words: readonly string[]): void {
  if (words.some((word) => /[\r\n]/.test(word))) throwIssue(issues.SETTING_LINES, {})
}

// Message of Puppet: face/config.rb
const environmentInMain = `The environment should be set in either the \`[user]\`, \`[agent]\`, or \`[server]\`
section. Variables set in the \`[agent]\` section are used when running
\`puppet agent\`. Variables set in the \`[user]\` section are used when running
various other puppet subcommands, like \`puppet apply\` and \`puppet module\`; these
require the defined environment directory to exist locally. Set the config
section by using the \`--section\` flag. For example,
\`puppet config --section user set environment foo\`. For more information, see
https://puppet.com/docs/puppet/latest/configuration.html#environment`

/** The current name of a section: `master` is an old name of `server`. */
const toCurrentSection = (section: string): string => (section === 'master' ? 'server' : section)

/**
 * Rewrites puppet.conf; if it is a symbolic link, rewrites its target. Writes nothing if `change` returns `undefined`.
 */
async function rewritePuppetConf(
  given: Readonly<Record<string, string>>,
  change: (text: string | undefined, path: string) => Promise<string | undefined>,
): Promise<void> {
  const config = getConfigFile({ given })
  const path = await realpath(config).catch(() => config)
  const text = await change(await localFiles.readText(path), path)
  if (text === undefined) return
  await localFiles.makeDirectory(dirname(path), 0o755)
  await localFiles.write(path, text)
}

/** Removes a setting from the section master, before the same setting is added to the section server. */
function removeFromMaster(text: string, section: string, name: string, io: Io): string {
  const old = section === 'master' ? deleteConfValue(text, 'master', name) : undefined
  if (old) io.out(`Deleted setting from 'master': '${old.line}', and adding it to 'server' section\n`)
  return old?.text ?? text
}

function deleteSetting(text: string, section: string, name: string, io: Io): string | undefined {
  const isServer = toCurrentSection(section) === 'server'
  let left = text
  for (const each of isServer ? ['master', 'server'] : [section]) {
    const found = deleteConfValue(left, each, name)
    left = found?.text ?? left
    const shown = isServer ? found?.line.split('=', 1)[0] : found?.line
    if (found) io.out(`Deleted setting from '${each}': '${shown}'\n`)
    else if (!isServer) {
      const where = `section '${toPrintable(section)}' setting name '${toPrintable(name)}'`
      printMessage('Warning', `No setting found in configuration file for ${where}`, io)
    }
  }
  return left === text ? undefined : left
}

/** Settings completed by the environment.conf of the environment's directory. */
function applyEnvironmentConf(settings: Settings): Settings {
  const { environment, modulepath, manifest, config_version } = settings
  const folder = settings.code_repo === '' ? findEnvironmentFolder(environment, settings) : undefined
  if (folder === undefined) return settings
  const file = join(folder, 'environment.conf')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const { settings: own } = readEnvironmentConf({ file, text }, environment, settings)
  return {
    ...settings,
    modulepath: modulepath.length > 0 ? modulepath : own.modulepath.map((each) => resolve(folder, each)),
    manifest: manifest || resolve(folder, own.manifest),
    config_version: config_version || (own.configVersion ?? ''),
  }
}

const sections = ['main', 'server', 'agent', 'user'] as const

/** The run mode that reads a section. Warns about an unknown section, which has no settings. */
function getRunMode(section: string, io: Io): RunMode {
  const known = sections.find((each) => each === section || (each === 'server' && section === 'master'))
  const hint = formatSuggestion(section, sections) ?? `Valid sections: ${sections.join(', ')}.`
  if (!known)
    printMessage('Warning', `Unknown section '${toPrintable(section)}'; printing the values of main`, io, hint)
  return known === undefined || known === 'main' ? 'user' : known
}

function printUnknownSetting(name: string, io: Io): void {
  const hint = formatSuggestion(name, Object.keys(settingDefinitions))
  printMessage('Error', `Could not find setting '${toPrintable(name)}'`, io, hint)
}

/** Splits names into settings and unknown names; without names, returns all settings. */
function splitKnownNames(given: readonly string[]): {
  readonly known: readonly string[]
  readonly unknown: readonly string[]
} {
  const names = given.length === 0 || given[0] === 'all' ? Object.keys(settingDefinitions).sort() : given
  const isKnownSetting = (name: string) => resolveSettingName(name) !== undefined
  return { known: names.filter(isKnownSetting), unknown: names.filter((name) => !isKnownSetting(name)) }
}

/** Prints the bare value of a single setting, or `name = value` for several or all; returns the exit status. */
export function printSettings(settings: Settings, given: readonly string[], io: Io, asJson = false): number {
  const { known, unknown } = splitKnownNames(given)
  const values = known.map((name) => [name, formatSetting(settings, resolveSettingName(name)!)] as const)
  if (asJson) io.out(`${JSON.stringify(Object.fromEntries(values), null, 2)}\n`)
  else if (known.length + unknown.length === 1) io.out(values.map(([, value]) => `${value}\n`).join(''))
  else io.out(formatSettingLines(values))
  for (const name of unknown) printUnknownSetting(name, io)
  return unknown.length > 0 ? 1 : 0
}

/** Prints settings with the source of each value; returns the exit status. */
function printSettingOrigins(
  settings: Settings,
  origins: Readonly<Record<SettingName, string>>,
  given: readonly string[],
  io: Io,
  asJson: boolean,
): number {
  const { known, unknown } = splitKnownNames(given)
  const values = known.map((name) => {
    const setting = resolveSettingName(name)!
    return [name, { value: formatSetting(settings, setting), origin: origins[setting] }] as const
  })
  if (asJson) io.out(`${JSON.stringify(Object.fromEntries(values), null, 2)}\n`)
  else
    io.out(formatSettingLines(values.map(([name, { value, origin }]) => [name, `${value}  (${toPrintable(origin)})`])))
  for (const name of unknown) printUnknownSetting(name, io)
  return unknown.length > 0 ? 1 : 0
}

const formatSettingLines = (values: readonly (readonly [string, string])[]): string =>
  [...values]
    .sort()
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')

/** Prints all settings in the format of puppet.conf, with their documentation. */
export function printConfiguration(settings: Settings, section: string, io: Io): number {
  const parts = (Object.keys(settingDefinitions).sort() as SettingName[]).map((name) => {
    const { doc, default: standard } = settingDefinitions[name]
    return `    # ${doc}\n    # The default value is '${standard}'.\n    # ${name} = ${formatSetting(settings, name)}\n`
  })
  io.out(`[${section}]\n${parts.join('\n')}`)
  return 0
}
