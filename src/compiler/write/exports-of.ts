import { budgets } from '../../base/budgets/budgets.ts'
import { fail } from '../../base/issue.ts'
import { type ExactJson, exactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { toRichData } from '../../language/rich-data/rich-data.ts'
import { holdsSensitive } from '../../language/values/find-sensitive.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { ResourceTable } from '../catalog/resource-table.ts'
import { issues } from '../request/issues.ts'
import { aliasesOf } from './aliases-of.ts'
import { parametersOf } from './catalog-of.ts'

/**
 * Returns the exported resources of the catalog, including resources that this node also realizes. Values become plain
 * JSON; Sensitive values are omitted. puppet-terminus-puppetdb: indirector/catalog/puppetdb.rb.
 */
export function exportsOf({ request, table }: Compilation): readonly ExportedResource[] {
  const certname = request.node.name
  const most = budgets.environment.catalogBody.bound
  let size = 0
  return table.resources
    .filter(({ exported }) => exported)
    .map((resource) => {
      const { type, title, tags } = resource
      const parameters = exactObject(parametersIn(resource, table))
      size += printJson(parameters).length
      if (size > most) fail(issues.TOO_LARGE_EXPORTS, { most })
      return { certname, type, title, tags: tags.list(), parameters }
    })
}

/** Metaparameters whose values have no relevant order. */
const unordered = ['alias', 'audit', 'before', 'notify', 'require', 'subscribe', 'tag']

function parametersIn(resource: CatalogResource, table: ResourceTable): (readonly [string, ExactJson])[] {
  const values = parametersOf(resource, table)
  const aliases = aliasesOf(resource, table)
  if (aliases.length > 0) values.set('alias', aliases)
  return Array.from(values)
    .filter(([, value]) => !holdsSensitive(value))
    .map(([name, value]) => {
      const path = `${resource.type}[${resource.title}]['${name}']`
      const json = toRichData(value, { richData: false, path, warn: () => {} })
      return [name, Array.isArray(json) && unordered.includes(name) ? [...json].sort(byText) : json] as const
    })
}

function byText(a: ExactJson, b: ExactJson): number {
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
