import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander'
import { throwIssue } from '../base/issue.ts'
import { puppetVersion } from '../base/puppet-version.ts'
import {
  listSettingsWarnings,
  loadSettings,
  type RunMode,
  toCommandLineArguments,
} from '../machine/settings/settings.ts'
import { isWindows } from '../machine/windows/machine-path.ts'
import { installRubyRegexpEngine } from '../ruby/regexp-engine.ts'
import { extractSettings } from './command/arguments.ts'
import type { CliCommand, CommandInvocation, Io } from './command/command.ts'
import { printDiagnostic, printError, printMessage } from './command/messages.ts'
import { globalOptions, type Option } from './command/options.ts'
import { toUsageError, usageIssues } from './command/usage-errors.ts'
import { version } from './command/version.ts'
import { commands, listCommandGroups } from './commands.ts'
import { type ProgramName, translateCommandLine } from './names/program-name.ts'

/**
 * Runs a command line (without `node` and the script) under the name of the called program, and returns the exit status.
 * Never throws.
 */
export async function runCommandLine(
  given: readonly string[],
  io: Io,
  program: ProgramName = 'plumb',
): Promise<number> {
  const words = translateCommandLine(program, given)
  const [name = 'help', ...rest] = words
  try {
    if (isHelpOption(name)) return await printHelp(rest, io)
    if (isVersionOption(name)) return await printVersion(program, io)
    if (isWindows && !readOnlyCommands.has(name)) await protectFolders(name, io)
    if (await isDefinedByModule(name, rest))
      return await (await import('./module/module-commands.ts')).runModuleCommand(name, rest, io)
    const command = await loadCommand(name)
    if (isVersionRequest(rest, command)) return await printVersion(program, io)
    installRubyRegexpEngine()
    return await runCommand(command, rest, io)
  } catch (error) {
    printError(error, io, words.includes('--trace'))
    return 1
  }
}

/** Commands that neither run what settings name nor write to the folders of the agent. */
const readOnlyCommands: ReadonlySet<string> = new Set(['completion', 'doctor', 'format', 'lint', 'man', 'parser'])
/** Commands of the agent that write keys; only these warn on a Windows without access lists. */
const keyCommands: ReadonlySet<string> = new Set(['agent', 'device', 'service', 'ssl'])

/** Protects the folder of the agent on Windows, before settings are read from it. A run of the daemon relies on the daemon. */
async function protectFolders(command: string, io: Io): Promise<void> {
  const { hasDaemonMark } = await import('../node/agent/process/run-process.ts')
  if (hasDaemonMark()) return
  const { listProtectionWarnings, protectAgentFolders } = await import('../node/agent/process/protected-folders.ts')
  const { isKnown, ...protection } = await protectAgentFolders()
  for (const warning of listProtectionWarnings({ ...protection, isKnown: isKnown || !keyCommands.has(command) }))
    printMessage('Warning', warning, io)
}

/** True for a command that a module defines and this program does not. */
async function isDefinedByModule(name: string, words: readonly string[]): Promise<boolean> {
  if (commands.some((each) => each.name === name) || name.startsWith('-')) return false
  return (await import('./module/module-commands.ts')).isModuleCommand(name, words)
}

/** Loads a command by name. Throws UNKNOWN_COMMAND, INVALID_OPTION. */
async function loadCommand(name: string): Promise<CliCommand> {
  const entry = commands.find((each) => each.name === name)
  if (entry) return entry.load()
  if (name.startsWith('-'))
    throwIssue(usageIssues.INVALID_OPTION, { path: 'plumb', option: name, known: ['--help', '--version'] })
  return throwIssue(usageIssues.UNKNOWN_COMMAND, { name, known: commands.map((each) => each.name) })
}

