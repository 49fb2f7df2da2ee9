import type { ExactJson } from '../base/exact-json.ts'
import { parseJson } from '../base/json-text.ts'
import { list, number, optionalText, record, text } from '../base/wire.ts'
import { fromRichData } from '../language/rich-data/rich-data.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Catalog, CatalogWire, Edge, Resource } from './catalog.ts'
import { catalogText, type WireOptions } from './catalog-text.ts'
import { fileMetadataFromWire } from './file-metadata.ts'

/** A catalog as an agent reads it. protocol.md 5. */
export function catalogToWire(catalog: Catalog, options: WireOptions): CatalogWire {
  return parseJson(catalogText(catalog, options)) as CatalogWire
}

/** A catalog as a server sent it, or a cache kept it. */
export function catalogFromWire(body: unknown): Catalog {
  const wire = record(body, 'catalog')
  const texts = (value: unknown, what: string) => list(value ?? [], what).map((each) => text(each, what))
  return {
    name: text(wire.name, 'catalog.name'),
    version: typeof wire.version === 'string' ? wire.version : number(wire.version ?? 0, 'catalog.version'),
    codeId: optionalText(wire.code_id, 'catalog.code_id'),
    catalogUuid: optionalText(wire.catalog_uuid, 'catalog.catalog_uuid') ?? '',
    environment: optionalText(wire.environment, 'catalog.environment') ?? '',
    tags: texts(wire.tags, 'catalog.tags'),
    classes: texts(wire.classes, 'catalog.classes'),
    resources: list(wire.resources ?? [], 'catalog.resources').map(resourceFromWire),
    edges: list(wire.edges ?? [], 'catalog.edges').map(edgeFromWire),
    metadata: unmapped(wire.metadata, 'catalog.metadata', fileMetadataFromWire),
    recursiveMetadata: unmapped(wire.recursive_metadata, 'catalog.recursive_metadata', (bySource) =>
      unmapped(bySource, 'catalog.recursive_metadata', (files) =>
        list(files, 'catalog.recursive_metadata').map(fileMetadataFromWire),
      ),
    ),
  }
}

function resourceFromWire(body: unknown): Resource {
  const wire = record(body, 'resource')
  const sensitive = new Set(list(wire.sensitive_parameters ?? [], 'resource.sensitive_parameters'))
  const parameters = Object.entries(record(wire.parameters ?? {}, 'resource.parameters')).map(([name, json]) => {
    const value = fromRichData(json as ExactJson)
    return [name, sensitive.has(name) ? new Sensitive(value) : value] as const
  })
  return {
    type: text(wire.type, 'resource.type'),
    title: text(wire.title, 'resource.title'),
    tags: list(wire.tags ?? [], 'resource.tags').map((tag) => text(tag, 'resource.tags')),
    file: optionalText(wire.file, 'resource.file'),
    line: typeof wire.line === 'number' ? wire.line : undefined,
    exported: wire.exported === true,
    kind: kinds.find((kind) => kind === wire.kind) ?? 'unknown',
    parameters: new Map(parameters),
  }
}

const kinds = ['compilable_type', 'defined_type', 'class'] as const

function edgeFromWire(body: unknown): Edge {
  const { source, target } = record(body, 'edge')
  return { source: text(source, 'edge.source'), target: text(target, 'edge.target') }
}

function unmapped<Value>(body: unknown, what: string, read: (value: unknown) => Value): ReadonlyMap<string, Value> {
  return new Map(Object.entries(record(body ?? {}, what)).map(([key, value]) => [key, read(value)]))
}
