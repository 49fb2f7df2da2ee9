import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { createExactObject, type ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { toRichData } from '../../language/rich-data/rich-data.ts'
import { hasSensitive } from '../../language/values/find-sensitive.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { ResourceTable } from '../catalog/resource-table.ts'
import { issues } from '../request/issues.ts'
import { getWrittenParameters } from './catalog-output.ts'
import { listResourceAliases } from './resource-aliases.ts'

/**
 * Returns the exported resources of the catalog, including resources that this node also realizes. Values become plain
 * JSON; Sensitive values are omitted. puppet-terminus-puppetdb: indirector/catalog/puppetdb.rb.
 */
export function listNodeExports({ request, table }: Compilation): readonly ExportedResource[] {
  const certname = request.node.name
  const most = budgets.environment.catalogBody.bound
  let size = 0
  return table.resources
    .filter(({ exported }) => exported)
    .map((resource) => {
      const { type, title, tags } = resource
      const parameters = createExactObject(listExportedParameters(resource, table))
      size += formatExactJson(parameters).length
      if (size > most) throwIssue(issues.TOO_LARGE_EXPORTS, { most })
      return { certname, type, title, tags: tags.list(), parameters }
    })
}

/** Metaparameters whose values have no relevant order. */
const unordered = ['alias', 'audit', 'before', 'notify', 'require', 'subscribe', 'tag']

function listExportedParameters(resource: CatalogResource, table: ResourceTable): (readonly [string, ExactJson])[] {
  const values = getWrittenParameters(resource, table)
  const aliases = listResourceAliases(resource, table)
  if (aliases.length > 0) values.set('alias', aliases)
  return Array.from(values)
    .filter(([, value]) => !hasSensitive(value))
    .map(([name, value]) => {
      const path = `${resource.type}[${resource.title}]['${name}']`
      const json = toRichData(value, { richData: false, path, warn: () => {} })
      return [name, Array.isArray(json) && unordered.includes(name) ? [...json].sort(compareAsText) : json] as const
    })
}

function compareAsText(a: ExactJson, b: ExactJson): number {
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
