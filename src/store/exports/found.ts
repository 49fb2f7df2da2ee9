import { type ExactJson, type ExactObject, entriesOf, exactObject, isExactObject } from '../../base/json/exact-json.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { list, record, text } from '../../base/json/wire.ts'
import { byCodeUnit } from '../../base/text/by-code-unit.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import { matches } from './matches.ts'

/** Exported resources as a store answers them: text, which is handed over quickly, for the thread that wants them to read. */
export interface FoundExports {
  /** A JSON list of rows, in pieces. */
  readonly pieces: readonly string[]
  /** Of nodes whose last catalogs are not stored yet: they take the place of rows. */
  readonly pending: ReadonlyMap<string, readonly ExportedResource[]>
}

/** The resources, by nodes and titles, their parameters by names: the same whichever database keeps them. */
export function readFound({ pieces, pending }: FoundExports): readonly ExportedResource[] {
  const rows = list(parseJson(pieces.join('')), 'exported resources').map(resourceOf)
  const stored = rows.filter(({ certname }) => !pending.has(certname))
  return [...stored, ...[...pending.values()].flat()].map(inOrder).sort(byNodeAndTitle)
}

/** The answer to a search where some nodes export other resources than those that were found of them. */
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

/** The order of exported resources: by the names of their nodes, then by titles. */
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

/** JSON with the keys of its objects in order: no database keeps another. */
function sorted(json: ExactJson): ExactJson {
  if (Array.isArray(json)) return json.map(sorted)
  if (!isExactObject(json)) return json
  const entries = [...entriesOf(json)].sort(([a], [b]) => byCodeUnit(a, b))
  return exactObject(entries.map(([key, value]) => [key, sorted(value ?? null)] as const))
}
