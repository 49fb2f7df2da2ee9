import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { trimTrailingSlashes } from '../../../base/text/trailing-characters.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { Catalog } from '../../../model/catalog.ts'
import { parseReceivedCatalog } from '../../../model/catalog-parser.ts'
import { decryptCatalogSecrets } from '../../../model/catalog-secrets.ts'
import { issues as resourceIssues } from '../../resources/issues.ts'
import { capitalizeTypeName, splitReference } from '../../resources/reference.ts'
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

/** Reads the private key of this node as PEM; `undefined` without a key. */
export type ReadNodeKey = () => Promise<string | undefined>

/**
 * Reads a catalog from its wire JSON, and decrypts its secrets with the key of this node. Throws if a title or alias occurs twice, or if an edge names a missing resource.
 * Puppet: Resource::Catalog.from_data_hash.
 */
export async function internCatalog(wire: unknown, readKey: ReadNodeKey): Promise<Catalog> {
  try {
    const catalog = await parseReceivedCatalog(await decryptCatalogSecrets(wire as ExactJson, readKey))
    checkConflicts(catalog)
    return catalog
  } catch (error) {
    return throwIssue(issues.NOT_INTERNED, { why: formatError(error) })
  }
}

function checkConflicts({ resources, edges }: Catalog): void {
  const names = new ResourceNames()
  for (const { type, title, file, line, parameters } of resources) {
    const resource = { ...normalizeResourceName(type, title), file, line }
    names.addTitle(resource)
    for (const alias of listAliases(parameters.get('alias'))) names.addAlias(resource, alias)
  }
  for (const { source, target } of edges) {
    if (!isInCatalog(names, source)) throwIssue(issues.MISSING_SOURCE, { source, target })
    if (!isInCatalog(names, target)) throwIssue(issues.MISSING_TARGET, { source, target })
  }
}

/** Formats type and title for messages, in which types and titles of classes are capitalized. */
function normalizeResourceName(type: string, title: string): { readonly reference: string; readonly title: string } {
  const typeName = capitalizeTypeName(type.toLowerCase())
  const own = typeName === 'Class' ? capitalizeTypeName(title.toLowerCase().replace(/^::/, '')) : title
  return { reference: `${typeName}[${own}]`, title: own }
}

function listAliases(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flatMap(listAliases) : [String(value)]
}

/**
 * True if the catalog contains the resource. A file path with a trailing slash also matches the
 * resource without the slash.
 */
function isInCatalog(names: ResourceNames, text: string): boolean {
  const reference = splitReference(text) ?? throwIssue(resourceIssues.NO_REFERENCE, { text })
  const resource = normalizeResourceName(reference.type, reference.title)
  if (names.find(resource)) return true
  const { title } = resource
  return reference.type === 'file' && names.find({ ...resource, title: trimTrailingSlashes(title) }) !== undefined
}
