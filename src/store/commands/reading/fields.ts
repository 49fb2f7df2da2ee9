import { fail } from '../../../base/issue.ts'
import { type ExactJson, type ExactObject, entriesOf, exactObject, memberOf } from '../../../base/json/exact-json.ts'
import { clojureText } from '../../clojure-text.ts'
import type { Timestamp } from '../command.ts'
import { looseTime, strictTime, timestampOf } from '../wire-time.ts'
import { issues } from './issues.ts'
import { accepted, type Shape } from './shape.ts'

/** A time in any format that PuppetDB accepts: text, or milliseconds since 1970. */
export const looseTimeShape: Shape = accepted('datetime?', (value) => readTime(value) !== undefined)

/** A time in a report: text with date, time and offset. */
export const reportTimeShape: Shape = accepted(
  'matches-some-precondition?',
  (value) => typeof value === 'string' && strictTime(value) !== undefined,
)

/** Reads a time from a field. Throws COMMAND_TIME. */
export function timeIn(object: ExactObject, field: string): Timestamp {
  const value = memberOf(object, field)
  return readTime(value) ?? fail(issues.COMMAND_TIME, { field, time: clojureText(value) })
}

/** Parses a time from text or milliseconds; `undefined` if invalid. */
export function readTime(value: ExactJson | undefined): Timestamp | undefined {
  if (typeof value === 'string') return looseTime(value)
  return typeof value === 'number' && Number.isInteger(value) ? timestampOf(value) : undefined
}

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/

/** Reads a UUID from a field, in lower case with hyphens, or null. Throws COMMAND_UUID. */
export function uuidIn(object: ExactObject, field: string): string | null {
  const uuid = memberOf(object, field) as string | null | undefined
  if (uuid === null || uuid === undefined) return null
  const lower = uuid.toLowerCase()
  if (!uuidPattern.test(lower)) fail(issues.COMMAND_UUID, { uuid })
  return lower.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Reads a field that was already checked to be text or null; null if absent. */
export function textIn(object: ExactObject, field: string): string | null {
  return (memberOf(object, field) ?? null) as string | null
}

/** Reads a field that was already checked to be a boolean or null; null if absent. */
export function booleanIn(object: ExactObject, field: string): boolean | null {
  return (memberOf(object, field) ?? null) as boolean | null
}

/** Reads a field that was already checked to be a list or null; empty if null. */
export function listIn<Item extends ExactJson = ExactObject>(object: ExactObject, field: string): readonly Item[] {
  return (memberOf(object, field) ?? []) as readonly Item[]
}

/** Returns the object with some members replaced or added. */
export function withMembers(object: ExactObject, members: Readonly<Record<string, ExactJson>>): ExactObject {
  const entries = new Map<string, ExactJson>()
  for (const [key, value] of entriesOf(object)) if (value !== undefined) entries.set(key, value)
  for (const [key, value] of Object.entries(members)) entries.set(key, value)
  return exactObject([...entries])
}

/** Returns the object with renamed keys. If two keys become equal, the last one wins. */
export function renamed(object: ExactObject, name: (key: string) => string): ExactObject {
  const entries = new Map<string, ExactJson>()
  for (const [key, value] of entriesOf(object)) if (value !== undefined) entries.set(name(key), value)
  return exactObject([...entries])
}

/** Replaces the hyphens in keys of old versions, such as `puppet-version`, with underscores. */
export function underscored(key: string): string {
  return key.replaceAll('-', '_')
}

/** Returns the object with defaults for missing members. */
export function withDefaults(object: ExactObject, members: Readonly<Record<string, ExactJson>>): ExactObject {
  const missing = Object.entries(members).filter(([key]) => memberOf(object, key) === undefined)
  return missing.length > 0 ? withMembers(object, Object.fromEntries(missing)) : object
}
