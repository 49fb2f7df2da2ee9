import { defineIssues, throwIssue } from '../base/issue.ts'
import { type ExactJson, getEntries, isExactObject } from '../base/json/exact-json.ts'
import {
  checkJsonArray,
  checkJsonNumber,
  checkJsonObject,
  checkJsonString,
  checkOptionalString,
} from '../base/json/json-checks.ts'
import { convertJsonToValue } from '../language/values/json-values.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Value } from '../language/values/value.ts'
import type { Catalog, Edge, Resource } from './catalog.ts'
import { fileMetadataFromWire } from './file-metadata.ts'

/**
 * Parses a catalog that was received from a server or cached. Loads the type system only if a value has a type tag;
 * most catalogs have no such value.
 */
export async function parseReceivedCatalog(body: unknown): Promise<Catalog> {
  const isTagged = checkJsonArray(checkJsonObject(body, 'catalog').resources ?? [], 'catalog.resources').some((each) =>
    hasTag(each as ExactJson),
  )
  if (!isTagged) return parseCatalog(body, convertJsonToValue)
  const { readRichData } = await import('../language/rich-data/rich-data.ts')
  return parseCatalog(body, readRichData)
}

function hasTag(json: ExactJson | undefined): boolean {
  if (Array.isArray(json)) return json.some(hasTag)
  if (!isExactObject(json)) return false
  for (const [key, value] of getEntries(json)) if (key === '__ptype' || hasTag(value)) return true
  return false
}

/** Errors with Puppet's messages: Puppet::Resource#initialize_from_hash. */
const issues = defineIssues({
  WITHOUT_TYPE: { text: () => 'No resource type provided in serialized data' },
  WITHOUT_TITLE: { text: () => 'No resource title provided in serialized data' },
  NO_EDGE_END: { text: () => 'No title provided and nil is not a valid resource reference' },
})

/** Converts a JSON value to a Puppet value. */
type ReadValue = (json: ExactJson) => Value

/** Parses a catalog; converts its values with `readValue`. */
export function parseCatalog(body: unknown, readValue: ReadValue): Catalog {
  const wire = checkJsonObject(body, 'catalog')
  const parseTexts = (value: unknown, what: string) =>
    checkJsonArray(value ?? [], what).map((each) => checkJsonString(each, what))
  return {
    name: checkJsonString(wire.name, 'catalog.name'),
    version: typeof wire.version === 'string' ? wire.version : checkJsonNumber(wire.version ?? 0, 'catalog.version'),
    codeId: checkOptionalString(wire.code_id, 'catalog.code_id'),
    catalogUuid: checkOptionalString(wire.catalog_uuid, 'catalog.catalog_uuid') ?? '',
    environment: checkOptionalString(wire.environment, 'catalog.environment') ?? '',
    tags: parseTexts(wire.tags, 'catalog.tags'),
    classes: parseTexts(wire.classes, 'catalog.classes'),
    resources: checkJsonArray(wire.resources ?? [], 'catalog.resources').map((each) =>
      resourceFromWire(each, readValue),
    ),
    edges: checkJsonArray(wire.edges ?? [], 'catalog.edges').map(edgeFromWire),
    metadata: parseMap(wire.metadata, 'catalog.metadata', fileMetadataFromWire),
    recursiveMetadata: parseMap(wire.recursive_metadata, 'catalog.recursive_metadata', (bySource) =>
      parseMap(bySource, 'catalog.recursive_metadata', (files) =>
        checkJsonArray(files, 'catalog.recursive_metadata').map(fileMetadataFromWire),
      ),
    ),
  }
}

function resourceFromWire(body: unknown, readValue: ReadValue): Resource {
  const wire = checkJsonObject(body, 'resource')
  const sensitive = new Set(checkJsonArray(wire.sensitive_parameters ?? [], 'resource.sensitive_parameters'))
  const parameters = Object.entries(checkJsonObject(wire.parameters ?? {}, 'resource.parameters')).map(
    ([name, json]) => {
      const value = readValue(json as ExactJson)
      return [name, sensitive.has(name) ? new Sensitive(value) : value] as const
    },
  )
  return {
    type: checkJsonString(wire.type ?? throwIssue(issues.WITHOUT_TYPE, {}), 'resource.type'),
    title: checkJsonString(wire.title ?? throwIssue(issues.WITHOUT_TITLE, {}), 'resource.title'),
    tags: checkJsonArray(wire.tags ?? [], 'resource.tags').map((tag) => checkJsonString(tag, 'resource.tags')),
    file: checkOptionalString(wire.file, 'resource.file'),
    line: typeof wire.line === 'number' ? wire.line : undefined,
    exported: wire.exported === true,
    kind: kinds.find((kind) => kind === wire.kind) ?? 'unknown',
    parameters: new Map(parameters),
  }
}

const kinds = ['compilable_type', 'defined_type', 'class'] as const

function edgeFromWire(body: unknown): Edge {
  const { source, target } = checkJsonObject(body, 'edge')
  return { source: parseEdgeEnd(source, 'edge.source'), target: parseEdgeEnd(target, 'edge.target') }
}

const parseEdgeEnd = (value: unknown, what: string) =>
  checkJsonString(value ?? throwIssue(issues.NO_EDGE_END, {}), what)

function parseMap<Value>(body: unknown, what: string, read: (value: unknown) => Value): ReadonlyMap<string, Value> {
  return new Map(Object.entries(checkJsonObject(body ?? {}, what)).map(([key, value]) => [key, read(value)]))
}
