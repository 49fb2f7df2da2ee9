import type { Json } from '../../base/json/json-checks.ts'
import type { WorkedCatalog } from '../../compiler/script-evaluation.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import type { Resource } from '../../model/catalog.ts'
import { type Crossings, toRuby } from '../../ruby/tagged-json.ts'

/**
 * Converts a catalog to JSON for Ruby. A resource is a list: type, title, kind, file, line, exported, tags, names of
 * sensitive parameters, and the parameters as names and values in the format of tagged-json.ts.
 */
export function toCatalogJson({ catalog, namevars, moduleTypes }: WorkedCatalog, exported: boolean): Json {
  const { name, classes, resources, edges } = catalog
  const written = exported ? resources.filter((each) => each.exported) : resources
  return {
    name,
    classes,
    moduleTypes,
    namevars: Object.fromEntries(namevars),
    resources: written.map(toResourceJson),
    edges: edges.map(({ source, target }) => [source, target]),
  }
}

function toResourceJson({ type, title, kind, file, line, exported, tags, parameters }: Resource): Json {
  const sensitive = [...parameters].flatMap(([name, value]) => (value instanceof Sensitive ? [name] : []))
  const values = [...parameters].flatMap(([name, value]) => [name, toRuby(unwrap(value), plainCrossings)])
  return [type, title, kind, file ?? null, line ?? null, exported, tags, sensitive, values]
}

function unwrap(value: Value): Value {
  return value instanceof Sensitive ? value.unwrap() : value
}

/** Crossings of values in catalogs, which contain no lambdas. */
export const plainCrossings: Crossings = {
  keep: () => 0,
  kept: () => undefined,
  getScopeNumber: () => 0,
  block: () => {
    throw new Error('a catalog contains no blocks')
  },
  resolve: () => undefined,
}
