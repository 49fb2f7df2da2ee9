import { createHash } from 'node:crypto'
import { budgets } from '../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../base/issue.ts'
import { createExactObject, type ExactJson } from '../base/json/exact-json.ts'
import { formatExactJson, quoteJsonText } from '../base/json/json-text.ts'
import { Utf8Writer } from '../base/text/utf8-writer.ts'
import { isNotUtf8, type RichDataOptions, toRichData } from '../language/rich-data/rich-data.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Value } from '../language/values/value.ts'
import type { Catalog, Resource } from './catalog.ts'
import { type FileMetadata, fileMetadataToWire } from './file-metadata.ts'

/** Options for the text of a catalog. Rich data is either tagged or reduced to plain JSON. */
export interface WireOptions extends Pick<RichDataOptions, 'richData' | 'warn'> {
  /**
   * Called for a string that is not UTF-8 and that no agent can receive; afterwards, the string is sent with escapes.
   * By default, an error is thrown instead.
   */
  readonly onBytes?: () => void
}

/** A catalog with its UUID and its wire format. */
export interface IdentifiedCatalog {
  readonly catalog: Catalog
  /** The catalog as JSON in UTF-8 with rich data; `undefined` if JSON cannot represent all values. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
  /** Offset in `bytes` at which the file metadata starts. */
  readonly metadataAt: number
}

/**
 * The values at the start of a catalog's text: the values that depend on the commit, and the tags and name before them.
 */
export type CatalogHead = Pick<Catalog, 'tags' | 'name' | 'version' | 'codeId' | 'catalogUuid'>

const most = budgets.environment.catalogBody.bound

const issues = defineIssues({
  CATALOG_TOO_LARGE: { text: (a: { most: number }) => `The catalog is larger than ${a.most} bytes` },
})

/** Placeholder for the UUID of a catalog while the UUID is computed. */
export const noUuid = '00000000-0000-0000-0000-000000000000'

/** Computes the catalog's UUID from its content (RFC 9562, version 8); returns the catalog with the UUID. */
export function addCatalogUuid(catalog: Catalog): IdentifiedCatalog {
  let isLossy = false
  const warn = () => {
    isLossy = true
  }
  const { bytes, metadataAt } = writeCatalog(
    { ...catalog, catalogUuid: noUuid },
    { richData: true, warn, onBytes: warn },
  )
  const catalogUuid = computeCatalogUuid(bytes, catalog)
  // `bytes` is undefined for a lossy value, so that each request for the catalog causes the warning or the error about
  // the value.
  return { catalog: { ...catalog, catalogUuid }, bytes: isLossy ? undefined : bytes, metadataAt }
}

/** Computes the UUID of a catalog with the placeholder `noUuid` and writes it into the bytes. */
export function computeCatalogUuid(bytes: Uint8Array<ArrayBuffer>, head: Omit<CatalogHead, 'catalogUuid'>): string {
  const catalogUuid = toUuid(createHash('sha256').update(bytes).digest())
  Buffer.from(bytes.buffer).write(formatCatalogHead({ ...head, catalogUuid }))
  return catalogUuid
}

