import { isAbsolute } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { record } from '../../base/json/wire.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { duration } from '../../machine/settings/kinds.ts'
import type { KnownKeys } from './source-keys.ts'

/** Errors of a file of sources. */
export const sourcesFileIssues = defineIssues({
  SOURCES_FILE: {
    text: (a: { file: string; why: string }) => `The sources of code in ${a.file} cannot be read: ${a.why}`,
    hint: () =>
      'It is an r10k.yaml with more keys; docs/deploying.md shows one. Until it can be read, all stays as it was.',
  },
})

/** Notes on a file, made while it is read. */
export interface Notes {
  readonly file: string
  /** Keys without an effect, with their places. */
  readonly idle: string[]
  readonly warnings: string[]
}

/** A mapping of the file, with its place in words. */
export interface Mapping {
  readonly place: string
  readonly values: Readonly<Record<string, unknown>>
  readonly notes: Notes
}

/** Throws SOURCES_FILE. */
export function wrong({ file }: Notes, why: string): never {
  return fail(sourcesFileIssues.SOURCES_FILE, { file, why: printable(why) })
}

/** A mapping whose keys are known; of others there is a warning with the nearest name. Throws SOURCES_FILE. */
export function mapping(value: unknown, place: string, notes: Notes, keys?: KnownKeys): Mapping {
  if (value === undefined || value === null) return { place, values: {}, notes }
  if (!isExactObject(value as ExactJson)) wrong(notes, `${place} has to be a hash`)
  const values = record(value, place)
  for (const key of keys ? Object.keys(values) : []) {
    const { read, idle, refused = {} } = keys!
    if (Object.hasOwn(refused, key)) wrong(notes, `${key} of ${place} cannot be had here: ${refused[key]}`)
    if (idle.includes(key)) notes.idle.push(`${key} of ${place}`)
    else if (!read.includes(key)) {
      const near = didYouMean(key.slice(0, 64), [...read, ...idle])
      notes.warnings.push(
        printable(`Unknown key '${key.slice(0, 64)}' of ${place}${near === undefined ? '' : `. ${near}`}`),
      )
    }
  }
  return { place, values, notes }
}

/** The mapping below a key, or an empty one. Throws SOURCES_FILE. */
export function within(outer: Mapping, key: string, keys?: KnownKeys): Mapping {
  const place = outer.place === top ? key : `${outer.place}.${key}`
  return mapping(outer.values[key], place, outer.notes, keys)
}

/** The place of the outermost mapping. */
export const top = 'the file'

/** A text; `undefined` where the key is not there, or nothing stands behind it. Throws SOURCES_FILE. */
export function textAt({ values, place, notes }: Mapping, key: string): string | undefined {
  const value = values[key] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  return wrong(notes, `${key} of ${place} has to be a text`)
}

/** The path of a file. Throws SOURCES_FILE. */
export function pathAt(given: Mapping, key: string): string | undefined {
  const path = textAt(given, key)
  if (path === undefined || isAbsolute(path)) return path
  return wrong(given.notes, `${key} of ${given.place} has to be an absolute path`)
}

/** Texts of a list; one text stands for a list of it. Throws SOURCES_FILE. */
export function textsAt({ values, place, notes }: Mapping, key: string): readonly string[] | undefined {
  const value = values[key] ?? undefined
  if (value === undefined) return undefined
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.every((item) => typeof item === 'string')) return items as readonly string[]
  return wrong(notes, `${key} of ${place} has to be a list of texts`)
}

const { kind: durationKind } = duration({ doc: '' })

/** Milliseconds of a length of time: seconds, or `5m`. Throws SOURCES_FILE. */
export function durationAt({ values, place, notes }: Mapping, key: string): number | undefined {
  const value = values[key] ?? undefined
  if (value === undefined) return undefined
  const seconds = durationKind.parse(String(value))
  if (seconds !== undefined && seconds > 0 && Number.isFinite(seconds)) return seconds * 1000
  return wrong(notes, `${key} of ${place} has to be ${durationKind.expects}`)
}

/** A whole number above 0. Throws SOURCES_FILE. */
export function numberAt({ values, place, notes }: Mapping, key: string): number | undefined {
  const value = values[key] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return wrong(notes, `${key} of ${place} has to be a whole number`)
}
