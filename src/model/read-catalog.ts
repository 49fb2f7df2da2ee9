import { defineIssues, fail } from '../base/issue.ts'
import { type ExactJson, entriesOf, isExactObject } from '../base/json/exact-json.ts'
import { list, number, optionalText, record, text } from '../base/json/wire.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Value } from '../language/values/value.ts'
import { valueFromJson } from '../language/values/value-from-json.ts'
import type { Catalog, Edge, Resource } from './catalog.ts'
import { fileMetadataFromWire } from './file-metadata.ts'

/**
 * Parses a catalog that was received from a server or cached. Loads the type system only if a value has a type tag;
 * most catalogs have no such value.
 */
export async function receivedCatalog(body: unknown): Promise<Catalog> {
  const isTagged = list(record(body, 'catalog').resources ?? [], 'catalog.resources').some((each) =>
    hasTag(each as ExactJson),
  )
  if (!isTagged) return readCatalog(body, valueFromJson)
  const { fromRichData } = await import('../language/rich-data/rich-data.ts')
  return readCatalog(body, fromRichData)
}

function hasTag(json: ExactJson | undefined): boolean {
  if (Array.isArray(json)) return json.some(hasTag)
  if (!isExactObject(json)) return false
  for (const [key, value] of entriesOf(json)) if (key === '__ptype' || hasTag(value)) return true
  return false
}

/** Errors with Puppet's messages: Puppet::Resource#initialize_from_hash. */
const issues = defineIssues({
  WITHOUT_TYPE: { text: () => 'No resource type provided in serialized data' },
  WITHOUT_TITLE: { text: () => 'No resource title provided in serialized data' },
  NO_EDGE_END: { text: () => 'No title provided and nil is not a valid resource reference' },
})

/** Converts JSON to a value. */
type ReadValue = (json: ExactJson) => Value

/** Parses a catalog; converts its values with `readValue`. */
export function readCatalog(body: unknown, readValue: ReadValue): Catalog {
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
    resources: list(wire.resources ?? [], 'catalog.resources').map((each) => resourceFromWire(each, readValue)),
    edges: list(wire.edges ?? [], 'catalog.edges').map(edgeFromWire),
    metadata: unmapped(wire.metadata, 'catalog.metadata', fileMetadataFromWire),
    recursiveMetadata: unmapped(wire.recursive_metadata, 'catalog.recursive_metadata', (bySource) =>
      unmapped(bySource, 'catalog.recursive_metadata', (files) =>
        list(files, 'catalog.recursive_metadata').map(fileMetadataFromWire),
      ),
    ),
  }
}

function resourceFromWire(body: unknown, readValue: ReadValue): Resource {
  const wire = record(body, 'resource')
  const sensitive = new Set(list(wire.sensitive_parameters ?? [], 'resource.sensitive_parameters'))
  const parameters = Object.entries(record(wire.parameters ?? {}, 'resource.parameters')).map(([name, json]) => {
    const value = readValue(json as ExactJson)
    return [name, sensitive.has(name) ? new Sensitive(value) : value] as const
  })
  return {
    type: text(wire.type ?? fail(issues.WITHOUT_TYPE, {}), 'resource.type'),
    title: text(wire.title ?? fail(issues.WITHOUT_TITLE, {}), 'resource.title'),
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
  return { source: endFromWire(source, 'edge.source'), target: endFromWire(target, 'edge.target') }
}

const endFromWire = (value: unknown, what: string) => text(value ?? fail(issues.NO_EDGE_END, {}), what)

function unmapped<Value>(body: unknown, what: string, read: (value: unknown) => Value): ReadonlyMap<string, Value> {
  return new Map(Object.entries(record(body ?? {}, what)).map(([key, value]) => [key, read(value)]))
}
