import { createExactObject, type ExactJson, type ExactObject } from '../../../base/json/exact-json.ts'
import { formatRubyFloat } from '../../../base/text/float-text.ts'
import { hasSensitive } from '../../../language/values/find-sensitive.ts'
import type { FullCatalog, FullResource } from '../../../model/catalog.ts'
import type { ResourceSpec, StoredEdge } from '../command.ts'
import { buildEdges } from './edges.ts'
import { toStringifiedJson } from './plain-value.ts'

/** Data that is sent with a catalog, but is not part of it. */
export interface CatalogEnvelope {
  readonly transactionUuid: string | null
  readonly jobId: string | null
  readonly producer: string
  readonly producerTimestamp: string
}

/** A resource prepared for a store: plain JSON without sensitive values. */
export interface PlainResource extends ResourceSpec {
  readonly resource: FullResource
  readonly aliases: readonly ExactJson[]
  /** Parameters, including aliases. */
  readonly parameters: ReadonlyMap<string, ExactJson>
  /** Parameters as declared in the code, without aliases. */
  readonly given: ReadonlyMap<string, ExactJson>
}

/** A field of the payload that PuppetDB ignores. */
export interface SourcedFilesField {
  /** Checksums of the sourced files, by title of the File resource. */
  readonly sourced_files?: ExactObject
}

/**
 * The payload of `replace catalog` 9, as puppet-terminus-puppetdb sends it:
 * indirector/catalog/puppetdb.rb.
 * @param more Additional fields after the edges; `extractStoredPart` includes them when a catalog is reused.
 */
export function buildCatalogPayload(
  catalog: FullCatalog,
  sending: CatalogEnvelope,
  more: SourcedFilesField = {},
): ExactObject {
  const resources = catalog.resources.map(toPlainResource)
  return {
    ...buildPayloadHead(catalog, sending),
    resources: resources.map(buildResourcePayload),
    edges: buildEdges(catalog.edges, resources).map(buildEdgePayload),
    ...more,
    ...buildPayloadTail(catalog, sending),
  }
}

/** The fields of a catalog's payload before its resources. */
export function buildPayloadHead(
  { version, codeId, catalogUuid }: Pick<FullCatalog, 'version' | 'codeId' | 'catalogUuid'>,
  { transactionUuid }: CatalogEnvelope,
): ExactObject {
  return { version: String(version), code_id: codeId ?? null, catalog_uuid: catalogUuid || transactionUuid }
}

/** The fields of a catalog's payload after its edges. */
export function buildPayloadTail(
  { name, environment }: Pick<FullCatalog, 'name' | 'environment'>,
  { jobId, transactionUuid, producerTimestamp, producer }: CatalogEnvelope,
): ExactObject {
  return {
    job_id: jobId,
    certname: name,
    transaction_uuid: transactionUuid,
    environment,
    producer_timestamp: producerTimestamp,
    producer,
  }
}

function buildResourcePayload({ resource, parameters }: PlainResource): ExactJson {
  const { type, title, tags, file, line, exported, kind } = resource
  return { type, title, tags, file, line, exported, kind, parameters: createExactObject([...parameters]) }
}

function buildEdgePayload({ source, target, relationship }: StoredEdge): ExactJson {
  return { source: { ...source }, target: { ...target }, relationship }
}

/**
 * The payload of `replace catalog` 3: wire format version 1 with its envelope. Numbers become
 * strings, and nulls are omitted. A resource that no code declares (`Class[main]`) has an empty
 * path and line 1, because the format requires a file and a line.
 */
export function buildCatalogPayloadV1(catalog: FullCatalog, { transactionUuid }: CatalogEnvelope): ExactObject {
  const resources = catalog.resources.map(toPlainResource)
  return {
    metadata: { api_version: 1 },
    data: {
      name: catalog.name,
      version: String(catalog.version),
      'transaction-uuid': transactionUuid,
      edges: buildEdges(catalog.edges, resources).map(buildEdgePayload),
      resources: resources.map(({ resource, aliases, given }) => ({
        type: resource.type,
        title: resource.title,
        aliases: aliases.map(String).filter((alias) => alias !== resource.title),
        exported: resource.exported,
        file: resource.file ?? '',
        line: resource.file === undefined ? 1 : (resource.line ?? 1),
        tags: resource.tags,
        parameters: stringifyNumbers(createExactObject([...given])) ?? {},
      })),
    },
  }
}

/** Converts numbers to strings and omits nulls. */
function stringifyNumbers(value: ExactJson): ExactJson | undefined {
  if (value === null) return undefined
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.flatMap((each) => stringifyNumbers(each) ?? [])
  if (typeof value === 'bigint' || Number.isInteger(value)) return String(value)
  if (typeof value === 'number' || value instanceof Number) return formatRubyFloat(Number(value))
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return createExactObject(
    entries.flatMap(([key, each]) => {
      const plain = stringifyNumbers(each ?? null)
      return plain === undefined ? [] : [[key, plain] as const]
    }),
  )
}

/** Metaparameters whose values have no order. */
const unordered = ['alias', 'audit', 'before', 'check', 'notify', 'require', 'subscribe', 'tag']

/** Omits parameters that are or contain sensitive values. */
function toPlainResource(resource: FullResource): PlainResource {
  const given = new Map<string, ExactJson>()
  for (const [name, value] of resource.parameters)
    if (!hasSensitive(value)) given.set(name, sortUnordered(name, toStringifiedJson(value)))
  const aliases = sortUnordered('alias', resource.aliases.map(toStringifiedJson)) as readonly ExactJson[]
  const parameters = new Map(given)
  if (aliases.length > 0) parameters.set('alias', aliases)
  return { type: resource.type, title: resource.title, resource, aliases, parameters, given }
}

function sortUnordered(name: string, json: ExactJson): ExactJson {
  return Array.isArray(json) && unordered.includes(name) ? [...json].sort(compareText) : json
}

function compareText(a: ExactJson, b: ExactJson): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
