import type { Compilation } from '../../compiler/catalog/compilation.ts'
import type { WorkedCatalog } from '../../compiler/script-evaluation.ts'
import { resolveDeferred } from '../../language/functions/deferred.ts'
import { hasDeferred } from '../../language/values/deferred.ts'
import type { Resource } from '../../model/catalog.ts'

/** Replaces the Deferred values of a catalog with their results, as rspec-puppet does. Throws the error of a function. */
export function resolveDeferredValues(worked: WorkedCatalog, { host, top }: Compilation): WorkedCatalog {
  const { catalog } = worked
  const resolve = (resource: Resource): Resource => {
    const { parameters } = resource
    if (![...parameters.values()].some(hasDeferred)) return resource
    const context = { host, scope: top, span: undefined }
    const resolved = Array.from(
      parameters,
      ([name, value]) => [name, hasDeferred(value) ? resolveDeferred(value, context) : value] as const,
    )
    return { ...resource, parameters: new Map(resolved) }
  }
  return { ...worked, catalog: { ...catalog, resources: catalog.resources.map(resolve) } }
}
