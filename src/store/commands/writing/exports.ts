import type { ExactObject } from '../../../base/json/exact-json.ts'
import type { ExportedResource } from '../../../model/exported-resource.ts'

/** Data that is sent with the exports of a node, but is not part of them. */
export interface ExportsEnvelope {
  readonly environment: string
  readonly producer: string
  readonly producerTimestamp: string
}

/** The payload of `replace catalog` 9 for a node of which only the exported resources are known. */
export function buildExportsPayload(
  certname: string,
  resources: readonly ExportedResource[],
  { environment, producer, producerTimestamp }: ExportsEnvelope,
): ExactObject {
  return {
    version: '0',
    code_id: null,
    catalog_uuid: null,
    resources: resources.map(({ type, title, tags, parameters }) => ({
      type,
      title,
      tags,
      exported: true,
      parameters,
    })),
    edges: [],
    job_id: null,
    certname,
    transaction_uuid: null,
    environment,
    producer_timestamp: producerTimestamp,
    producer,
  }
}
