import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { type Catalog, formatResourceReference } from '../../model/catalog.ts'
import {
  type CatalogDiff,
  diffPreparedCatalogs,
  isEmptyDiff,
  type PreparedCatalog,
  prepareCatalog,
} from '../../model/catalog-diff.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { listContainingClasses, listRestartedServices } from './change-reach.ts'
import type { NodeChange, ParameterChange } from './node-change.ts'
import { describeParameterChange, toDisplayValue } from './parameter-values.ts'
import { findMovedNames } from './resource-order.ts'
import { listFilePairs } from './static-sources.ts'

/** Maximum total length of the displayed values and patches of a change, in characters. */
const mostCharacters = 1024 * 1024

/** Maximum number of resources, of edges and of moves listed in a change; the counts include all. */
const mostListed = 1000

/**
 * Returns the change from one catalog to another, for display; `undefined` if they are equal.
 * Catalogs are in wire format.
 */
export function computeCatalogChange(from: Uint8Array, to: Uint8Array): NodeChange | undefined {
  const [before, after] = [parseCatalog(from), parseCatalog(to)]
  const [old, own] = [prepareCatalog(before), prepareCatalog(after)]
  const diff = diffPreparedCatalogs(old, own)
  const moved = findMovedNames([...old.resources.keys()], [...own.resources.keys()])
  if (isEmptyDiff(diff) && moved.length === 0) return undefined
  return {
    counts: countChanges(diff, moved),
    added: diff.added.slice(0, mostListed).map((resource) => describeAddedResource(resource, own)),
    removed: diff.removed.slice(0, mostListed),
    changed: listChangedResources(diff, before, after),
    edges: {
      added: diff.edges.added.slice(0, mostListed),
      removed: diff.edges.removed.slice(0, mostListed),
    },
    moved: moved.slice(0, mostListed),
    ...computeReach(diff, { before, after, own }),
  }
}

/** Returns the classes and the services that a difference reaches. */
function computeReach(
  { added, removed, changed }: CatalogDiff,
  { before, after, own }: { readonly before: Catalog; readonly after: Catalog; readonly own: PreparedCatalog },
): Pick<NodeChange, 'classes' | 'restarts'> {
  const present = [...added, ...changed.map(({ resource }) => resource)]
  const { resources } = own
  return {
    classes: listContainingClasses([...present, ...removed], [before, after]),
    restarts: listRestartedServices(present, { catalog: after, resources }),
  }
}

function parseCatalog(body: Uint8Array): Catalog {
  return catalogFromWire(parseJson(new TextDecoder().decode(body)))
}

function countChanges({ added, removed, changed, edges }: CatalogDiff, moved: readonly string[]): NodeChange['counts'] {
  return {
    ...{ added: added.length, removed: removed.length, changed: changed.length, moved: moved.length },
    ...{ edgesAdded: edges.added.length, edgesRemoved: edges.removed.length },
  }
}

function describeAddedResource(resource: string, { resources }: PreparedCatalog): NodeChange['added'][number] {
  const parameters = [...resources.get(resource)!].map(([name, value]) => ({ name, value: toDisplayValue(value) }))
  return { resource, parameters: parameters as readonly { name: string; value: ExactJson }[] }
}

function listChangedResources({ changed }: CatalogDiff, before: Catalog, after: Catalog): NodeChange['changed'] {
  const listed = changed.slice(0, mostListed)
  const names = new Set(listed.map(({ resource }) => resource))
  const titles = after.resources.filter((each) => names.has(formatResourceReference(each)))
  const files = new Map(
    titles.map((each) => [formatResourceReference(each), listFilePairs(each, before, after)] as const),
  )
  let left = mostCharacters
  const limitChange = (change: ParameterChange): ParameterChange => {
    left -= formatExactJson(change as unknown as ExactJson).length
    return left < 0 ? { name: change.name, from: undefined, to: undefined, patch: '… omitted: too long' } : change
  }
  return listed.map(({ resource, parameters }) => ({
    resource,
    parameters: parameters.map((each) =>
      limitChange(describeParameterChange(each, files.get(resource)?.get(each.name))),
    ),
  }))
}
