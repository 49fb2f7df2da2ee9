import type { ExactJson } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import { type Catalog, referenceOf } from '../../model/catalog.ts'
import { type CatalogDiff, type CatalogSide, diffSides, isEmpty, sideOf } from '../../model/catalog-diff.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { movedIn } from './moved.ts'
import type { NodeChange, ParameterChange } from './node-change.ts'
import { parameterChange, shownValue } from './shown-value.ts'
import { filesBelow } from './static-sources.ts'

/** Maximum total length of the displayed values and patches of a change, in characters. */
const mostCharacters = 1024 * 1024

/** Maximum number of resources, of edges and of moves listed in a change; the counts include all. */
const mostListed = 1000

/**
 * Returns the change from one catalog to another, for display; `undefined` if they are equal.
 * Catalogs are in wire format.
 */
export function catalogChange(from: Uint8Array, to: Uint8Array): NodeChange | undefined {
  const [before, after] = [readCatalog(from), readCatalog(to)]
  const [old, own] = [sideOf(before), sideOf(after)]
  const diff = diffSides(old, own)
  const moved = movedIn([...old.resources.keys()], [...own.resources.keys()])
  if (isEmpty(diff) && moved.length === 0) return undefined
  return {
    counts: countsIn(diff, moved),
    added: diff.added.slice(0, mostListed).map((resource) => addedResource(resource, own)),
    removed: diff.removed.slice(0, mostListed),
    changed: changedIn(diff, before, after),
    edges: {
      added: diff.edges.added.slice(0, mostListed),
      removed: diff.edges.removed.slice(0, mostListed),
    },
    moved: moved.slice(0, mostListed),
  }
}

function readCatalog(body: Uint8Array): Catalog {
  return catalogFromWire(parseJson(new TextDecoder().decode(body)))
}

function countsIn({ added, removed, changed, edges }: CatalogDiff, moved: readonly string[]): NodeChange['counts'] {
  return {
    ...{ added: added.length, removed: removed.length, changed: changed.length, moved: moved.length },
    ...{ edgesAdded: edges.added.length, edgesRemoved: edges.removed.length },
  }
}

function addedResource(resource: string, { resources }: CatalogSide): NodeChange['added'][number] {
  const parameters = [...resources.get(resource)!].map(([name, value]) => ({ name, value: shownValue(value) }))
  return { resource, parameters: parameters as readonly { name: string; value: ExactJson }[] }
}

function changedIn({ changed }: CatalogDiff, before: Catalog, after: Catalog): NodeChange['changed'] {
  const listed = changed.slice(0, mostListed)
  const names = new Set(listed.map(({ resource }) => resource))
  const titles = after.resources.filter((each) => names.has(referenceOf(each)))
  const files = new Map(titles.map((each) => [referenceOf(each), filesBelow(each, before, after)] as const))
  let left = mostCharacters
  const bounded = (change: ParameterChange): ParameterChange => {
    left -= printJson(change as unknown as ExactJson).length
    return left < 0 ? { name: change.name, from: undefined, to: undefined, patch: '… omitted: too long' } : change
  }
  return listed.map(({ resource, parameters }) => ({
    resource,
    parameters: parameters.map((each) => bounded(parameterChange(each, files.get(resource)?.get(each.name)))),
  }))
}
