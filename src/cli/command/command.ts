import type { SettingName } from '../../machine/settings/settings.ts'
import type { Option, OptionValues } from './options.ts'

/** One word of the command line: `plumb agent`, or with subcommands `plumb ca sign`. */
export interface Command {
  readonly name: string
  /** One line for the table of commands. */
  readonly summary: string
  /** The text of `--help` besides the options: when to use the command, what is printed, exit codes, examples. */
  readonly description?: string
  /** Usage of the positional arguments, as in commander: `<name> [more...]`. */
  readonly usage?: string
  readonly options?: readonly Option[]
  readonly commands?: readonly Command[]
  /** Settings that the command also takes by a letter: `-w` for `waitforcert`. */
  readonly letters?: Readonly<Record<string, SettingName>>
  /** The work of the command; answers the exit status. An error that a user caused is thrown as `PuppetError`. */
  // biome-ignore lint/suspicious/noExplicitAny: each command has options of its own, which `defineCommand` has checked
  run?(invocation: Invocation<any>): Promise<number>
}

/** A command whose options are typed by their definitions. */
export function defineCommand<const Options extends readonly Option[] = readonly []>(
  command: Omit<Command, 'options' | 'run'> & {
    readonly options?: Options
    run?(invocation: Invocation<Options>): Promise<number>
  },
): Command {
  return command
}

/** The input of a command. */
export interface Invocation<Options extends readonly Option[] = readonly []> {
  readonly args: readonly string[]
  /** By commander's camelCase name. */
  readonly options: OptionValues<Options>
  /** Settings given as `--name value` or `--[no-]name`, in text; hand them to `loadSettings`. */
  readonly settings: Readonly<Record<string, string>>
  readonly io: Io
}

/** The terminal. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream
  out(text: string): void
  err(text: string): void
  /** True for coloured output: a terminal, no `NO_COLOR`, no `--color false`. */
  readonly color: boolean
  /** True where what is printed goes to a terminal, which obeys control characters. */
  readonly terminal?: boolean
  /** True where errors and progress go to a terminal. */
  readonly errTerminal?: boolean
  /** The width of the terminal in characters, where what is printed goes to one. */
  readonly columns?: number | undefined
}
