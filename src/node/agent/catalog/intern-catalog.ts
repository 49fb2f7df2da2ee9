import { defineIssues, fail } from '../../../base/issue.ts'
import { withoutTrailingSlashes } from '../../../base/text/trailing.ts'
import { errorText } from '../../../language/ruby-semantics/errno.ts'
import type { Catalog } from '../../../model/catalog.ts'
import { receivedCatalog } from '../../../model/read-catalog.ts'
import { issues as resourceIssues } from '../../resources/issues.ts'
import { capitalised, splitReference } from '../../resources/reference.ts'
import { ResourceNames } from './resource-names.ts'

const issues = defineIssues({
  NOT_INTERNED: { text: (a: { why: string }) => `Could not intern from rich_data_json: ${a.why}` },
  MISSING_SOURCE: {
    text: (a: { source: string; target: string }) =>
      `Could not intern from data: Could not find relationship source ${JSON.stringify(a.source)} for ${a.target}`,
  },
  MISSING_TARGET: {
    text: (a: { source: string; target: string }) =>
      `Could not intern from data: Could not find relationship target ${JSON.stringify(a.target)} for ${a.source}`,
  },
})

/**
 * Reads a catalog from its wire JSON. Throws if a title or alias occurs twice, or if an edge names a missing resource.
 * Puppet: Resource::Catalog.from_data_hash.
 */
export async function internCatalog(wire: unknown): Promise<Catalog> {
  try {
    const catalog = await receivedCatalog(wire)
    refuseConflicts(catalog)
    return catalog
  } catch (error) {
    return fail(issues.NOT_INTERNED, { why: errorText(error) })
  }
}

function refuseConflicts({ resources, edges }: Catalog): void {
  const names = new ResourceNames()
  for (const { type, title, file, line, parameters } of resources) {
    const resource = { ...named(type, title), file, line }
    names.addTitle(resource)
    for (const alias of aliasesIn(parameters.get('alias'))) names.addAlias(resource, alias)
  }
  for (const { source, target } of edges) {
    if (!isKnown(names, source)) fail(issues.MISSING_SOURCE, { source, target })
    if (!isKnown(names, target)) fail(issues.MISSING_TARGET, { source, target })
  }
}

/** Formats type and title for messages, in which types and titles of classes are capitalized. */
function named(type: string, title: string): { readonly reference: string; readonly title: string } {
  const typeName = capitalised(type.toLowerCase())
  const own = typeName === 'Class' ? capitalised(title.toLowerCase().replace(/^::/, '')) : title
  return { reference: `${typeName}[${own}]`, title: own }
}

function aliasesIn(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flatMap(aliasesIn) : [String(value)]
}

/**
 * True if the catalog contains the resource. A file path with a trailing slash also matches the
 * resource without the slash.
 */
function isKnown(names: ResourceNames, text: string): boolean {
  const reference = splitReference(text) ?? fail(resourceIssues.NO_REFERENCE, { text })
  const resource = named(reference.type, reference.title)
  if (names.find(resource)) return true
  const { title } = resource
  return reference.type === 'file' && names.find({ ...resource, title: withoutTrailingSlashes(title) }) !== undefined
}
