import { isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { getEntries } from '../../base/json/exact-json.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import { CatalogResource } from '../catalog/catalog-resource.ts'
import { type Compilation, getFrame } from '../catalog/compilation.ts'
import { normalizeName } from '../code/code-definition.ts'
import { issues } from '../request/issues.ts'
import { addResource, applyDefaults } from './classes.ts'

/**
 * Adds another node's exported resource to this catalog, as if the code of `scope` had declared the resource. Does
 * nothing if a collector already added it. Throws DUPLICATE_EXPORT. Puppet: collectors/exported_collector.rb.
 */
export function importResource(
  compilation: Compilation,
  exported: ExportedResource,
  scope: Scope,
): CatalogResource | undefined {
  const { certname, type, title } = exported
  const origin = `${certname}|${type}|${title}`
  const existing = compilation.table.find(type, title)
  if (existing && existing.origin !== origin) throwIssue(issues.DUPLICATE_EXPORT, { resource: `${type}[${title}]` })
  if (existing) return undefined
  const resource = createCollectedResource(compilation, exported, scope, origin)
  try {
    addResource(compilation, resource, scope)
  } catch (error) {
    throw isIssue(error, issues.DUPLICATE_ALIAS) ? wrapCollectionError(error) : error
  }
  return resource
}

/**
 * Adds the prefix that Puppet adds to errors during collection if they are not Puppet::Error: Util::Errors#exceptwrap.
 */
function wrapCollectionError({ diagnostic }: PuppetError): PuppetError {
  const message = `Puppet::Parser::Compiler failed with error ArgumentError: ${diagnostic.message}`
  return new PuppetError({ ...diagnostic, message })
}

/**
 * Creates the resource. It keeps its own tags, but gets the tags of the collecting container instead of the tags of its
 * exporting container.
 */
function createCollectedResource(
  compilation: Compilation,
  { type, title, parameters }: ExportedResource,
  scope: Scope,
  origin: string,
): CatalogResource {
  const name = normalizeName(type)
  const resource = new CatalogResource({
    type: name,
    title,
    definition: compilation.types.resourceType(name)!,
    scope: scope.frame,
    source: getFrame(compilation, scope).definition,
    span: undefined,
    origin,
  })
  for (const [parameter, value] of getEntries(parameters))
    resource.set(parameter, { value: convertJsonToValue(value), source: undefined, span: undefined })
  resource.addTag(name)
  resource.tagIfValid(title)
  applyDefaults(compilation, resource)
  return resource
}
