/** An option of one command. In addition, every command accepts every setting (`--certname`, `--ssldir`, …). */
export interface Option {
  /** Flags in commander's syntax: `-t, --test`, `--node <name>`, `--class <name...>`. */
  readonly flags: string
  readonly doc: string
  readonly default?: string
  /** The accepted values; undefined if any value is accepted. */
  readonly choices?: readonly string[]
  /** True if the option may be given several times, each with one value. */
  readonly repeated?: true
}

/** The name of an option without dashes and arguments: `render-as` of `--render-as <format>`. */
type Named<Flags> = Flags extends `${string}--no-${infer Rest}`
  ? FirstWord<Rest>
  : Flags extends `${string}--${infer Rest}`
    ? FirstWord<Rest>
    : never
type FirstWord<Text> = Text extends `${infer Word} ${string}` ? Word : Text
/** Commander's name of an option's value: `renderAs`. */
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name & string

/** The type of an option's value if the option is given. */
type Given<Each extends Option> = Each extends { readonly repeated: true } ? readonly string[] : GivenOnce<Each>
type GivenOnce<Each extends Option> = Each['flags'] extends `${string}...>`
  ? readonly string[]
  : Each['flags'] extends `${string}<${string}`
    ? Each extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string
    : Each['flags'] extends `${string}[${string}`
      ? string | true
      : boolean

/** Options of every command. */
export const globalOptions = [
  { flags: '-d, --debug', doc: 'Print debug messages.' },
  { flags: '-v, --verbose', doc: 'Print info messages.' },
] as const satisfies readonly Option[]

/** Values by commander's option names; `undefined` for an option that has no default and is not given. */
export type OptionValues<Options extends readonly Option[] = readonly []> = {
  readonly [Each in Options[number] as Camel<Named<Each['flags']>>]:
    | Given<Each>
    | (Each extends { readonly default: string } ? never : undefined)
} & { readonly debug?: boolean; readonly verbose?: boolean }

/** Values of options that not every command has. */
export type MayHave<Options extends readonly Option[]> = Partial<OptionValues<Options>>

/** Detailed exit status of commands that apply a catalog. */
export const runExitcodes = {
  flags: '--detailed-exitcodes',
  doc: 'Exit with 2 for changes, 4 for failures, 6 for both.',
} as const satisfies Option

/** Output format; `console` and `s` are Puppet's names for `text`. */
export const renderAs = {
  flags: '--render-as <format>',
  doc: 'Output format: json or text.',
  choices: ['json', 'text', 'console', 's'],
  default: 'text',
} as const satisfies Option
