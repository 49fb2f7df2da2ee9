import { readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import {
  attachErrorSpan,
  createDiagnostic,
  type Diagnostic,
  defineIssues,
  isIssue,
  PuppetError,
  throwIssue,
} from '../../base/issue.ts'
import { getStartLine, type SourceSpan } from '../../base/source.ts'
import { getSystemErrorCode, isMissingFileError, isPermissionError } from '../../base/system-error.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { isPrivileged } from '../windows/privilege.ts'
import type { Compatibility } from './compatibility.ts'
import { settingDefinitions } from './definitions/index.ts'
import { parseSetting, type SettingDefinition, settingIssues } from './kinds.ts'
import { parsePuppetConf, type Sections } from './puppet-conf.ts'
import { readServerConf, type ServerConf } from './server-conf/read-server-conf.ts'
import { type EnvironmentVariables, getStandardFolders, type ProcessAccount } from './standard-folders.ts'

type Definitions = typeof settingDefinitions
/** The name of a setting. */
export type SettingName = keyof Definitions

/** The values of all settings, frozen: durations in seconds, flags as booleans, and `$name` in paths replaced. */
export type Settings = {
  readonly [Name in SettingName]: Definitions[Name] extends SettingDefinition<infer Value> ? Value : never
}

/** The run mode of a command; the section of puppet.conf with this name overrides `main`. */
export type RunMode = 'server' | 'agent' | 'user'

/**
 * Sources of settings. Precedence, highest first: `given`; conf.d in `server_config` (servers
 * only); the section of the run mode; `main`; the default.
 */
export interface SettingsSource {
  /** Values from the command line, as text. */
  readonly given?: Readonly<Record<string, string>>
  readonly runMode?: RunMode
  readonly env?: EnvironmentVariables
}

const issues = defineIssues({
  UNKNOWN_SETTING: {
    text: (a: { name: string }) => `Could not find setting '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, Object.keys(settingDefinitions)),
  },
  SETTING_CIRCLE: { text: (a: { name: string }) => `Setting '${a.name}' refers to itself` },
  IGNORED_SETTING: {
    // Puppet prints no warning; without a warning, a misspelled `server` would silently keep its
    // default.
    text: (a: { name: string; section: string; file: string }) =>
      `Unknown setting '${a.name}' in section [${a.section}] of ${a.file} is ignored`,
    hint: (a) => formatSuggestion(a.name, Object.keys(settingDefinitions)),
  },
  COMMENT_IN_VALUE: {
    text: (a: { name: string; section: string; file: string }) =>
      `The value of setting '${a.name}' in section [${a.section}] of ${a.file} contains '#', which does not start a comment there`,
    hint: () => 'Put the comment on a line of its own.',
  },
  CONFIG_UNREADABLE: {
    text: (a: { file: string; reason: string; denied: boolean }) => `Could not load ${a.file}: ${a.reason}`,
    hint: (a) =>
      a.denied ? 'Run the command as a user who can read the file, usually root, or set --confdir.' : undefined,
  },
})

/** True if a setting has this name. */
export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settingDefinitions, name)
}

/** Former names of settings that Puppet still accepts, with the current names. */
const renamed: Readonly<Record<string, SettingName>> = { masterport: 'serverport' }

/** Returns the current name of a setting, given its current or former name; `undefined` if the name is unknown. */
export function resolveSettingName(name: string): SettingName | undefined {
  if (isSetting(name)) return name
  return Object.hasOwn(renamed, name) ? renamed[name] : undefined
}

/** Converts settings to command-line arguments: `--name value`, and `--name` or `--no-name` for a flag. */
export function toCommandLineArguments(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!isSetting(name) || !settingDefinitions[name].kind.flag) return [`--${name}`, value]
    return [value === 'false' ? `--no-${name}` : `--${name}`]
  })
}

/** Path of the code in catalogs if the code is a commit, which is not on disk. The path is the same on all servers. */
const committedPath = '/etc/plumb/code/environments'

/**
 * Reads all settings. Throws UNKNOWN_SETTING, INVALID_SETTING, or an error with a position in a
 * configuration file.
 */
export function loadSettings(source: SettingsSource = {}): Settings {
  return readAllSettings(source, (error) => {
    throw error
  })
}

/** Reads all settings. Replaces invalid values with defaults, and returns the errors about those values. */
export function checkSettings(source: SettingsSource = {}): {
  readonly settings: Settings
  readonly errors: readonly Diagnostic[]
} {
  const errors: Diagnostic[] = []
  const settings = readAllSettings(source, ({ diagnostic }) => errors.push(diagnostic))
  return { settings, errors }
}

/**
 * Reads all settings. `onInvalid` receives the error about an invalid value; if it does not throw,
 * the default is used.
 */
function readAllSettings(source: SettingsSource, onInvalid: (error: PuppetError) => void): Settings {
  const { read, serverConf, origin } = readLayers(source)
  const values = Object.entries(settingDefinitions).map(([name, definition]) => {
    const own = definition as SettingDefinition<unknown>
    const parse = () => parseSetting({ name, text: interpolateSettings(name, read), origin: origin(name) }, own)
    const found = source.given?.[name] === undefined ? serverConf.values.get(name) : undefined
    try {
      return [name, found === undefined ? parse() : attachErrorSpan(found.span, parse)]
    } catch (error) {
      if (!isIssue(error, settingIssues.INVALID_SETTING)) throw error
      onInvalid(error)
      return [
        name,
        own.kind.parse(
          interpolateSettings(name, (other) => (other === name ? getDefaultValue(name, read) : read(other))),
        ),
      ]
    }
  })
  return Object.freeze(Object.fromEntries(values)) as Settings
}

/** Returns the origin of each value: `command line`, `FILE:LINE` in conf.d, `[SECTION] of FILE`, or `default`. */
export function getSettingOrigins(source: SettingsSource = {}): Readonly<Record<SettingName, string>> {
  const { origin } = readLayers(source)
  const names = Object.keys(settingDefinitions) as SettingName[]
  return Object.fromEntries(names.map((name) => [name, origin(name)])) as Record<SettingName, string>
}

/** The combined sources of values: `read` returns a setting's text, `origin` the source of that text. */
interface Layers {
  readonly serverConf: ServerConf
  read(name: string): string
  origin(name: string): string
}

function readLayers({ given = {}, runMode = 'user', env = process.env }: SettingsSource): Layers {
  for (const name of Object.keys(given)) if (!isSetting(name)) throwIssue(issues.UNKNOWN_SETTING, { name })
  const places = getDefaultFolders(env, runMode)
  let serverConf = noServerConf
  let file = ''
  let sections: Sections = new Map()
  const find = (name: string): readonly [text: string, origin: string] | undefined => {
    if (given[name] !== undefined) return [given[name], 'command line']
    const ofServer = serverConf.values.get(name)
    if (ofServer) return [ofServer.text, formatFilePosition(ofServer.span)]
    for (const section of [runMode, 'main']) {
      const text = sections.get(section)?.get(name)
      if (text !== undefined) return [text, `[${section}] of ${file}`]
    }
    return places[name] === undefined ? undefined : [places[name], 'default']
  }
  const read = (name: string): string => find(name)?.[0] ?? getDefaultValue(name, read, runMode)
  const readConf = () => {
    file = interpolateSettings('config', read)
    sections = readSections(file, given.config !== undefined)
  }
  readConf()
  const folder = runMode === 'server' ? interpolateSettings('server_config', read) : ''
  if (folder !== '') {
    const isOfConf = find('server_config')?.[1] !== 'default' && given.server_config === undefined
    serverConf = removeOwnConfdir(readServerConf(folder, env), isOfConf)
    readConf()
  }
  if (interpolateSettings('code_repo', read) !== '') places.environmentpath = committedPath
  return { serverConf, read, origin: (name) => find(name)?.[1] ?? 'default' }
}

const formatFilePosition = (span: SourceSpan): string => `${span.source.file}:${getStartLine(span)}`

const noServerConf: ServerConf = { values: new Map(), remarks: [], ignored: [] }

/**
 * Removes `confdir` from conf.d if puppet.conf sets `server_config`, because that confdir usually
 * contains another puppet.conf.
 */
function removeOwnConfdir(conf: ServerConf, isOfConf: boolean): ServerConf {
  if (!isOfConf) return conf
  return { ...conf, values: new Map([...conf.values].filter(([name]) => name !== 'confdir')) }
}

/**
 * Returns warnings about the keys in a Puppet Server's conf.d that are unknown or have no effect,
 * with their positions.
 */
export function listServerConfWarnings(source: SettingsSource = {}): readonly Diagnostic[] {
  return readLayers({ ...source, runMode: 'server' }).serverConf.remarks
}

/**
 * Returns warnings about unknown settings in puppet.conf and about comments after values; none if
 * the file is unreadable.
 */
export function listSettingsWarnings({ given = {}, env = process.env }: SettingsSource = {}): readonly Diagnostic[] {
  try {
    const file = getConfigFile({ given, env })
    return [...readSections(file, false)].flatMap(([section, settings]) =>
      [...settings].flatMap(([name, text]) => {
        const warn = (issue: typeof issues.IGNORED_SETTING) => [
          createDiagnostic(issue, { name, section, file }, undefined, 'warning'),
        ]
        if (!isSetting(name)) return warn(issues.IGNORED_SETTING)
        return /\s#/.test(text) ? warn(issues.COMMENT_IN_VALUE) : []
      }),
    )
  } catch (error) {
    if (error instanceof PuppetError) return []
    throw error
  }
}

/** Formats a setting's value as in puppet.conf. */
export function formatSetting(settings: Settings, name: SettingName): string {
  return (settingDefinitions[name] as SettingDefinition<unknown>).kind.print(settings[name])
}

/** The default of a setting. It may depend on the run mode, `compatibility`, `store` and `code_sources`. */
function getDefaultValue(name: string, read?: (name: string) => string, runMode?: RunMode): string {
  const definition = (settingDefinitions as Record<string, SettingDefinition<unknown>>)[name]!
  const { default: always, inVersion, ofServer, withStore, withSources } = definition
  const inThisVersion = inVersion && read && inVersion[read('compatibility') as Compatibility]
  const text = inThisVersion ?? (runMode === 'server' ? (ofServer ?? always) : always)
  if (withSources !== undefined && read && read('code_sources') !== '') return withSources
  return withStore === undefined || !read || ['', 'none'].includes(read('store')) ? text : withStore
}

/** Returns a setting's text with `$other` and `${other}` replaced. Throws SETTING_CIRCLE. */
function interpolateSettings(name: string, read: (name: string) => string, within: readonly string[] = []): string {
  if (within.includes(name)) throwIssue(issues.SETTING_CIRCLE, { name })
  return read(name).replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const other = resolveSettingName(braced ?? bare!)
    return other === undefined ? whole : interpolateSettings(other, read, [...within, name])
  })
}

/** The path of puppet.conf. The setting `config` inside puppet.conf does not change this path. */
export function getConfigFile({ given = {}, env = process.env }: SettingsSource): string {
  const places = getDefaultFolders(env, 'user')
  return interpolateSettings('config', (name) => given[name] ?? places[name] ?? getDefaultValue(name))
}

/** Reads puppet.conf, and replaces former names of settings with the current names. */
function readSections(file: string, wanted: boolean): Sections {
  try {
    const sections = parsePuppetConf({ file, text: readFileSync(file, 'utf8') })
    const renameFormerSetting = ([name, text]: [string, string]): [string, string] => [
      resolveSettingName(name) ?? name,
      text,
    ]
    return new Map(
      [...sections].map(([section, settings]) => [section, new Map([...settings].map(renameFormerSetting))]),
    )
  } catch (error) {
    if (isMissingFileError(error) && !wanted) return new Map()
    if (getSystemErrorCode(error) !== undefined)
      throwIssue(issues.CONFIG_UNREADABLE, { file, reason: formatError(error), denied: isPermissionError(error) })
    throw error
  }
}

/** Defaults that depend on the user and the host. */
function getDefaultFolders(env: EnvironmentVariables, runMode: RunMode): Record<string, string> {
  return {
    ...getStandardFolders(env, getProcessAccount(), runMode),
    certname: getFullyQualifiedName(),
    srv_domain: getFullyQualifiedName().replace(/^[^.]*\.?/, ''),
  }
}

/** The account of this process. In a container, the user may have no name. */
function getProcessAccount(): ProcessAccount {
  try {
    return { isRoot: isPrivileged(), name: userInfo().username }
  } catch {
    return { isRoot: isPrivileged(), name: undefined }
  }
}

/** The fully qualified host name in lower case; the domain comes from /etc/resolv.conf if the host name has none. */
function getFullyQualifiedName(): string {
  const host = hostname().toLowerCase()
  if (host.includes('.')) return host
  const domain = /^[ \t]*(?:domain|search)[ \t]+(\S+)/m.exec(readOrEmpty('/etc/resolv.conf'))?.[1]
  return domain === undefined ? host : `${host}.${domain.toLowerCase().replace(/\.$/, '')}`
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
