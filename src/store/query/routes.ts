import type { Ast } from './ast.ts'
import {
  aggregateNames,
  countNames,
  eventNames,
  type ParameterNames,
  rootNames,
  single,
  typical,
} from './parameters.ts'

/** An object that must exist; if it does not, the response is 404. */
export interface Parent {
  readonly kind: 'node' | 'environment' | 'producer' | 'catalog' | 'factset' | 'report'
  readonly id: string
}

/** The entity, the parameters and the conditions that belong to a path. */
export interface Route {
  /** Absent for the root path, where the query itself names the entity. */
  readonly entity?: string
  readonly parameters: ParameterNames
  readonly conditions: readonly Ast[]
  /** True to return only active nodes, unless the query has a condition on the state of nodes. */
  readonly active: boolean
  readonly parent?: Parent
  /**
   * `rows`: a list; `one`: a single object; `metrics` and `logs`: the list in the field `data` of
   * the first row.
   */
  readonly answer: 'rows' | 'one' | 'metrics' | 'logs'
}

interface Place {
  readonly entity: string
  readonly active?: boolean
  readonly parameters?: ParameterNames
  readonly conditions?: readonly Ast[]
  readonly parent?: Parent
}

/**
 * Returns the route of a path below `/pdb/query/v4`, given by its segments; `undefined` if the path
 * does not exist.
 */
export function routeOf(parts: readonly string[]): Route | undefined {
  const [first, ...rest] = parts
  if (first === undefined) return { parameters: rootNames, conditions: [], active: true, answer: 'rows' }
  return Object.hasOwn(tops, first) ? tops[first]!(rest) : undefined
}

