import { createExactObject, type ExactJson, type ExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson, quoteJsonText } from '../../../base/json/json-text.ts'
import { formatRubyFloat } from '../../../base/text/float-text.ts'
import { Utf8Writer } from '../../../base/text/utf8-writer.ts'
import { hasSensitive } from '../../../language/values/find-sensitive.ts'
import type { FullCatalog, FullResource } from '../../../model/catalog.ts'
import { formatResourceHead } from '../../../model/catalog-text.ts'
import type { ResourceSpec } from '../command.ts'
import { listEdgeTexts } from './edges.ts'
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
 * Encodes the payload of `replace catalog` 9 as JSON, as puppet-terminus-puppetdb sends it:
 * indirector/catalog/puppetdb.rb. The text is written without an intermediate object, because a
 * catalog has thousands of resources.
 * @param more Additional fields after the edges; `extractStoredPart` includes them when a catalog is reused.
 */
export function encodeCatalogPayload(
  catalog: FullCatalog,
  sending: CatalogEnvelope,
  more: SourcedFilesField = {},
): Uint8Array<ArrayBuffer> {
  const resources = catalog.resources.map(toPlainResource)
  const writer = new Utf8Writer(64 * 1024 + resources.length * 1024)
  writer.write(`${formatExactJson(buildPayloadHead(catalog, sending)).slice(0, -1)},"resources":[`)
  for (const [index, resource] of resources.entries())
    writer.write((index === 0 ? '' : ',') + formatResourcePayload(resource))
  writer.write(`],"edges":[${[...listEdgeTexts(catalog.edges, resources)].join()}]`)
  const rest = formatExactJson({ ...more, ...buildPayloadTail(catalog, sending) })
  writer.write(`,${rest.slice(1)}`)
  return writer.bytes()
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

function formatResourcePayload({ resource, parameters }: PlainResource): string {
  let text = `${formatResourceHead(resource)},"parameters":{`
  let before = ''
  for (const [name, value] of parameters) {
    text += `${before}${quoteJsonText(name)}:${typeof value === 'string' ? quoteJsonText(value) : formatExactJson(value)}`
    before = ','
  }
  return `${text}}}`
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
      edges: Array.from(listEdgeTexts(catalog.edges, resources), (edge) => JSON.parse(edge) as ExactJson),
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
  const { type, title } = resource
  const given = new Map<string, ExactJson>()
  for (const [name, value] of resource.parameters) {
    const isPlain = typeof value === 'boolean' || (typeof value === 'string' && value.isWellFormed())
    if (isPlain) given.set(name, value)
    else if (!hasSensitive(value)) given.set(name, sortUnordered(name, toStringifiedJson(value)))
  }
  if (resource.aliases.length === 0) return { type, title, resource, aliases: [], parameters: given, given }
  const aliases = sortUnordered('alias', resource.aliases.map(toStringifiedJson)) as readonly ExactJson[]
  return { type, title, resource, aliases, parameters: new Map(given).set('alias', aliases), given }
}

function sortUnordered(name: string, json: ExactJson): ExactJson {
  return Array.isArray(json) && unordered.includes(name) ? [...json].sort(compareText) : json
}

function compareText(a: ExactJson, b: ExactJson): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
