import { printJson } from '../../base/json/json-text.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'

/**
 * Text of exported resources as the collecting node sees them. The tags are omitted, since they stay on the exporting
 * node.
 */
export function importedText(resources: readonly ExportedResource[]): string {
  return printJson(resources.map(({ certname, type, title, parameters }) => ({ certname, type, title, parameters })))
}
