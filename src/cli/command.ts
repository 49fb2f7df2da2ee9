/** One word of the command line: `plumb agent`, or with subcommands `plumb ca sign`. */
export interface Command {
  readonly name: string
  /** One line for the table of commands. */
  readonly summary: string
  /** What `--help` teaches besides the options: when to use it, what it prints, its exit codes, examples. */
  readonly description?: string
  /** Usage of the positional arguments, as in commander: `<name> [more...]`. */
  readonly usage?: string
  readonly options?: readonly Option[]
  readonly commands?: readonly Command[]
  /** Does it; answers the exit status. An error that a user caused is thrown as `PuppetError`. */
  run?(invocation: Invocation): Promise<number>
}

/** An option of one command. Every setting (`--certname`, `--ssldir`, …) is taken by every command besides. */
export interface Option {
  /** As in commander: `-t, --test`, `--node <name>`, `--class <name...>`. */
  readonly flags: string
  readonly doc: string
  readonly default?: string | boolean | readonly string[]
}

/** What a command is given. */
export interface Invocation {
  readonly args: readonly string[]
  /** By commander's camelCase name. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  /** Settings given as `--name value` or `--[no-]name`, in text; hand them to `loadSettings`. */
  readonly settings: Readonly<Record<string, string>>
  readonly io: Io
}

/** The terminal. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream
  out(text: string): void
  err(text: string): void
  /** Whether to colour: a terminal, no `NO_COLOR`, no `--color false`. */
  readonly color: boolean
}
