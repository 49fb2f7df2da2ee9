import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  isExactObject,
} from '../../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { matchesExportQuery } from './export-query.ts'

/**
 * Exported resources found in a store, as unparsed text, which can be passed quickly from the
 * calling thread to the thread that parses it.
 */
export interface FoundExports {
  /** A JSON array of rows, in pieces. */
  readonly pieces: readonly string[]
  /** Exports of nodes whose last catalogs are not stored yet; they replace the rows of those nodes. */
  readonly pending: ReadonlyMap<string, readonly ExportedResource[]>
}

/**
 * Parses the resources and sorts them by certname and title, and their parameters by name, so that
 * all databases give the same result.
 */
export function parseFoundExports({ pieces, pending }: FoundExports): readonly ExportedResource[] {
  const rows = checkJsonArray(parseJson(pieces.join('')), 'exported resources').map(parseExportRow)
  const stored = rows.filter(({ certname }) => !pending.has(certname))
  return [...stored, ...[...pending.values()].flat()].map(sortParameters).sort(compareExports)
}

/** Replaces the found resources of some nodes with their current exports. */
export function replaceFoundExports(
  found: readonly ExportedResource[],
  { type, except, query }: ExportSearch,
  exported: ReadonlyMap<string, readonly ExportedResource[]>,
): readonly ExportedResource[] {
  const others = [...exported.values()]
    .flat()
    .filter((each) => each.type === type && each.certname !== except && (!query || matchesExportQuery(each, query)))
  return [...found.filter(({ certname }) => !exported.has(certname)), ...others.map(sortParameters)].sort(
    compareExports,
  )
}

/** Orders exported resources by certname, then by title. */
export function compareExports(a: ExportedResource, b: ExportedResource): number {
  return compareCodeUnits(a.certname, b.certname) || compareCodeUnits(a.title, b.title)
}

function parseExportRow(row: unknown): ExportedResource {
  const { certname, type, title, tags, parameters } = checkJsonObject(row, 'exported resource')
  return {
    certname: checkJsonString(certname, 'certname'),
    type: checkJsonString(type, 'type'),
    title: checkJsonString(title, 'title'),
    tags: checkJsonArray(tags, 'tags').map((tag) => checkJsonString(tag, 'tag')),
    parameters: checkJsonObject(parameters ?? {}, 'parameters') as ExactObject,
  }
}

function sortParameters(resource: ExportedResource): ExportedResource {
  return {
    ...resource,
    tags: [...resource.tags].sort(compareCodeUnits),
    parameters: sortKeys(resource.parameters) as ExactObject,
  }
}

/** Sorts the keys of JSON objects, because the databases return them in different orders. */
function sortKeys(json: ExactJson): ExactJson {
  if (Array.isArray(json)) return json.map(sortKeys)
  if (!isExactObject(json)) return json
  const entries = [...getEntries(json)].sort(([a], [b]) => compareCodeUnits(a, b))
  return createExactObject(entries.map(([key, value]) => [key, sortKeys(value ?? null)] as const))
}