async function runCommand(command: CliCommand, words: readonly string[], io: Io): Promise<number> {
  const long = words.map((word) => (command.letters?.[word] ? `--${command.letters[word]}` : word))
  const { words: own, settings } = extractSettings(long, listOptionNames(command))
  if (settings['configprint'] !== undefined) return printSettingValues(command.name, settings, io)
  let status = 0
  const buildCommander = (each: CliCommand, name: string, path = name): Commander => {
    const commander = new Commander(name)
    commander
      .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => {} })
      .configureHelp({ helpWidth: 122 })
      .exitOverride((error) => {
        throw error.code.startsWith('commander.help') ? error : toUsageError(error, commander, path)
      })
      .summary(each.summary)
      .description(each.description ?? each.summary)
      .allowExcessArguments(false)
      .showSuggestionAfterError(false)
    for (const option of [...(each.options ?? []), ...globalOptions]) commander.addOption(toCommanderOption(option))
    if (each.usage) commander.arguments(each.usage)
    for (const sub of each.commands ?? []) commander.addCommand(buildCommander(sub, sub.name, `${path} ${sub.name}`))
    const action = each.run
    if (action)
      commander.action(async () => {
        const color = io.color && settings.color !== 'false'
        for (const warning of listSettingsWarnings({ given: settings })) printDiagnostic(warning, { ...io, color })
        const invocation: CommandInvocation<readonly Option[]> = {
          args: commander.args,
          options: commander.optsWithGlobals(),
          settings,
          io: { ...io, color },
        }
        status = await action(invocation)
      })
    return commander
  }
  try {
    await buildCommander(command, `plumb ${command.name}`).parseAsync(moveActionFirst(command, own), { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode
  }
}

/** Run modes other than `user`, by command. Puppet: `run_mode` in application/NAME.rb. */
const runModes: Readonly<Record<string, RunMode>> = {
  device: 'agent',
  doc: 'server',
  lookup: 'server',
  server: 'server',
}

/** Prints the settings named by `--configprint`; the command does not run. Puppet: settings.rb. */
async function printSettingValues(command: string, given: CommandInvocation['settings'], io: Io): Promise<number> {
  const { printSettings } = await import('./config/config.ts')
  const settings = loadSettings({ given, runMode: runModes[command] ?? 'user' })
  return printSettings(settings, given['configprint']!.split(','), io)
}

/** Moves the action before the options: `-l list` becomes `list -l`. */
function moveActionFirst({ commands: actions = [] }: CliCommand, words: readonly string[]): string[] {
  const names = new Set(actions.map(({ name }) => name))
  const at = words[0]?.startsWith('-') ? words.findIndex((word) => names.has(word)) : -1
  return at === -1 ? [...words] : [words[at]!, ...words.slice(0, at), ...words.slice(at + 1)]
}

/** Converts an option for commander, with a check of its choices. */
function toCommanderOption({ flags, doc, default: standard, choices, repeated }: Option): CommanderOption {
  const option = new CommanderOption(flags, doc)
  if (standard !== undefined) option.default(standard)
  const checkChoice = (value: string) =>
    !choices || choices.includes(value) ? value : throwInvalidChoice(option, value, choices)
  if (repeated || (choices && option.variadic))
    option.argParser((value: string, before: readonly string[] = []) => [...before, checkChoice(value)])
  else if (choices) option.argParser(checkChoice)
  return option
}

function throwInvalidChoice({ long }: CommanderOption, value: string, choices: readonly string[]): never {
  const issue = long === '--render-as' ? usageIssues.UNKNOWN_RENDERING : usageIssues.INVALID_ARGUMENT
  return throwIssue(issue, { option: long ?? '', value, choices })
}

function listOptionNames(command: CliCommand): Set<string> {
  const names = (command.options ?? []).flatMap(({ flags }) =>
    Array.from(flags.matchAll(/--(?:no-)?([\w-]+)/g), (match) => match[1]!),
  )
  return new Set([...names, ...(command.commands ?? []).flatMap((each) => [...listOptionNames(each)])])
}

/** True for `--version` or `-V` at any position, unless it is an option of the command. */
function isVersionRequest(words: readonly string[], command: CliCommand): boolean {
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  const hasOwn = listOptionNames(command).has('version')
  // An option --version of the command has a value.
  return options.some((word, at) => isVersionOption(word) && !(hasOwn && at < words.length - 1))
}

async function printVersion(program: ProgramName, io: Io): Promise<number> {
  io.out(`${await getProgramVersion(program)}\n`)
  return 0
}

/** The version of the program that was called. */
async function getProgramVersion(program: ProgramName): Promise<string> {
  if (program === 'plumb') return version
  if (program === 'facter') return (await import('../node/facts/core/system.ts')).facterVersion
  return program === 'puppetserver' ? `puppetserver version: ${puppetVersion}` : puppetVersion
}

const isVersionOption = (word: string): boolean => word === '--version' || word === '-V'

const isHelpOption = (word: string): boolean => ['help', '--help', '-h'].includes(word)

/** Prints help on a command or an action; without a name, the list of all commands. */
async function printHelp(words: readonly string[], io: Io): Promise<number> {
  const { words: named, settings } = extractSettings(words, new Set())
  const [name, ...actions] = named.filter((word) => !isHelpOption(word))
  if (name === undefined) return printOverview(settings, io)
  const given = toCommandLineArguments(settings)
  if (await isDefinedByModule(name, given))
    return (await import('./module/module-commands.ts')).runModuleCommand(name, [...actions, ...given, '--help'], io)
  const command = await loadCommand(name)
  return runCommand(command, [...resolveActionPath(actions, command), '--help'], io)
}

/** The names of actions at the start of `actions`; the other words are arguments. Throws UNKNOWN_ACTION. */
function resolveActionPath(
  actions: readonly string[],
  { name, commands: all = [] }: CliCommand,
  path = `plumb ${name}`,
): string[] {
  const [action, ...rest] = actions
  if (action === undefined || all.length === 0) return []
  const known = all.map((each) => each.name)
  const found =
    all.find((each) => each.name === action) ?? throwIssue(usageIssues.UNKNOWN_ACTION, { path, action, known })
  return [action, ...resolveActionPath(rest, found, `${path} ${action}`)]
}

async function printOverview(settings: CommandInvocation['settings'], io: Io): Promise<number> {
  const { listModuleCommands } = await import('./module/module-commands.ts')
  const ofModules = await listModuleCommands(settings, io).catch((error: unknown) => {
    printError(error, io)
    return []
  })
  const widest = Math.max(0, ...ofModules.map((each) => each.name.length))
  const lines = ofModules.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}\n`).join('')
  const width = Math.max(...commands.map((each) => each.name.length))
  const table = listCommandGroups().map(({ title, members }) =>
    [`${title}:`, ...members.map((each) => `  ${each.name.padEnd(width)}  ${each.summary}`)].join('\n'),
  )
  io.out(`Usage: plumb <command> [options]

Plumbline serves Puppet code from Git: every catalog is compiled from one commit.

${table.join('\n\n')}
${lines === '' ? '' : `\nCommands of modules:\n${lines}`}
Every setting is an option of every command: --confdir DIR, --environment NAME, --no-report.
See 'plumb help <command>' for a command, and 'plumb demo' for a demonstration.
`)
  return 0
}
