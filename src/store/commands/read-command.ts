import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, throwIssue } from '../../base/issue.ts'
import { isJsonLimitError, type JsonBounds, parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, type ExactObject, isExactObject } from '../../base/json/exact-json.ts'
import { wireIssues } from '../../base/json/json-checks.ts'
import { getJavaClass } from '../clojure-text.ts'
import type { CommandName, StoreCommand, WireTimestamp } from './command.ts'
import { lastCatalogVersion, readCatalogCommand } from './reading/catalog.ts'
import { readStrictCatalog, readTolerantCatalog } from './reading/catalog-v1.ts'
import { readFactsCommand } from './reading/facts.ts'
import { storeCommandIssues } from './reading/issues.ts'
import { readCatalogInputs, readDeactivation, readExpiration } from './reading/node.ts'
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
  readonly received: WireTimestamp
}

const { commandBody, commandItems } = budgets.request
const bounds: JsonBounds = { characters: commandBody.bound, items: commandItems.bound }

/**
 * Parses a command. Throws PuppetError with PuppetDB's message. A rejected command fails on every
 * retry.
 */
export function readCommand({ name, version, payload, received }: WaitingCommand): StoreCommand {
  const json = parsePayload(decodePayload(payload, name === 'replace catalog' && (version === 2 || version === 3)))
  if (name !== 'replace catalog' && (version < 1 || version > lastVersions[name]))
    throwIssue(storeCommandIssues.COMMAND_VERSION, { command: name, version })
  switch (name) {
    case 'replace catalog':
      return { name, payload: parseCatalogCommand(json, version, received) }
    case 'replace facts':
      return {
        name,
        payload: readFactsCommand(toObject(version <= 2 ? parseQuotedJson(json) : json), version, received),
      }
    case 'store report':
      return { name, payload: readReport(toObject(json), version, received) }
    case 'deactivate node':
      return { name, payload: readDeactivation(upgradeDeactivation(json, version), received) }
    case 'configure expiration':
      return { name, payload: readExpiration(json, received) }
    case 'replace catalog inputs':
      return { name, payload: readCatalogInputs(json, received) }
  }
}

function parseCatalogCommand(json: ExactJson, version: number, received: WireTimestamp) {
  const catalog = parseQuotedJson(json)
  if (!isExactObject(catalog)) throwIssue(storeCommandIssues.CATALOG_KIND, { className: formatClass(catalog) })
  if (version === 1) return readTolerantCatalog(catalog, received)
  if (version === 2 || version === 3) return readStrictCatalog(catalog, version, received)
  if (version < 1 || version > lastCatalogVersion) throwIssue(storeCommandIssues.CATALOG_VERSION, { version })
  return readCatalogCommand(catalog, version, received)
}

function formatClass(json: ExactJson): string {
  if (json === null) return 'null'
  return `class ${Array.isArray(json) ? 'clojure.lang.LazySeq' : getJavaClass(json)}`
}

/** In old versions, the payload is a JSON string that itself contains JSON text. */
function parseQuotedJson(json: ExactJson): ExactJson {
  return typeof json === 'string' ? parsePayload(json) : json
}

function upgradeDeactivation(json: ExactJson, version: number): ExactJson {
  if (version > 2) return json
  return { certname: version === 1 ? parseQuotedJson(json) : json }
}

/** Returns the value, or an empty object if the value is not an object, as in PuppetDB. */
function toObject(json: ExactJson): ExactObject {
  return isExactObject(json) ? json : {}
}

function decodePayload(payload: Uint8Array, strict: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: strict }).decode(payload)
  } catch {
    return throwIssue(storeCommandIssues.CATALOG_UTF8, {})
  }
}

function parsePayload(text: string): ExactJson {
  try {
    return parseBoundedJson(replaceNul(text), bounds)
  } catch (error) {
    if (error instanceof SyntaxError || isJsonLimitError(error) || isIssue(error, wireIssues.WIRE_NESTING))
      return throwIssue(storeCommandIssues.COMMAND_JSON, { detail: (error as Error).message })
    throw error
  }
}

const escapedNul = '\\u0000'

/**
 * Replaces NUL, which PostgreSQL cannot store in text, by the replacement character, as PuppetDB
 * does.
 */
function replaceNul(text: string): string {
  if (!text.includes(escapedNul)) return text
  return text.replace(/\\(?:u0000|.)/gs, (each) => (each === escapedNul ? '\\ufffd' : each))
}
