import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDiagnostic, type Diagnostic, defineIssues, throwIssue } from '../../../base/issue.ts'
import { getStartLine, type SourceSpan } from '../../../base/source.ts'
import { getSystemErrorCode, isMissingFileError } from '../../../base/system-error.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { type JsonObject, parseHocon } from '../hocon/hocon.ts'
import { type HoconKey, listHoconKeys } from '../hocon/keys.ts'
import { type KeyMeaning, serverKeys } from './keys.ts'

/** A value in conf.d, converted to the text of the equivalent setting, with the position of its key. */
export interface ServerConfValue {
  readonly text: string
  readonly span: SourceSpan
  /** The key as Puppet Server writes it: `webserver.ssl-port`. */
  readonly key: string
}

/** The settings in the conf.d of a Puppet Server. */
export interface ServerConf {
  /** Values by name of the equivalent setting. */
  readonly values: ReadonlyMap<string, ServerConfValue>
  /** Warnings about keys without effect and unknown keys. */
  readonly remarks: readonly Diagnostic[]
  /** The ignored keys, each with its value and the reason. */
  readonly ignored: readonly IgnoredKey[]
}

/** A key of conf.d that has no effect here. */
export interface IgnoredKey {
  readonly key: string
  /** The value as written in the file; empty for an object or a list. */
  readonly value: string
  readonly reason: string
  readonly file: string
}

/** Errors and warnings about conf.d. */
export const serverConfIssues = defineIssues({
  SERVER_CONF_UNREADABLE: {
    text: (a: { file: string; reason: string }) => `Could not load ${a.file}: ${a.reason}`,
    hint: () => 'Run the command as a user who can read the directory in server_config.',
  },
  SERVER_CONF_TWICE: {
    text: (a: { key: string; first: string }) => `${a.key} is set twice: also in ${a.first}`,
    hint: () => 'Remove one of the two lines. Puppet Server does not start with both, either.',
  },
  SERVER_CONF_TYPE: {
    text: (a: { key: string }) => `${a.key} must be a string, a number or a boolean`,
  },
  SERVER_CONF_UNKNOWN: {
    text: (a: { key: string; known: readonly string[] }) => `Unknown setting ${a.key} of Puppet Server is ignored`,
    hint: (a) => formatSuggestion(a.key, a.known),
  },
  SERVER_CONF_WITHOUT: {
    text: (a: { key: string; reason: string }) => `${a.key} has no effect: ${a.reason}`,
  },
  SERVER_CONF_FORMAT: {
    text: (a: { file: string }) => `${a.file} is ignored: only .conf and .json files of Puppet Server are read`,
  },
})

/** Maximum size of a file in conf.d, in bytes. The auth.conf of a large site has about 100 KiB. */
const maxFileBytes = 4 * 1024 * 1024
const formats = /\.(?:conf|json)$/
const otherFormats = /\.(?:ini|ya?ml|edn|properties)$/

/**
 * Reads the conf.d of a Puppet Server; files are read in the order of their names. If the directory
 * is missing, there are no settings.
 */
export function readServerConf(folder: string, env: Readonly<Record<string, string | undefined>>): ServerConf {
  const values = new Map<string, ServerConfValue>()
  const remarks: Diagnostic[] = []
  const ignored: IgnoredKey[] = []
  const seen = new Map<string, string>()
  for (const name of listFileNames(folder)) {
    const file = join(folder, name)
    if (otherFormats.test(name))
      remarks.push(createDiagnostic(serverConfIssues.SERVER_CONF_FORMAT, { file }, undefined, 'warning'))
    if (!formats.test(name)) continue
    const source = { file, text: readText(file) }
    const content = parseHocon(source, { env })
    const keys = listHoconKeys(source)
    checkDuplicateKeys(keys, seen, file)
    // In HOCON, the last definition of a key overrides earlier ones.
    const last = new Map(keys.map((key) => [formatKeyName(key), key]))
    for (const key of last.values()) applyKey(key, content, { values, remarks, ignored })
    const rules = keys.find(({ path }) => path[0] === 'authorization')
    if (rules) values.set('auth_conf', { text: file, span: rules.span, key: 'authorization' })
  }
  return { values, remarks, ignored }
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (isMissingFileError(error)) return []
    if (getSystemErrorCode(error) !== undefined)
      throwIssue(serverConfIssues.SERVER_CONF_UNREADABLE, { file: folder, reason: formatError(error) })
    throw error
  }
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file)
    if (bytes.length > maxFileBytes)
      throwIssue(serverConfIssues.SERVER_CONF_UNREADABLE, { file, reason: `it is larger than ${maxFileBytes} bytes` })
    return bytes.toString('utf8')
  } catch (error) {
    if (getSystemErrorCode(error) !== undefined)
      throwIssue(serverConfIssues.SERVER_CONF_UNREADABLE, { file, reason: formatError(error) })
    throw error
  }
}

