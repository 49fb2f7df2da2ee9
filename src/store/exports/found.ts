import { type ExactJson, type ExactObject, entriesOf, exactObject, isExactObject } from '../../base/json/exact-json.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { list, record, text } from '../../base/json/wire.ts'
import { byCodeUnit } from '../../base/text/by-code-unit.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { matches } from './matches.ts'

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
export function readFound({ pieces, pending }: FoundExports): readonly ExportedResource[] {
  const rows = list(parseJson(pieces.join('')), 'exported resources').map(resourceOf)
  const stored = rows.filter(({ certname }) => !pending.has(certname))
  return [...stored, ...[...pending.values()].flat()].map(inOrder).sort(byNodeAndTitle)
}

/** Replaces the found resources of some nodes with their current exports. */
export function foundInstead(
  found: readonly ExportedResource[],
  { type, except, query }: ExportSearch,
  exported: ReadonlyMap<string, readonly ExportedResource[]>,
): readonly ExportedResource[] {
  const others = [...exported.values()]
    .flat()
    .filter((each) => each.type === type && each.certname !== except && (!query || matches(each, query)))
  return [...found.filter(({ certname }) => !exported.has(certname)), ...others.map(inOrder)].sort(byNodeAndTitle)
}

/** Orders exported resources by certname, then by title. */
export function byNodeAndTitle(a: ExportedResource, b: ExportedResource): number {
  return byCodeUnit(a.certname, b.certname) || byCodeUnit(a.title, b.title)
}

function resourceOf(row: unknown): ExportedResource {
  const { certname, type, title, tags, parameters } = record(row, 'exported resource')
  return {
    certname: text(certname, 'certname'),
    type: text(type, 'type'),
    title: text(title, 'title'),
    tags: list(tags, 'tags').map((tag) => text(tag, 'tag')),
    parameters: record(parameters ?? {}, 'parameters') as ExactObject,
  }
}

function inOrder(resource: ExportedResource): ExportedResource {
  return {
    ...resource,
    tags: [...resource.tags].sort(byCodeUnit),
    parameters: sorted(resource.parameters) as ExactObject,
  }
}

/** Sorts the keys of JSON objects, because the databases return them in different orders. */
function sorted(json: ExactJson): ExactJson {
  if (Array.isArray(json)) return json.map(sorted)
  if (!isExactObject(json)) return json
  const entries = [...entriesOf(json)].sort(([a], [b]) => byCodeUnit(a, b))
  return exactObject(entries.map(([key, value]) => [key, sorted(value ?? null)] as const))
}
