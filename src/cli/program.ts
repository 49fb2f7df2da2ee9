import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander'
import { fail } from '../base/issue.ts'
import { puppetVersion } from '../base/puppet-version.ts'
import { loadSettings, type RunMode, settingsWarnings, settingWords } from '../machine/settings/settings.ts'
import { useRubyForRegexps } from '../ruby/regexp-engine.ts'
import { takeSettings } from './command/arguments.ts'
import type { Command, Invocation, Io } from './command/command.ts'
import { everywhere, type Option } from './command/options.ts'
import { sayDiagnostic, sayError } from './command/say.ts'
import { usageError, usageIssues } from './command/usage.ts'
import { version } from './command/version.ts'
import { commands, groupedCommands } from './commands.ts'
import { type Name, wordsOf } from './names/called-as.ts'

/**
 * Runs a command line (without `node` and the script) under the name of the called program, and returns the exit status.
 * Never throws.
 */
export async function run(given: readonly string[], io: Io, program: Name = 'plumb'): Promise<number> {
  const words = wordsOf(program, given)
  const [name = 'help', ...rest] = words
  try {
    if (isHelp(name)) return await help(rest, io)
    if (isVersion(name)) return await printVersion(program, io)
    if (await isOfModule(name, rest))
      return await (await import('./module/module-commands.ts')).runModuleCommand(name, rest, io)
    const command = await commandNamed(name)
    if (asksVersion(rest, command)) return await printVersion(program, io)
    useRubyForRegexps()
    return await runCommand(command, rest, io)
  } catch (error) {
    sayError(error, io, words.includes('--trace'))
    return 1
  }
}

/** True for a command that a module defines and this program does not. */
async function isOfModule(name: string, words: readonly string[]): Promise<boolean> {
  if (commands.some((each) => each.name === name) || name.startsWith('-')) return false
  return (await import('./module/module-commands.ts')).isModuleCommand(name, words)
}

/** Throws UNKNOWN_COMMAND, INVALID_OPTION. */
async function commandNamed(name: string): Promise<Command> {
  const entry = commands.find((each) => each.name === name)
  if (entry) return entry.load()
  if (name.startsWith('-'))
    fail(usageIssues.INVALID_OPTION, { path: 'plumb', option: name, known: ['--help', '--version'] })
  return fail(usageIssues.UNKNOWN_COMMAND, { name, known: commands.map((each) => each.name) })
}

