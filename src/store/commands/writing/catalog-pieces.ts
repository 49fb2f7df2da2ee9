import { formatExactJson } from '../../../base/json/json-text.ts'
import type { FullCatalog } from '../../../model/catalog.ts'
import { buildPayloadHead, buildPayloadTail, type CatalogEnvelope } from './catalog.ts'

/** The fields of a catalog's payload besides its resources and edges. */
export type CatalogFields = Pick<FullCatalog, 'version' | 'codeId' | 'catalogUuid' | 'name' | 'environment'>

/**
 * Extracts the resources and edges from the bytes of a catalog's payload, as JSON members without
 * the surrounding braces.
 */
export function extractStoredPart(payload: Uint8Array, fields: CatalogFields, sending: CatalogEnvelope): Uint8Array {
  const { head, tail } = buildPayloadFrame(fields, sending)
  return payload.slice(Buffer.byteLength(head), payload.length - Buffer.byteLength(tail))
}

/** Builds a payload that contains the stored resources and edges of another payload. */
export function buildPayload(stored: Uint8Array, fields: CatalogFields, sending: CatalogEnvelope): Uint8Array {
  const { head, tail } = buildPayloadFrame(fields, sending)
  const headSize = Buffer.byteLength(head)
  const buffer = Buffer.from(new ArrayBuffer(headSize + stored.length + Buffer.byteLength(tail)))
  buffer.write(head)
  buffer.set(stored, headSize)
  buffer.write(tail, headSize + stored.length)
  return buffer
}

function buildPayloadFrame(
  fields: CatalogFields,
  sending: CatalogEnvelope,
): { readonly head: string; readonly tail: string } {
  const [head, tail] = [
    formatExactJson(buildPayloadHead(fields, sending)),
    formatExactJson(buildPayloadTail(fields, sending)),
  ]
  return { head: `${head.slice(0, -1)},`, tail: `,${tail.slice(1)}` }
}
