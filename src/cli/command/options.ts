/** An option of one command. Every setting (`--certname`, `--ssldir`, …) is taken by every command besides. */
export interface Option {
  /** As in commander: `-t, --test`, `--node <name>`, `--class <name...>`. */
  readonly flags: string
  readonly doc: string
  readonly default?: string
  /** The only words that are taken; any other is refused. */
  readonly choices?: readonly string[]
  /** True of an option that may be given several times, each with one value. */
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

/** The type of an option's value, where the option is given. */
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

/** Options that every command has. */
export const everywhere = [
  { flags: '-d, --debug', doc: 'Log everything.' },
  { flags: '-v, --verbose', doc: 'Log more.' },
] as const satisfies readonly Option[]

/** The values of some options, by commander's names; `undefined` where an option without a default is not given. */
export type OptionValues<Options extends readonly Option[] = readonly []> = {
  readonly [Each in Options[number] as Camel<Named<Each['flags']>>]:
    | Given<Each>
    | (Each extends { readonly default: string } ? never : undefined)
} & { readonly debug?: boolean; readonly verbose?: boolean }

/** The values that a helper reads, of a command that may have these options. */
export type MayHave<Options extends readonly Option[]> = Partial<OptionValues<Options>>

/** The form of what is printed; Puppet calls the text for people `console` and `s`, too. */
export const renderAs = {
  flags: '--render-as <format>',
  doc: 'json, or text for people.',
  choices: ['json', 'text', 'console', 's'],
  default: 'text',
} as const satisfies Option
