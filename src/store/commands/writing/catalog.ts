import { type ExactJson, type ExactObject, exactObject } from '../../../base/json/exact-json.ts'
import { floatText } from '../../../base/text/float-text.ts'
import { holdsSensitive } from '../../../language/values/find-sensitive.ts'
import type { FullCatalog, FullResource } from '../../../model/catalog.ts'
import type { ResourceSpec, StoredEdge } from '../command.ts'
import { edgesOf } from './edges.ts'
import { plainValue } from './plain-value.ts'

/** Data that is sent with a catalog, but is not part of it. */
export interface CatalogSending {
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
  /** Checksums by title. */
  readonly sourced_files?: ExactObject
}

/**
 * The payload of `replace catalog` 9, as puppet-terminus-puppetdb sends it:
 * indirector/catalog/puppetdb.rb.
 * @param more Additional fields after the edges; `storedPart` includes them when a catalog is reused.
 */
export function catalogPayload(
  catalog: FullCatalog,
  sending: CatalogSending,
  more: SourcedFilesField = {},
): ExactObject {
  const resources = catalog.resources.map(plainResource)
  return {
    ...payloadHead(catalog, sending),
    resources: resources.map(resourcePayload),
    edges: edgesOf(catalog.edges, resources).map(edgePayload),
    ...more,
    ...payloadTail(catalog, sending),
  }
}

/** The fields of a catalog's payload before its resources. */
export function payloadHead(
  { version, codeId, catalogUuid }: Pick<FullCatalog, 'version' | 'codeId' | 'catalogUuid'>,
  { transactionUuid }: CatalogSending,
): ExactObject {
  return { version: String(version), code_id: codeId ?? null, catalog_uuid: catalogUuid || transactionUuid }
}

/** The fields of a catalog's payload after its edges. */
export function payloadTail(
  { name, environment }: Pick<FullCatalog, 'name' | 'environment'>,
  { jobId, transactionUuid, producerTimestamp, producer }: CatalogSending,
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

function resourcePayload({ resource, parameters }: PlainResource): ExactJson {
  const { type, title, tags, file, line, exported, kind } = resource
  return { type, title, tags, file, line, exported, kind, parameters: exactObject([...parameters]) }
}

function edgePayload({ source, target, relationship }: StoredEdge): ExactJson {
  return { source: { ...source }, target: { ...target }, relationship }
}

/**
 * The payload of `replace catalog` 3: wire format version 1 with its envelope. Numbers become
 * strings, and nulls are omitted. A resource that no code declares (`Class[main]`) has an empty
 * path and line 1, because the format requires a file and a line.
 */
export function catalogPayloadV1(catalog: FullCatalog, { transactionUuid }: CatalogSending): ExactObject {
  const resources = catalog.resources.map(plainResource)
  return {
    metadata: { api_version: 1 },
    data: {
      name: catalog.name,
      version: String(catalog.version),
      'transaction-uuid': transactionUuid,
      edges: edgesOf(catalog.edges, resources).map(edgePayload),
      resources: resources.map(({ resource, aliases, given }) => ({
        type: resource.type,
        title: resource.title,
        aliases: aliases.map(String).filter((alias) => alias !== resource.title),
        exported: resource.exported,
        file: resource.file ?? '',
        line: resource.file === undefined ? 1 : (resource.line ?? 1),
        tags: resource.tags,
        parameters: withoutNumbers(exactObject([...given])) ?? {},
      })),
    },
  }
}

/** Converts numbers to strings and omits nulls. */
function withoutNumbers(value: ExactJson): ExactJson | undefined {
  if (value === null) return undefined
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.flatMap((each) => withoutNumbers(each) ?? [])
  if (typeof value === 'bigint' || Number.isInteger(value)) return String(value)
  if (typeof value === 'number' || value instanceof Number) return floatText(Number(value))
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return exactObject(
    entries.flatMap(([key, each]) => {
      const plain = withoutNumbers(each ?? null)
      return plain === undefined ? [] : [[key, plain] as const]
    }),
  )
}

/** Metaparameters whose values have no order. */
const unordered = ['alias', 'audit', 'before', 'check', 'notify', 'require', 'subscribe', 'tag']

/** Omits parameters that are or contain sensitive values. */
function plainResource(resource: FullResource): PlainResource {
  const given = new Map<string, ExactJson>()
  for (const [name, value] of resource.parameters)
    if (!holdsSensitive(value)) given.set(name, sorted(name, plainValue(value)))
  const aliases = sorted('alias', resource.aliases.map(plainValue)) as readonly ExactJson[]
  const parameters = new Map(given)
  if (aliases.length > 0) parameters.set('alias', aliases)
  return { type: resource.type, title: resource.title, resource, aliases, parameters, given }
}

function sorted(name: string, json: ExactJson): ExactJson {
  return Array.isArray(json) && unordered.includes(name) ? [...json].sort(byText) : json
}

function byText(a: ExactJson, b: ExactJson): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
