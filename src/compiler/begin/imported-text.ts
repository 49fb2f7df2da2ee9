import { printJson } from '../../base/json/json-text.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'

/** Exported resources as far as who collects them gets them: tags stay where they were exported. */
export function importedText(resources: readonly ExportedResource[]): string {
  return printJson(resources.map(({ certname, type, title, parameters }) => ({ certname, type, title, parameters })))
}
