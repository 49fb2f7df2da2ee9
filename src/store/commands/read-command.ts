import { budgets } from '../../base/budgets/budgets.ts'
import { fail, isIssue } from '../../base/issue.ts'
import { isTooMuch, type JsonBounds, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, isExactObject } from '../../base/json/exact-json.ts'
import { wireIssues } from '../../base/json/wire.ts'
import { className } from '../clojure-text.ts'
import type { CommandName, StoreCommand, Timestamp } from './command.ts'
import { lastCatalogVersion, readCatalog } from './reading/catalog.ts'
import { readStrictCatalog, readTolerantCatalog } from './reading/catalog-v1.ts'
import { readFacts } from './reading/facts.ts'
import { issues } from './reading/issues.ts'
import { readDeactivation, readExpiration, readInputs } from './reading/node.ts'
import { readReport } from './reading/report.ts'

/** The highest supported version of each command; all versions from 1 up to this one are accepted. */
export const lastVersions: Readonly<Record<CommandName, number>> = {
  'configure expiration': 1,
  'deactivate node': 3,
  'replace catalog': lastCatalogVersion,
  'replace catalog inputs': 1,
  'replace facts': 5,
  'store report': 8,
}

/** A command that waits to be processed. */
export interface WaitingCommand {
  readonly name: CommandName
  readonly version: number
  /** JSON in UTF-8. */
  readonly payload: Uint8Array
  /** Time of receipt, for payloads without a timestamp. */
  readonly received: Timestamp
}

const { commandBody, commandItems } = budgets.request
const bounds: JsonBounds = { characters: commandBody.bound, items: commandItems.bound }

/**
 * Parses a command. Throws PuppetError with PuppetDB's message. A rejected command fails on every
 * retry.
 */
export function readCommand({ name, version, payload, received }: WaitingCommand): StoreCommand {
  const json = parsed(textOf(payload, name === 'replace catalog' && (version === 2 || version === 3)))
  if (name !== 'replace catalog' && (version < 1 || version > lastVersions[name]))
    fail(issues.COMMAND_VERSION, { command: name, version })
  switch (name) {
    case 'replace catalog':
      return { name, payload: catalogOf(json, version, received) }
    case 'replace facts':
      return { name, payload: readFacts(objectOf(version <= 2 ? unquoted(json) : json), version, received) }
    case 'store report':
      return { name, payload: readReport(objectOf(json), version, received) }
    case 'deactivate node':
      return { name, payload: readDeactivation(certnameIn(json, version), received) }
    case 'configure expiration':
      return { name, payload: readExpiration(json, received) }
    case 'replace catalog inputs':
      return { name, payload: readInputs(json, received) }
  }
}

function catalogOf(json: ExactJson, version: number, received: Timestamp) {
  const catalog = unquoted(json)
  if (!isExactObject(catalog)) fail(issues.CATALOG_KIND, { className: classText(catalog) })
  if (version === 1) return readTolerantCatalog(catalog, received)
  if (version === 2 || version === 3) return readStrictCatalog(catalog, version, received)
  if (version < 1 || version > lastCatalogVersion) fail(issues.CATALOG_VERSION, { version })
  return readCatalog(catalog, version, received)
}

function classText(json: ExactJson): string {
  if (json === null) return 'null'
  return `class ${Array.isArray(json) ? 'clojure.lang.LazySeq' : className(json)}`
}

/** In old versions, the payload is a JSON string that itself contains JSON text. */
function unquoted(json: ExactJson): ExactJson {
  return typeof json === 'string' ? parsed(json) : json
}

function certnameIn(json: ExactJson, version: number): ExactJson {
  if (version > 2) return json
  return { certname: version === 1 ? unquoted(json) : json }
}

/** Returns the value, or an empty object if the value is not an object, as in PuppetDB. */
function objectOf(json: ExactJson): ExactObject {
  return isExactObject(json) ? json : {}
}

function textOf(payload: Uint8Array, strict: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: strict }).decode(payload)
  } catch {
    return fail(issues.CATALOG_UTF8, {})
  }
}

function parsed(text: string): ExactJson {
  try {
    return parseBoundedJson(withoutNul(text), bounds)
  } catch (error) {
    if (error instanceof SyntaxError || isTooMuch(error) || isIssue(error, wireIssues.WIRE_NESTING))
      return fail(issues.COMMAND_JSON, { detail: (error as Error).message })
    throw error
  }
}

const escapedNul = '\\u0000'

/**
 * Replaces NUL, which PostgreSQL cannot store in text, by the replacement character, as PuppetDB
 * does.
 */
function withoutNul(text: string): string {
  if (!text.includes(escapedNul)) return text
  return text.replace(/\\(?:u0000|.)/gs, (each) => (each === escapedNul ? '\\ufffd' : each))
}