/** Decodes the segments of a path; an empty segment counts as a name. */
export function partsOf(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function rows({ entity, active = false, parameters = typical, conditions = [], parent }: Place): Route {
  return { entity, parameters, conditions, active, answer: 'rows', ...(parent && { parent }) }
}

const plain = (entity: string, active: boolean) => (rest: readonly string[]) =>
  rest.length === 0 ? rows({ entity, active }) : undefined

/** The route of a single object, by name. */
function one(entity: string, field: string, parent: Parent, parameters: ParameterNames = typical): Route {
  return { entity, parameters, conditions: [['=', field, parent.id]], active: false, parent, answer: 'one' }
}

const tops: Readonly<Record<string, (rest: readonly string[]) => Route | undefined>> = {
  nodes: nodesRoute,
  environments: (rest) => named('environment', rest),
  producers: (rest) => named('producer', rest),
  factsets: (rest) => factsetsRoute(rest, []),
  facts: (rest) => factsRoute(rest, []),
  'fact-names': (rest) => (rest.length === 0 ? rows({ entity: 'fact_names' }) : undefined),
  'fact-paths': plain('fact_paths', false),
  'fact-contents': plain('fact_contents', true),
  inventory: plain('inventory', true),
  'catalog-history': plain('catalog_history', false),
  'node-history': plain('node_history', false),
  'sourced-files': plain('sourced_files', false),
  catalogs: (rest) => catalogsRoute(rest, []),
  edges: plain('edges', true),
  resources: (rest) => resourcesRoute(rest, []),
  reports: (rest) => reportsRoute(rest, []),
  events: (rest) => (rest.length === 0 ? rows({ entity: 'events', parameters: eventNames }) : undefined),
  'event-counts': (rest) => (rest.length === 0 ? rows({ entity: 'event_counts', parameters: countNames }) : undefined),
  'aggregate-event-counts': (rest) =>
    rest.length === 0 ? rows({ entity: 'aggregate_event_counts', parameters: aggregateNames }) : undefined,
  packages: plain('packages', false),
  'package-inventory': ([node, ...rest]) => {
    if (rest.length > 0 || node === '') return undefined
    return node === undefined
      ? rows({ entity: 'package_inventory', active: true })
      : rows({ entity: 'package_inventory', conditions: [['=', 'certname', node]] })
  },
  'catalog-inputs': plain('catalog_inputs', true),
  'catalog-input-contents': plain('catalog_input_contents', true),
}

function withParent(route: Route | undefined, parent: Parent): Route | undefined {
  return route && { ...route, parent: route.parent ?? parent }
}

function nodesRoute([node, what, ...rest]: readonly string[]): Route | undefined {
  if (node === undefined) return rows({ entity: 'nodes', active: true })
  const parent: Parent = { kind: 'node', id: node }
  const own = ['=', 'certname', node]
  if (what === undefined) return one('nodes', 'certname', parent)
  if (what === 'facts') return withParent(factsRoute(rest, [own]), parent)
  return what === 'resources' ? withParent(resourcesRoute(rest, [own]), parent) : undefined
}

function named(kind: 'environment' | 'producer', [name, what, ...rest]: readonly string[]): Route | undefined {
  const entity = `${kind}s`
  if (name === undefined) return rows({ entity })
  const parent: Parent = { kind, id: name }
  if (what === undefined) return one(entity, 'name', parent, single)
  const own = ['=', kind, name]
  return withParent(below(kind, what, rest, own), parent)
}

function below(kind: 'environment' | 'producer', what: string, rest: readonly string[], own: Ast): Route | undefined {
  if (what === 'reports') return reportsRoute(rest, [own])
  if (kind === 'producer') {
    if (what === 'factsets') return factsetsRoute(rest, [own])
    return what === 'catalogs' ? catalogsRoute(rest, [own]) : undefined
  }
  if (what === 'facts') return factsRoute(rest, [own])
  if (what === 'resources') return resourcesRoute(rest, [own])
  if (what !== 'events' || rest.length > 0) return undefined
  return rows({ entity: 'events', parameters: eventNames, conditions: [own] })
}

function factsRoute([name, value, ...rest]: readonly string[], own: readonly Ast[]): Route | undefined {
  if (rest.length > 0) return undefined
  const conditions: Ast[] = [...own]
  if (name !== undefined) conditions.unshift(['=', 'name', name])
  if (value !== undefined) conditions.unshift(['=', 'value', value])
  return rows({ entity: 'facts', active: true, conditions })
}

function resourcesRoute([type, title, ...rest]: readonly string[], own: readonly Ast[]): Route | undefined {
  if (rest.length > 0) return undefined
  const conditions: Ast[] = [...own]
  if (type !== undefined) conditions.unshift(['=', 'type', type])
  if (title !== undefined) conditions.unshift(['=', 'title', title])
  return rows({ entity: 'resources', active: true, conditions })
}

function factsetsRoute([node, what, ...rest]: readonly string[], own: readonly Ast[]): Route | undefined {
  if (node === undefined) return rows({ entity: 'factsets', active: true, conditions: own })
  const parent: Parent = { kind: 'factset', id: node }
  if (what === undefined) return one('factsets', 'certname', parent)
  if (what !== 'facts' || rest.length > 0) return undefined
  return { ...rows({ entity: 'factsets', conditions: [...own, ['=', 'certname', node]] }), parent }
}

function catalogsRoute([node, what, ...rest]: readonly string[], own: readonly Ast[]): Route | undefined {
  if (node === undefined) return rows({ entity: 'catalogs', conditions: own })
  const parent: Parent = { kind: 'catalog', id: node }
  if (what === undefined) return one('catalogs', 'certname', parent)
  const mine = ['=', 'certname', node]
  if (what === 'resources') return withParent(resourcesRoute(rest, [...own, mine]), parent)
  if (what !== 'edges' || rest.length > 0) return undefined
  return { ...rows({ entity: 'edges', active: true, conditions: own }), parent }
}

function reportsRoute([hash, what, ...rest]: readonly string[], own: readonly Ast[]): Route | undefined {
  if (hash === undefined) return rows({ entity: 'reports', conditions: own })
  if (hash === '' || what === undefined || rest.length > 0) return undefined
  const parent: Parent = { kind: 'report', id: hash }
  if (what === 'events')
    return {
      ...rows({ entity: 'events', parameters: eventNames, conditions: [['=', 'report', hash], ...own] }),
      parent,
    }
  if (what !== 'metrics' && what !== 'logs') return undefined
  return {
    entity: 'reports',
    parameters: single,
    conditions: [['=', 'hash', hash]],
    active: false,
    parent,
    answer: what,
  }
}
