import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { trimTrailingSlashes } from '../../base/text/trailing-characters.ts'
import { isWindows, searchPathSeparator, toSettingPath } from '../windows/machine-path.ts'
import type { Compatibility } from './compatibility.ts'

/** A kind of setting, which converts a setting's text to its value. */
export interface SettingKind<Value> {
  /** Noun phrase for help and hints, such as `a duration such as 30m`. */
  readonly expects: string
  /** True if every text is a valid value, such as for a path or a host name. */
  readonly open?: true
  /** Valid words, for suggestions and completion. */
  readonly known?: readonly string[]
  /** True if the command line accepts both `--name` and `--no-name`. */
  readonly flag?: true
  /** Converts the text to a value; `undefined` if the text is invalid. */
  parse(text: string): Value | undefined
  print(value: Value): string
  /** Puppet's error message for a text that `parse` rejects. */
  complaint?(name: string, text: string): string
  /** True if Puppet validates the setting at startup, which changes the error message. */
  readonly initial?: true
}

/** A setting: its kind, its default and its documentation. */
export interface SettingDefinition<Value> {
  readonly kind: SettingKind<Value>
  /** Text as in puppet.conf; `$other` stands for the value of the setting `other`. */
  readonly default: string
  /** Other defaults for values of the setting `compatibility`. */
  readonly inVersion?: Readonly<Partial<Record<Compatibility, string>>>
  /** The default in the run mode `server`, if it differs from `default`. */
  readonly ofServer?: string
  /** The default if `store` is set and this default differs from `default`. */
  readonly withStore?: string
  /** The default if `code_sources` is set and this default differs from `default`. */
  readonly withSources?: string
  /** True if a running server applies a new value on reload (SIGHUP), without a restart. */
  readonly live?: boolean
  /** The reason why a setting of Puppet is accepted but has no effect. */
  readonly unused?: string
  readonly doc: string
}

type Given = Pick<SettingDefinition<unknown>, 'doc'> & Partial<Omit<SettingDefinition<unknown>, 'kind'>>

/** The definition of a setting whose value is free text; `takes` is a noun phrase for the value. */
interface OpenGiven extends Given {
  readonly takes: string
}

/** Errors about invalid values of settings. */
export const settingIssues = defineIssues({
  LOGDEST: {
    text: (a: { logdest: string; why: string }) => `Could not set logdest to ${a.logdest}.\n${a.why}`,
    hint: () => 'Set logdest to console, syslog, journald, eventlog or absolute paths of files, separated by commas.',
  },
  INVALID_SETTING: {
    text: (a: { message: string; hint: string }) => a.message,
    hint: (a) => a.hint,
  },
})

/** The text of a setting and its origin. */
interface SettingText {
  readonly name: string
  readonly text: string
  /** The source of the value: a file and section, or an option. */
  readonly origin?: string
}

/** Converts a setting's text to its value. Throws INVALID_SETTING. */
export function parseSetting<Value>({ name, text, origin }: SettingText, { kind }: SettingDefinition<Value>): Value {
  const value = kind.parse(text)
  if (value !== undefined) return value
  const complaint = kind.complaint?.(name, text) ?? `Invalid value '${text}' for parameter: ${name}`
  // Puppet: util/command_line.rb
  const message =
    kind.initial && origin !== undefined ? `Could not initialize global default settings: ${complaint}` : complaint
  const guess = formatSuggestion(text, kind.known ?? [])
  const place = origin?.startsWith('[') ? ` It is set in ${origin}.` : ''
  return throwIssue(settingIssues.INVALID_SETTING, {
    message,
    hint: `${guess ? `${guess} ` : ''}Set ${name} to ${kind.expects}.${place}`,
  })
}

/** Returns a function that defines settings of a kind. */
export const createSettingKind =
  <Value>(kind: SettingKind<Value>) =>
  ({ default: standard = '', ...given }: Given): SettingDefinition<Value> => ({ kind, default: standard, ...given })

/** Defines a setting whose value is any text; `takes` is a noun phrase for the value. */
export const defineText = ({ takes, ...given }: OpenGiven): SettingDefinition<string> =>
  createSettingKind<string>({ expects: takes, open: true, parse: (each) => each, print: (value) => value })(given)

/** The path of a file; `~` is not expanded. */
export const defineFile = createSettingKind<string>({
  expects: 'the path of a file',
  open: true,
  parse: (given) => toSettingPath(given),
  print: (value) => value,
})

/** The path of a directory, without trailing slashes. */
export const defineDirectory = createSettingKind<string>({
  expects: 'the path of a directory',
  open: true,
  parse: (given) => trimFolder(toSettingPath(given)),
  print: (value) => value,
})

/** The root of a drive keeps its slash: `C:` is the current folder of the drive. */
const trimFolder = (path: string) => trimTrailingSlashes(path).replace(/^[a-z]:$/i, '$&/')

/** Paths, separated by colons, on Windows by semicolons. */
export const defineSearchPath = createSettingKind<readonly string[]>({
  expects: `paths, separated by ${isWindows ? 'semicolons' : 'colons'}`,
  open: true,
  parse: (given) =>
    given
      .split(searchPathSeparator)
      .filter((each) => each !== '')
      .map((path) => toSettingPath(path)),
  print: (value) => value.join(searchPathSeparator),
})

