import { isAbsolute } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { defineDuration } from '../../machine/settings/kinds.ts'
import type { KnownKeys } from './source-keys.ts'

/** Errors in a sources file. */
export const sourcesFileIssues = defineIssues({
  SOURCES_FILE: {
    text: (a: { file: string; why: string }) => `Could not read the code sources in ${a.file}: ${a.why}`,
    hint: () =>
      'See docs/deploying.md for the format. Until the file is correct, the sources and environments do not change.',
  },
})

/** Warnings collected while a sources file is read. */
export interface ReadingNotes {
  readonly file: string
  /** Keys without effect, with their locations. */
  readonly idle: string[]
  readonly warnings: string[]
}

/** A mapping in the file, with a description of its location. */
export interface Mapping {
  readonly place: string
  readonly values: Readonly<Record<string, unknown>>
  readonly notes: ReadingNotes
}

/** Throws SOURCES_FILE with a reason. */
export function failSourcesFile({ file }: ReadingNotes, why: string): never {
  return throwIssue(sourcesFileIssues.SOURCES_FILE, { file, why: toPrintable(why) })
}

/** Returns a mapping; warns about unknown keys, with the nearest known name. Throws SOURCES_FILE. */
export function toMapping(value: unknown, place: string, notes: ReadingNotes, keys?: KnownKeys): Mapping {
  if (value === undefined || value === null) return { place, values: {}, notes }
  if (!isExactObject(value as ExactJson)) failSourcesFile(notes, `${place} must be a hash`)
  const values = checkJsonObject(value, place)
  for (const key of keys ? Object.keys(values) : []) {
    const { read, idle, refused = {} } = keys!
    if (Object.hasOwn(refused, key)) failSourcesFile(notes, `${key} of ${place} is not supported: ${refused[key]}`)
    if (idle.includes(key)) notes.idle.push(`${key} of ${place}`)
    else if (!read.includes(key)) {
      const near = formatSuggestion(key.slice(0, 64), [...read, ...idle])
      notes.warnings.push(
        toPrintable(`Unknown key '${key.slice(0, 64)}' of ${place}${near === undefined ? '' : `. ${near}`}`),
      )
    }
  }
  return { place, values, notes }
}

/** Returns the mapping below a key; empty if it is missing. Throws SOURCES_FILE. */
export function getMapping(outer: Mapping, key: string, keys?: KnownKeys): Mapping {
  const place = outer.place === top ? key : `${outer.place}.${key}`
  return toMapping(outer.values[key], place, outer.notes, keys)
}

/** Description of the top level, for messages. */
export const top = 'the file'

/** Returns a text; `undefined` if the key is missing or empty. Throws SOURCES_FILE. */
export function getText({ values, place, notes }: Mapping, key: string): string | undefined {
  const value = values[key] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  return failSourcesFile(notes, `${key} of ${place} must be a string`)
}

/** Returns an absolute file path. Throws SOURCES_FILE. */
export function getPath(given: Mapping, key: string): string | undefined {
  const path = getText(given, key)
  if (path === undefined || isAbsolute(path)) return path
  return failSourcesFile(given.notes, `${key} of ${given.place} must be an absolute path`)
}

/** Returns a list of texts; a single text counts as a list of one. Throws SOURCES_FILE. */
export function getTexts({ values, place, notes }: Mapping, key: string): readonly string[] | undefined {
  const value = values[key] ?? undefined
  if (value === undefined) return undefined
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.every((item) => typeof item === 'string')) return items as readonly string[]
  return failSourcesFile(notes, `${key} of ${place} must be an array of strings`)
}

const { kind: durationKind } = defineDuration({ doc: '' })

/** Returns a duration in milliseconds, from seconds or a text such as `5m`. Throws SOURCES_FILE. */
export function getDuration({ values, place, notes }: Mapping, key: string): number | undefined {
  const value = values[key] ?? undefined
  if (value === undefined) return undefined
  const seconds = durationKind.parse(String(value))
  if (seconds !== undefined && seconds > 0 && Number.isFinite(seconds)) return seconds * 1000
  return failSourcesFile(notes, `${key} of ${place} must be ${durationKind.expects}`)
}

/** Returns a boolean. Throws SOURCES_FILE. */
export function getBoolean({ values, place, notes }: Mapping, key: string): boolean | undefined {
  const value = values[key] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  return failSourcesFile(notes, `${key} of ${place} must be true or false`)
}

/** Returns a positive integer. Throws SOURCES_FILE. */
export function getPositiveInteger({ values, place, notes }: Mapping, key: string): number | undefined {
  const value = values[key] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return failSourcesFile(notes, `${key} of ${place} must be a positive integer`)
}
