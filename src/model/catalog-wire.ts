import { createHash } from 'node:crypto'
import { type ExactJson, exactObject } from '../base/exact-json.ts'
import { printJson } from '../base/json-text.ts'
import { list, number, optionalText, record, text } from '../base/wire.ts'
import { fromRichData, type RichDataOptions, toRichData } from '../language/values/rich-data.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Catalog, CatalogWire, Edge, Resource } from './catalog.ts'
import { fileMetadataFromWire, fileMetadataToWire } from './file-metadata.ts'

/** How a catalog is to be written: with rich data tagged, or only in what JSON has. */
export type WireOptions = Pick<RichDataOptions, 'richData' | 'warn'>

/** A catalog as an agent reads it. protocol.md 5. */
export function catalogToWire(catalog: Catalog, options: WireOptions): CatalogWire {
  const { metadata, recursiveMetadata } = catalog
  return {
    tags: catalog.tags,
    name: catalog.name,
    version: catalog.version,
    code_id: catalog.codeId ?? null,
    catalog_uuid: catalog.catalogUuid,
    catalog_format: 2,
    environment: catalog.environment,
    resources: catalog.resources.map((resource) => resourceToWire(resource, options)),
    edges: catalog.edges.map(({ source, target }) => ({ source, target })),
    ...(metadata.size > 0 ? { metadata: mapped(metadata, fileMetadataToWire) } : {}),
    ...(recursiveMetadata.size > 0
      ? {
          recursive_metadata: mapped(recursiveMetadata, (bySource) =>
            mapped(bySource, (files) => files.map(fileMetadataToWire)),
          ),
        }
      : {}),
    classes: catalog.classes,
  }
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

/** What the catalogs made here are as text, but for their UUID: it follows from that text, which is not made twice. */
const texts = new WeakMap<Catalog, string>()
const noUuid = '"catalog_uuid":""'

/** The catalog with a UUID that follows from all else in it, in the form of version 8 of RFC 9562 (made by an own rule). */
export function identified(catalog: Catalog): Catalog {
  const text = printJson(catalogToWire({ ...catalog, catalogUuid: '' }, { richData: true }))
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const catalogUuid = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const made = { ...catalog, catalogUuid }
  texts.set(made, text)
  return made
}

/** A catalog as JSON text for an agent. */
export function catalogText(catalog: Catalog, options: WireOptions): string {
  const text = options.richData ? texts.get(catalog) : undefined
  if (text === undefined) return printJson(catalogToWire(catalog, options))
  const at = text.indexOf(noUuid) + noUuid.length - 1 // no text before it has quotes that are bare
  return text.slice(0, at) + catalog.catalogUuid + text.slice(at)
}

function resourceToWire(
  { type, title, tags, file, line, exported, kind, parameters }: Resource,
  options: WireOptions,
): ExactJson {
  const written: [string, ExactJson][] = []
  const sensitive: string[] = []
  for (const [name, value] of parameters) {
    if (value instanceof Sensitive) sensitive.push(name)
    const bare = value instanceof Sensitive ? value.unwrap() : value
    const isPlain = typeof bare === 'string' || typeof bare === 'boolean'
    written.push([name, isPlain ? bare : toRichData(bare, { ...options, path: `${type}[${title}]['${name}']` })])
  }
  const wire: Record<string, ExactJson> = { type, title, tags }
  if (file !== undefined) wire.file = file
  if (line !== undefined) wire.line = line
  wire.exported = exported
  wire.kind = kind
  if (written.length > 0) wire.parameters = Object.fromEntries(written)
  if (sensitive.length > 0) wire.sensitive_parameters = sensitive
  return wire
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

function mapped<Value>(map: ReadonlyMap<string, Value>, write: (value: Value) => ExactJson): ExactJson {
  return exactObject(Array.from(map, ([key, value]) => [key, write(value)]))
}

function unmapped<Value>(body: unknown, what: string, read: (value: unknown) => Value): ReadonlyMap<string, Value> {
  return new Map(Object.entries(record(body ?? {}, what)).map(([key, value]) => [key, read(value)]))
}