/** Splits a text at its commas, trims the words, and drops empty words. */
const splitWords = (given: string): readonly string[] =>
  given
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/**
 * Defines a setting whose value is any words, separated by commas; `takes` is a noun phrase for the
 * value.
 */
export const defineWords = ({ takes, ...given }: OpenGiven): SettingDefinition<readonly string[]> =>
  createSettingKind<readonly string[]>({
    expects: `${takes}, separated by commas`,
    open: true,
    parse: splitWords,
    print: (value) => value.join(','),
  })(given)

/**
 * Creates a kind of setting whose value is words, separated by commas. `accepts` validates each
 * word.
 */
export function createCheckedWordsKind({
  expects,
  known,
  accepts,
  complaint,
}: Pick<SettingKind<readonly string[]>, 'expects' | 'known' | 'complaint'> & { accepts(word: string): boolean }) {
  return createSettingKind<readonly string[]>({
    expects,
    ...(known && { known }),
    parse(given) {
      const all = splitWords(given)
      return all.every(accepts) ? all : undefined
    },
    print: (value) => value.join(','),
    ...(complaint && { complaint }),
  })
}

/** Creates a kind of setting whose value is a text that `accepts` validates. */
export function createCheckedTextKind({
  accepts,
  ...kind
}: Pick<SettingKind<string>, 'expects' | 'known' | 'complaint' | 'initial'> & { accepts(given: string): boolean }) {
  return createSettingKind<string>({
    ...kind,
    parse: (given) => (accepts(given) ? given : undefined),
    print: (value) => value,
  })
}

/** `true` or `false`. Puppet: settings/boolean_setting.rb, settings/value_translator.rb. */
export const defineBoolean = createSettingKind<boolean>({
  expects: 'true or false',
  known: ['true', 'false'],
  flag: true,
  parse: (given) => ({ true: true, false: false })[given.toLowerCase()],
  print: String,
  complaint: (name, given) => `Invalid value '${inspectText(given)}' for boolean parameter: ${name}`,
})

/** Quotes a text like Ruby's `inspect`. */
const inspectText = (given: string): string => JSON.stringify(given)

// Puppet: settings/integer_setting.rb
const formatIntegerComplaint = (name: string, given: string): string =>
  `Cannot convert '${inspectText(given)}' to an integer for parameter: ${name}`

/** A whole number, 0 or greater. */
export const defineInteger = createSettingKind<number>({
  expects: 'a whole number, 0 or greater',
  parse: (given) => (/^\d{1,16}$/.test(given) && Number.isSafeInteger(Number(given)) ? Number(given) : undefined),
  print: String,
  complaint: (name, given) =>
    /^-\d+$/.test(given) ? `Invalid value '${given}' for parameter: ${name}` : formatIntegerComplaint(name, given),
})

/** A port. Puppet: settings/port_setting.rb. */
export const definePort = createSettingKind<number>({
  expects: 'a port, 0 to 65535',
  parse: (given) => (/^\d{1,15}$/.test(given) && Number(given) <= 65_535 ? Number(given) : undefined),
  print: String,
  complaint: (name, given) =>
    /^-?\d+$/.test(given)
      ? `Value '${given}' is not a valid port number for parameter: ${name}`
      : formatIntegerComplaint(name, given),
})

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86400, y: 31536000 }

/** Converts a duration such as `30m` or `90` to seconds; undefined if the text is no duration. */
export function parseSeconds(text: string): number | undefined {
  const match = /^(\d{1,15})(|y|d|h|m|s)$/.exec(text)
  return match ? Number(match[1]) * unitSeconds[match[2]!]! : undefined
}

/** A duration; the value is in seconds, infinite for `unlimited`. Puppet: settings/duration_setting.rb. */
export const defineDuration = createSettingKind<number>({
  expects: 'a duration such as 30m, 12h or 5y',
  parse: (given) => (given === 'unlimited' ? Number.POSITIVE_INFINITY : parseSeconds(given)),
  print: (value) => (value === Number.POSITIVE_INFINITY ? 'unlimited' : String(value)),
  complaint: (name, given) => `Invalid duration format '${inspectText(given)}' for parameter: ${name}`,
})

/** One of the given words. Puppet: settings/symbolic_enum_setting.rb, settings/enum_setting.rb. */
export function defineChoice<const Word extends string>(...known: readonly Word[]) {
  return createSettingKind<Word>({
    expects: `one of ${known.join(', ')}`,
    known,
    initial: true,
    parse: (given) => known.find((each) => each === given),
    print: (value) => value,
    complaint: (name, given) =>
      `Invalid value '${given}' for parameter ${name}. Allowed values are '${known.join("', '")}'`,
  })
}

/** One of the given names or the name of a plug-in; may be empty. */
export function definePluginName(...known: readonly string[]) {
  return createSettingKind<string>({
    expects: `one of ${known.join(', ')}, or a plug-in name`,
    known,
    parse: (given) => (/^\w*$/.test(given) ? given : undefined),
    print: (value) => value,
  })
}

/** Names from the given list and names of plug-ins, separated by commas. */
export function definePluginNames(...known: readonly string[]) {
  return createSettingKind<readonly string[]>({
    expects: `${known.join(', ')}, or plug-in names, separated by commas`,
    known,
    parse(given) {
      const all = splitWords(given)
      return all.every((each) => /^\w+$/.test(each)) ? all : undefined
    },
    print: (value) => value.join(','),
  })
}
