import { createTwoFilesPatch } from 'diff'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import type { Catalog } from '../../model/catalog.ts'
import { formatCatalog } from '../../model/catalog-text.ts'

/** Files of golden catalogs, by name. */
export interface GoldenFiles {
  read(name: string): string | undefined
  write(name: string, text: string): void
  /** True to replace the files by the catalogs. */
  readonly isUpdated: boolean
}

/** Lines of a difference that a failure shows. */
const shownLines = 60

/**
 * Compares a catalog with its golden catalog, or writes the golden catalog. Returns the difference, or undefined if
 * there is none.
 */
export function compareGolden(catalog: Catalog, name: string, files: GoldenFiles): string | undefined {
  const text = formatGolden(catalog)
  const golden = files.read(name)
  if (golden === text) return undefined
  if (files.isUpdated) {
    files.write(name, text)
    return undefined
  }
  if (golden === undefined) return `The golden catalog '${name}' does not exist. Run 'plumb test --update' to write it.`
  const patch = createTwoFilesPatch('golden', 'catalog', golden, text, undefined, undefined, { context: 3 })
  const lines = patch.split('\n').slice(1)
  const more = lines.length > shownLines ? `\n… ${lines.length - shownLines} more lines` : ''
  return `The catalog differs from the golden catalog '${name}':\n${lines.slice(0, shownLines).join('\n')}${more}`
}

/**
 * The content of a catalog that depends on the code alone: resources with their parameters, and containment, without
 * versions, locations and tags.
 */
function formatGolden(catalog: Catalog): string {
  const wire = parseJson(formatCatalog(catalog, { richData: true })) as Readonly<Record<string, unknown>>
  const resources = (wire['resources'] as readonly Readonly<Record<string, unknown>>[]).map(
    ({ type, title, exported, parameters }) => ({ type, title, ...(exported === true && { exported }), parameters }),
  )
  return `${formatExactJson({ resources, edges: wire['edges'] }, 2)}\n`
}
