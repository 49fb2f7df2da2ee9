import { formatExactJson } from '../../base/json/json-text.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'

/**
 * Text of exported resources as the collecting node sees them. The tags are omitted, since they stay on the exporting
 * node.
 */
export function formatExportedResources(resources: readonly ExportedResource[]): string {
  return formatExactJson(
    resources.map(({ certname, type, title, parameters }) => ({ certname, type, title, parameters })),
  )
}
