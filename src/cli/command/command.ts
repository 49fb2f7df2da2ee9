import type { SettingName } from '../../machine/settings/settings.ts'
import type { Option, OptionValues } from './options.ts'

/** One word of the command line: `plumb agent`, or with subcommands `plumb ca sign`. */
export interface CliCommand {
  readonly name: string
  /** One line for the table of commands. */
  readonly summary: string
  /** The text of `--help` above the options: purpose, output, exit codes, examples. */
  readonly description?: string
  /** Usage of the positional arguments, as in commander: `<name> [more...]`. */
  readonly usage?: string
  readonly options?: readonly Option[]
  readonly commands?: readonly CliCommand[]
  /** Settings that the command also accepts as a single letter, such as `-w` for `waitforcert`. */
  readonly letters?: Readonly<Record<string, SettingName>>
  /** Runs the command and returns the exit status. Errors caused by the user are thrown as `PuppetError`. */
  // biome-ignore lint/suspicious/noExplicitAny: `defineCommand` checks the options of each command
  run?(invocation: CommandInvocation<any>): Promise<number>
}

/** A command whose options are typed by their definitions. */
export function defineCommand<const Options extends readonly Option[] = readonly []>(
  command: Omit<CliCommand, 'options' | 'run'> & {
    readonly options?: Options
    run?(invocation: CommandInvocation<Options>): Promise<number>
  },
): CliCommand {
  return command
}

/** The input of a command. */
export interface CommandInvocation<Options extends readonly Option[] = readonly []> {
  readonly args: readonly string[]
  /** Values of the options, by commander's camelCase name. */
  readonly options: OptionValues<Options>
  /** Settings given as `--name value` or `--[no-]name`, as text for `loadSettings`. */
  readonly settings: Readonly<Record<string, string>>
  readonly io: Io
}

/** The terminal: standard input, output and error, with their properties. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream
  out(text: string): void
  err(text: string): void
  /** True for colored output: a terminal, no `NO_COLOR`, no `--color false`. */
  readonly color: boolean
  /** True if standard output is a terminal, which interprets control characters. */
  readonly terminal?: boolean
  /** True if standard error is a terminal. */
  readonly errTerminal?: boolean
  /** Width of the terminal in characters; undefined if standard output is not a terminal. */
  readonly columns?: number | undefined
}
