import { defineIssues, fail } from '../base/issue.ts'
import { withoutTrailingSlashes } from '../base/trailing.ts'

/** A kind of setting: the conversion of its text to its value. */
export interface Kind<Value> {
  /** For help and errors: `a duration such as 30m`. */
  readonly expects: string
  /** `undefined` when the text is not of this kind. */
  parse(text: string): Value | undefined
  print(value: Value): string
}

/** A setting: its kind, its default before `$name` is filled in, what it is for. */
export interface Definition<Value> {
  readonly kind: Kind<Value>
  /** Text, as it would stand in puppet.conf; `$other` means that setting's value. */
  readonly default: string
  /** The default in the run mode `server`, if it differs. */
  readonly ofServer?: string
  /** The default of a server with a store, where it is another. */
  readonly withStore?: string
  /** The default where code comes from sources, where it is another. */
  readonly withSources?: string
  /** True where a server that runs takes another value when it is told to reload. */
  readonly live?: boolean
  readonly doc: string
}

interface Given {
  readonly default?: string
  readonly ofServer?: string
  readonly withStore?: string
  readonly withSources?: string
  readonly live?: boolean
  readonly doc: string
}

const issues = defineIssues({
  INVALID_SETTING: {
    text: (a: { name: string; text: string; expects: string }) => `Invalid value '${a.text}' for parameter: ${a.name}`,
    hint: (a) => `${a.name} takes ${a.expects}.`,
  },
})

/** The value of a setting's text. Throws INVALID_SETTING. */
export function parseSetting<Value>(name: string, { kind }: Definition<Value>, text: string): Value {
  const value = kind.parse(text)
  if (value === undefined) fail(issues.INVALID_SETTING, { name, text, expects: kind.expects })
  return value
}

const define =
  <Value>(kind: Kind<Value>) =>
  ({ default: standard = '', ...given }: Given): Definition<Value> => ({ kind, default: standard, ...given })

/** Any text. */
export const text = define<string>({ expects: 'text', parse: (given) => given, print: (value) => value })

/** A file's path; `~` is not expanded. */
export const file = define<string>({ expects: 'the path of a file', parse: (given) => given, print: (value) => value })

/** A folder's path. */
export const directory = define<string>({
  expects: 'the path of a folder',
  parse: (given) => withoutTrailingSlashes(given),
  print: (value) => value,
})

/** Folders, separated by `:`. */
export const searchPath = define<readonly string[]>({
  expects: 'folders separated by :',
  parse: (given) => given.split(':').filter((each) => each !== ''),
  print: (value) => value.join(':'),
})

/** Words, separated by commas. */
export const words = define<readonly string[]>({
  expects: 'words separated by commas',
  parse: (given) =>
    given
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  print: (value) => value.join(','),
})

/** `true`, `false`, `yes` or `no`. */
export const boolean = define<boolean>({
  expects: 'true or false',
  parse: (given) => ({ true: true, yes: true, false: false, no: false })[given.toLowerCase()],
  print: String,
})

/** A whole number. */
export const integer = define<number>({
  expects: 'a whole number',
  parse: (given) => (/^-?\d+$/.test(given) ? Number(given) : undefined),
  print: String,
})

const secondsOf: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86400, y: 31536000 }

/** A length of time, in seconds. Puppet: settings/duration_setting.rb. */
export const duration = define<number>({
  expects: 'a length of time such as 30m, 12h or 5y',
  parse(given) {
    if (given === 'unlimited') return Number.POSITIVE_INFINITY
    const match = /^(\d+)(|y|d|h|m|s)$/.exec(given)
    return match ? Number(match[1]) * secondsOf[match[2]!]! : undefined
  },
  print: (value) => (value === Number.POSITIVE_INFINITY ? 'unlimited' : String(value)),
})

/** One of some words. */
export function oneOf<const Word extends string>(...known: readonly Word[]) {
  return define<Word>({
    expects: `one of ${known.join(', ')}`,
    parse: (given) => known.find((each) => each === given),
    print: (value) => value,
  })
}
