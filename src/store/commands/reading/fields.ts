import { throwIssue } from '../../../base/issue.ts'
import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
} from '../../../base/json/exact-json.ts'
import { formatClojure } from '../../clojure-text.ts'
import type { WireTimestamp } from '../command.ts'
import { formatTimestamp, parseLooseTime, parseStrictTime } from '../wire-time.ts'
import { storeCommandIssues } from './issues.ts'
import { createPredicateShape, type Shape } from './shape.ts'

/** Accepts a time in any format that PuppetDB accepts: text, or milliseconds since 1970. */
export const looseTimeShape: Shape = createPredicateShape('datetime?', (value) => parseWireTime(value) !== undefined)

/** Accepts a time as in a report: text with date, time and offset. */
export const reportTimeShape: Shape = createPredicateShape(
  'matches-some-precondition?',
  (value) => typeof value === 'string' && parseStrictTime(value) !== undefined,
)

/** Reads a time from a field. Throws COMMAND_TIME. */
export function readTimeField(object: ExactObject, field: string): WireTimestamp {
  const value = getMember(object, field)
  return parseWireTime(value) ?? throwIssue(storeCommandIssues.COMMAND_TIME, { field, time: formatClojure(value) })
}

/** Parses a time from text or milliseconds; `undefined` if invalid. */
export function parseWireTime(value: ExactJson | undefined): WireTimestamp | undefined {
  if (typeof value === 'string') return parseLooseTime(value)
  return typeof value === 'number' && Number.isInteger(value) ? formatTimestamp(value) : undefined
}

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/

/** Reads a UUID from a field, in lower case with hyphens, or null. Throws COMMAND_UUID. */
export function readUuidField(object: ExactObject, field: string): string | null {
  const uuid = getMember(object, field) as string | null | undefined
  if (uuid === null || uuid === undefined) return null
  const lower = uuid.toLowerCase()
  if (!uuidPattern.test(lower)) throwIssue(storeCommandIssues.COMMAND_UUID, { uuid })
  return lower.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Reads a field that was already checked to be text or null; null if absent. */
export function readTextField(object: ExactObject, field: string): string | null {
  return (getMember(object, field) ?? null) as string | null
}

/** Reads a field that was already checked to be a boolean or null; null if absent. */
export function readBooleanField(object: ExactObject, field: string): boolean | null {
  return (getMember(object, field) ?? null) as boolean | null
}

/** Reads a field that was already checked to be a list or null; empty if null. */
export function readListField<Item extends ExactJson = ExactObject>(
  object: ExactObject,
  field: string,
): readonly Item[] {
  return (getMember(object, field) ?? []) as readonly Item[]
}

/** Returns the object with some members replaced or added. */
export function replaceMembers(object: ExactObject, members: Readonly<Record<string, ExactJson>>): ExactObject {
  const entries = new Map<string, ExactJson>()
  for (const [key, value] of getEntries(object)) if (value !== undefined) entries.set(key, value)
  for (const [key, value] of Object.entries(members)) entries.set(key, value)
  return createExactObject([...entries])
}

/** Returns the object with renamed keys. If two keys become equal, the last one wins. */
export function renameKeys(object: ExactObject, name: (key: string) => string): ExactObject {
  const entries = new Map<string, ExactJson>()
  for (const [key, value] of getEntries(object)) if (value !== undefined) entries.set(name(key), value)
  return createExactObject([...entries])
}

/** Replaces the hyphens in keys of old versions, such as `puppet-version`, with underscores. */
export function replaceHyphens(key: string): string {
  return key.replaceAll('-', '_')
}

/** Returns the object with defaults for missing members. */
export function addDefaults(object: ExactObject, members: Readonly<Record<string, ExactJson>>): ExactObject {
  const missing = Object.entries(members).filter(([key]) => getMember(object, key) === undefined)
  return missing.length > 0 ? replaceMembers(object, Object.fromEntries(missing)) : object
}