async function runCommand(command: Command, words: readonly string[], io: Io): Promise<number> {
  const long = words.map((word) => (command.letters?.[word] ? `--${command.letters[word]}` : word))
  const { words: own, settings } = takeSettings(long, optionNames(command))
  if (settings['configprint'] !== undefined) return printValues(command.name, settings, io)
  let status = 0
  const build = (each: Command, name: string, path = name): Commander => {
    const commander = new Commander(name)
    commander
      .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => {} })
      .configureHelp({ helpWidth: 122 })
      .exitOverride((error) => {
        throw error.code.startsWith('commander.help') ? error : usageError(error, commander, path)
      })
      .summary(each.summary)
      .description(each.description ?? each.summary)
      .allowExcessArguments(false)
      .showSuggestionAfterError(false)
    for (const option of [...(each.options ?? []), ...everywhere]) commander.addOption(commanderOption(option))
    if (each.usage) commander.arguments(each.usage)
    for (const sub of each.commands ?? []) commander.addCommand(build(sub, sub.name, `${path} ${sub.name}`))
    const action = each.run
    if (action)
      commander.action(async () => {
        const color = io.color && settings.color !== 'false'
        for (const warning of settingsWarnings({ given: settings })) sayDiagnostic(warning, { ...io, color })
        const invocation: Invocation<readonly Option[]> = {
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
    await build(command, `plumb ${command.name}`).parseAsync(actionFirst(command, own), { from: 'user' })
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
async function printValues(command: string, given: Invocation['settings'], io: Io): Promise<number> {
  const { printSettings } = await import('./config/config.ts')
  const settings = loadSettings({ given, runMode: runModes[command] ?? 'user' })
  return printSettings(settings, given['configprint']!.split(','), io)
}

/** Moves the action before the options: `-l list` becomes `list -l`. */
function actionFirst({ commands: actions = [] }: Command, words: readonly string[]): string[] {
  const names = new Set(actions.map(({ name }) => name))
  const at = words[0]?.startsWith('-') ? words.findIndex((word) => names.has(word)) : -1
  return at === -1 ? [...words] : [words[at]!, ...words.slice(0, at), ...words.slice(at + 1)]
}

/** Converts an option for commander, with a check of its choices. */
function commanderOption({ flags, doc, default: standard, choices, repeated }: Option): CommanderOption {
  const option = new CommanderOption(flags, doc)
  if (standard !== undefined) option.default(standard)
  const chosen = (value: string) => (!choices || choices.includes(value) ? value : refuseChoice(option, value, choices))
  if (repeated || (choices && option.variadic))
    option.argParser((value: string, before: readonly string[] = []) => [...before, chosen(value)])
  else if (choices) option.argParser(chosen)
  return option
}

function refuseChoice({ long }: CommanderOption, value: string, choices: readonly string[]): never {
  const issue = long === '--render-as' ? usageIssues.UNKNOWN_RENDERING : usageIssues.INVALID_ARGUMENT
  return fail(issue, { option: long ?? '', value, choices })
}

function optionNames(command: Command): Set<string> {
  const names = (command.options ?? []).flatMap(({ flags }) =>
    Array.from(flags.matchAll(/--(?:no-)?([\w-]+)/g), (match) => match[1]!),
  )
  return new Set([...names, ...(command.commands ?? []).flatMap((each) => [...optionNames(each)])])
}

/** True for `--version` or `-V` at any position, unless it is an option of the command. */
function asksVersion(words: readonly string[], command: Command): boolean {
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  return options.some(isVersion) && !optionNames(command).has('version')
}

async function printVersion(program: Name, io: Io): Promise<number> {
  io.out(`${await versionOf(program)}\n`)
  return 0
}

/** The version of the program that was called. */
async function versionOf(program: Name): Promise<string> {
  if (program === 'plumb') return version
  if (program === 'facter') return (await import('../node/facts/core/system.ts')).facterVersion
  return program === 'puppetserver' ? `puppetserver version: ${puppetVersion}` : puppetVersion
}

const isVersion = (word: string): boolean => word === '--version' || word === '-V'

const isHelp = (word: string): boolean => ['help', '--help', '-h'].includes(word)

/** Prints help on a command or an action; without a name, the list of all commands. */
async function help(words: readonly string[], io: Io): Promise<number> {
  const { words: named, settings } = takeSettings(words, new Set())
  const [name, ...actions] = named.filter((word) => !isHelp(word))
  if (name === undefined) return overview(settings, io)
  const given = settingWords(settings)
  if (await isOfModule(name, given))
    return (await import('./module/module-commands.ts')).runModuleCommand(name, [...actions, ...given, '--help'], io)
  const command = await commandNamed(name)
  return runCommand(command, [...pathTo(actions, command), '--help'], io)
}

/** The names of actions at the start of `actions`; the other words are arguments. Throws UNKNOWN_ACTION. */
function pathTo(actions: readonly string[], { name, commands: all = [] }: Command, path = `plumb ${name}`): string[] {
  const [action, ...rest] = actions
  if (action === undefined || all.length === 0) return []
  const known = all.map((each) => each.name)
  const found = all.find((each) => each.name === action) ?? fail(usageIssues.UNKNOWN_ACTION, { path, action, known })
  return [action, ...pathTo(rest, found, `${path} ${action}`)]
}

async function overview(settings: Invocation['settings'], io: Io): Promise<number> {
  const { moduleCommands } = await import('./module/module-commands.ts')
  const ofModules = await moduleCommands(settings, io).catch((error: unknown) => {
    sayError(error, io)
    return []
  })
  const widest = Math.max(0, ...ofModules.map((each) => each.name.length))
  const lines = ofModules.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}\n`).join('')
  const width = Math.max(...commands.map((each) => each.name.length))
  const table = groupedCommands().map(({ title, members }) =>
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
