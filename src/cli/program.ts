import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander'
import { type Diagnostic, inFrame, PuppetError } from '../base/issue.ts'
import { printableLines } from '../base/printable.ts'
import { didYouMean } from '../base/suggest.ts'
import { useRubyForRegexps } from '../ruby/regexp-engine.ts'
import { settingsWarnings } from '../settings/settings.ts'
import { takeSettings } from './arguments.ts'
import type { Command, Invocation, Io } from './command.ts'
import { commands } from './commands.ts'
import { version } from './version.ts'

/** Exit status of a command line that makes no sense. */
const USAGE = 2

/** Runs a command line, without `node` and the script; answers the exit status. Never throws. */
export async function run(words: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = words
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(rest, io)
  if (name === '--version' || name === '-V') {
    io.out(`${version}\n`)
    return 0
  }
  const entry = commands.find((each) => each.name === name)
  if (!entry) return unknownCommand(name, io)
  useRubyForRegexps()
  try {
    return await runCommand(await entry.load(), rest, io)
  } catch (error) {
    return sayError(error, words.includes('--trace'), io)
  }
}

/** Says what went wrong, with the place and a hint; a bug of ours shows where it arose under `--trace`. */
export function sayError(error: unknown, trace: boolean, io: Io): number {
  const red = (text: string) => (io.color ? `\u001b[1;31m${text}\u001b[0m` : text)
  if (error instanceof PuppetError) {
    const { hint, span } = error.diagnostic
    io.err(`${red(`Error: ${printableLines(error.message)}`)}\n`)
    if (span && io.color) io.err(`${inFrame(error.diagnostic).split('\n').slice(1, 4).join('\n')}\n`)
    if (hint) io.err(`  ${printableLines(hint)}\n`)
  } else {
    io.err(`${red(`Error: ${printableLines(error instanceof Error ? error.message : String(error))}`)}\n`)
  }
  if (trace && error instanceof Error && error.stack) io.err(`${error.stack}\n`)
  return 1
}

async function runCommand(command: Command, words: readonly string[], io: Io): Promise<number> {
  const { words: own, settings } = takeSettings(words, optionNames(command))
  let status = 0
  const build = (each: Command, name: string, path = name): Commander => {
    const commander = new Commander(name)
    commander.configureOutput({ writeOut: io.out, writeErr: io.err }).configureHelp({ helpWidth: 120 })
    commander
      .exitOverride()
      .summary(each.summary)
      .description(each.description ?? each.summary)
    commander.allowExcessArguments(false).showHelpAfterError(`See 'plumb help ${path.replace(/^plumb /, '')}'.`)
    for (const { flags, doc, default: standard } of [...(each.options ?? []), ...everywhere]) {
      const option = new CommanderOption(flags, doc)
      if (standard !== undefined) option.default(standard)
      commander.addOption(option)
    }
    if (each.usage) commander.arguments(each.usage)
    for (const sub of each.commands ?? []) commander.addCommand(build(sub, sub.name, `${path} ${sub.name}`))
    const action = each.run
    if (action)
      commander.action(async () => {
        const color = io.color && settings.color !== 'false'
        for (const warning of settingsWarnings({ given: settings })) sayWarning(warning, { ...io, color })
        const invocation: Invocation = {
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
    await build(command, `plumb ${command.name}`).parseAsync([...own], { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : USAGE
  }
}

function sayWarning({ message, hint }: Diagnostic, io: Io): void {
  const text = `Warning: ${printableLines(message)}`
  io.err(`${io.color ? `\u001b[1;33m${text}\u001b[0m` : text}\n`)
  if (hint) io.err(`  ${printableLines(hint)}\n`)
}

/** Options that every command has. Settings are taken by every command besides. */
const everywhere = [
  { flags: '-d, --debug', doc: 'Log everything.', default: undefined },
  { flags: '-v, --verbose', doc: 'Log more.', default: undefined },
] as const

function optionNames(command: Command): Set<string> {
  const names = (command.options ?? []).flatMap(({ flags }) =>
    Array.from(flags.matchAll(/--(?:no-)?([\w-]+)/g), (match) => match[1]!),
  )
  return new Set([...names, ...(command.commands ?? []).flatMap((each) => [...optionNames(each)])])
}

async function help([name, ...rest]: readonly string[], io: Io): Promise<number> {
  if (name !== undefined) return run([name, ...rest, '--help'], io)
  const width = Math.max(...commands.map((each) => each.name.length))
  const table = commands.map((each) => `  ${each.name.padEnd(width)}  ${each.summary}`)
  io.out(`Usage: plumb <command> [options]

Plumbline serves Puppet code from Git: every catalog is compiled from one commit.

Commands:
${table.join('\n')}

Any setting is an option of every command: --confdir DIR, --environment NAME, --no-report.
See 'plumb help <command>' for one of them, and 'plumb --version' for ours.
`)
  return 0
}

function unknownCommand(name: string, io: Io): number {
  io.err(`Error: Unknown Puppet subcommand '${name}'\n`)
  const hint = didYouMean(
    name,
    commands.map((each) => each.name),
  )
  io.err(hint ? `  ${hint}\n` : "  See 'plumb help'.\n")
  return 1
}