function toUuid(digest: Buffer): string {
  const bytes = digest.subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Formats a catalog as JSON. */
export function formatCatalog(catalog: Catalog, options: WireOptions): string {
  return new TextDecoder().decode(encodeCatalog(catalog, options))
}

/**
 * Formats a catalog for an agent, as JSON in UTF-8; protocol.md 5. Writes the text in pieces, so that memory does not
 * contain a second copy of a large catalog.
 */
export function encodeCatalog(catalog: Catalog, options: WireOptions): Uint8Array<ArrayBuffer> {
  return writeCatalog(catalog, options).bytes
}

function writeCatalog(
  catalog: Catalog,
  options: WireOptions,
): Required<Pick<IdentifiedCatalog, 'metadataAt'>> & { readonly bytes: Uint8Array<ArrayBuffer> } {
  const { resources, edges, metadata, recursiveMetadata } = catalog
  const writer = new Utf8Writer(64 * 1024 + resources.length * 1024)
  writer.write(formatCatalogHead(catalog))
  writer.write(`,"catalog_format":2,"environment":${quoteJsonText(catalog.environment)},"resources":[`)
  for (const [index, resource] of resources.entries())
    writer.write((index === 0 ? '' : ',') + formatResource(resource, options, writer))
  writer.write('],"edges":[')
  for (const [index, { source, target }] of edges.entries())
    writer.write(`${index === 0 ? '' : ','}{"source":${quoteJsonText(source)},"target":${quoteJsonText(target)}}`)
  writer.write(']')
  const metadataAt = writer.size
  if (metadata.size > 0) writer.write(`,"metadata":${formatExactJson(mapToObject(metadata, fileMetadataToWire))}`)
  if (recursiveMetadata.size > 0)
    writer.write(`,"recursive_metadata":${formatExactJson(mapToObject(recursiveMetadata, treesToWire))}`)
  writer.write(`,"classes":${JSON.stringify(catalog.classes)}}`)
  return { bytes: writer.bytes(), metadataAt }
}

/** Returns the start of a catalog's text: the values that depend on the commit, and the tags and name before them. */
export function formatCatalogHead({ tags, name, version, codeId, catalogUuid }: CatalogHead): string {
  return (
    `{"tags":${JSON.stringify(tags)},"name":${quoteJsonText(name)},"version":${formatExactJson(version)}` +
    `,"code_id":${JSON.stringify(codeId ?? null)},"catalog_uuid":${quoteJsonText(catalogUuid)}`
  )
}

/** Returns the JSON of a resource up to its parameters, without the closing brace. */
export function formatResourceHead({ type, title, tags, file, line, exported, kind }: Resource): string {
  let text = `{"type":${quoteJsonText(type)},"title":${quoteJsonText(title)},"tags":${JSON.stringify(tags)}`
  if (file !== undefined) text += `,"file":${quoteJsonText(file)}`
  if (line !== undefined) text += `,"line":${line}`
  return `${text},"exported":${exported},"kind":"${kind}"`
}

function formatResource(resource: Resource, options: WireOptions, { size }: Utf8Writer): string {
  let text = formatResourceHead(resource)
  const sensitive: string[] = []
  let before = ',"parameters":{'
  for (const [name, value] of resource.parameters) {
    if (value instanceof Sensitive) sensitive.push(name)
    const bare = value instanceof Sensitive ? value.unwrap() : value
    text += `${before}${quoteJsonText(name)}:${formatParameterValue(bare, resource, name, options)}`
    if (size + text.length > most) throwIssue(issues.CATALOG_TOO_LARGE, { most })
    before = ','
  }
  if (before === ',') text += '}'
  if (sensitive.length > 0) text += `,"sensitive_parameters":${JSON.stringify(sensitive)}`
  return `${text}}`
}

function formatParameterValue(value: Value, resource: Resource, name: string, options: WireOptions): string {
  if (typeof value === 'string' && value.isWellFormed()) return quoteJsonText(value)
  if (typeof value === 'boolean') return String(value)
  const { richData, warn, onBytes } = options
  const path = `${resource.type}[${resource.title}]['${name}']`
  const bytes = richData && canBeBinary(resource, name) ? 'binary' : 'refused'
  try {
    return formatExactJson(toRichData(value, { richData, path, bytes, ...(warn && { warn }) }))
  } catch (error) {
    if (!onBytes || !isNotUtf8(error)) throw error
    onBytes()
    return formatExactJson(toRichData(value, { richData, path, bytes: 'escaped', ...(warn && { warn }) }))
  }
}

/**
 * Returns true for parameters whose Binary value an agent uses as bytes or does not use at all. For
 * other parameters, the value would become base64 text, so an error is reported.
 */
function canBeBinary({ type, kind }: Resource, name: string): boolean {
  return (type === 'File' && name === 'content') || kind === 'class' || kind === 'defined_type'
}

function treesToWire(bySource: ReadonlyMap<string, readonly FileMetadata[]>) {
  return mapToObject(bySource, (files) => files.map(fileMetadataToWire))
}

function mapToObject<Value>(map: ReadonlyMap<string, Value>, write: (value: Value) => ExactJson): ExactJson {
  return createExactObject(Array.from(map, ([key, value]) => [key, write(value)]))
}