const formatKeyName = ({ path }: HoconKey): string => path.join('.')
const formatPlace = ({ span }: HoconKey): string => `${span.source.file}:${getStartLine(span)}`

/** Throws SERVER_CONF_TWICE if a file sets a key that another file has set. */
function checkDuplicateKeys(keys: readonly HoconKey[], seen: Map<string, string>, file: string): void {
  for (const key of keys) {
    if (key.text === undefined || key.path[0] === 'authorization') continue
    const first = seen.get(formatKeyName(key))
    if (first !== undefined && !first.startsWith(`${file}:`))
      throwIssue(serverConfIssues.SERVER_CONF_TWICE, { key: formatKeyName(key), first }, key.span)
    seen.set(formatKeyName(key), formatPlace(key))
  }
}

interface CollectedKeys {
  readonly values: Map<string, ServerConfValue>
  readonly remarks: Diagnostic[]
  readonly ignored: IgnoredKey[]
}

function applyKey(key: HoconKey, content: JsonObject, { values, remarks, ignored }: CollectedKeys): void {
  const ignore = (remark: Diagnostic, reason: string) => {
    remarks.push(remark)
    ignored.push({ key: formatKeyName(key), value: key.text ?? '', reason, file: key.span.source.file ?? '' })
  }
  const [section = '', name, ...deeper] = key.path
  if (section === 'authorization' || deeper.length > 0) return
  const meaning = findMeaning(section, name)
  if (meaning === 'section') return
  if (meaning === undefined) {
    // An unknown section gets one warning, not one for each of its keys.
    if (name !== undefined && !Object.hasOwn(serverKeys, section)) return
    const about = { key: formatKeyName(key), known: listKnownNames(key) }
    const suggestion = formatSuggestion(about.key, about.known)
    ignore(
      createDiagnostic(serverConfIssues.SERVER_CONF_UNKNOWN, about, key.span, 'warning'),
      `Puppet Server has no such setting${suggestion === undefined ? '' : `. ${suggestion}`}`,
    )
  } else if ('without' in meaning) {
    if (name === undefined || isKeySection(serverKeys[section]))
      ignore(
        createDiagnostic(
          serverConfIssues.SERVER_CONF_WITHOUT,
          { key: formatKeyName(key), reason: meaning.without },
          key.span,
          'warning',
        ),
        meaning.without,
      )
  } else {
    const text =
      toScalarText(getValueAt(content, key.path)) ??
      throwIssue(serverConfIssues.SERVER_CONF_TYPE, { key: formatKeyName(key) }, key.span)
    values.set(meaning.setting, { text: meaning.convert?.(text) ?? text, span: key.span, key: formatKeyName(key) })
  }
}

function findMeaning(section: string, name: string | undefined): KeyMeaning | 'section' | undefined {
  const known = Object.hasOwn(serverKeys, section) ? serverKeys[section] : undefined
  if (!isKeySection(known)) return known
  if (name === undefined) return 'section'
  return Object.hasOwn(known, name) ? known[name] : undefined
}

const isKeySection = (known: (typeof serverKeys)[string] | undefined): known is Readonly<Record<string, KeyMeaning>> =>
  known !== undefined && !('without' in known) && !('setting' in known)

/** Candidates for a suggestion: the known keys of the section, or the known sections. */
function listKnownNames({ path: [section = '', name] }: HoconKey): readonly string[] {
  const known = Object.hasOwn(serverKeys, section) ? serverKeys[section] : undefined
  if (name !== undefined && isKeySection(known)) return Object.keys(known).map((each) => `${section}.${each}`)
  return [...Object.keys(serverKeys), 'authorization']
}

function getValueAt(content: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    const members = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
    return Object.hasOwn(members, name) ? members[name] : undefined
  }, content)
}

const toScalarText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
