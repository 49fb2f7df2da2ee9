import type { Ast } from './ast.ts'
import {
  aggregateNames,
  countNames,
  eventNames,
  type ParameterNames,
  rootNames,
  singleNames,
  typicalNames,
} from './parameters.ts'

/** An object that must exist; if it does not, the response is 404. */
export interface RouteParent {
  readonly kind: 'node' | 'environment' | 'producer' | 'catalog' | 'factset' | 'report'
  readonly id: string
}

/** The entity, the parameters and the conditions that belong to a path. */
export interface QueryRoute {
  /** Absent for the root path, where the query itself names the entity. */
  readonly entity?: string
  readonly parameters: ParameterNames
  readonly conditions: readonly Ast[]
  /** True to return only active nodes, unless the query has a condition on the state of nodes. */
  readonly active: boolean
  readonly parent?: RouteParent
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
  readonly parent?: RouteParent
}

/**
 * Returns the route of a path below `/pdb/query/v4`, given by its segments; `undefined` if the path
 * does not exist.
 */
export function findRoute(parts: readonly string[]): QueryRoute | undefined {
  const [first, ...rest] = parts
  if (first === undefined) return { parameters: rootNames, conditions: [], active: true, answer: 'rows' }
  return Object.hasOwn(tops, first) ? tops[first]!(rest) : undefined
}

/** Decodes the segments of a path; an empty segment counts as a name. */
export function decodePathSegments(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function createRowsRoute({
  entity,
  active = false,
  parameters = typicalNames,
  conditions = [],
  parent,
}: Place): QueryRoute {
  return { entity, parameters, conditions, active, answer: 'rows', ...(parent && { parent }) }
}

const createPlainRoute = (entity: string, active: boolean) => (rest: readonly string[]) =>
  rest.length === 0 ? createRowsRoute({ entity, active }) : undefined

/** The route of a single object, by name. */
function createObjectRoute(
  entity: string,
  field: string,
  parent: RouteParent,
  parameters: ParameterNames = typicalNames,
): QueryRoute {
  return { entity, parameters, conditions: [['=', field, parent.id]], active: false, parent, answer: 'one' }
}

const tops: Readonly<Record<string, (rest: readonly string[]) => QueryRoute | undefined>> = {
  nodes: findNodesRoute,
  environments: (rest) => findNamedRoute('environment', rest),
  producers: (rest) => findNamedRoute('producer', rest),
  factsets: (rest) => findFactsetsRoute(rest, []),
  facts: (rest) => findFactsRoute(rest, []),
  'fact-names': (rest) => (rest.length === 0 ? createRowsRoute({ entity: 'fact_names' }) : undefined),
  'fact-paths': createPlainRoute('fact_paths', false),
  'fact-contents': createPlainRoute('fact_contents', true),
  inventory: createPlainRoute('inventory', true),
  'catalog-history': createPlainRoute('catalog_history', false),
  'node-history': createPlainRoute('node_history', false),
  'sourced-files': createPlainRoute('sourced_files', false),
  catalogs: (rest) => findCatalogsRoute(rest, []),
  edges: createPlainRoute('edges', true),
  resources: (rest) => findResourcesRoute(rest, []),
  reports: (rest) => findReportsRoute(rest, []),
  events: (rest) => (rest.length === 0 ? createRowsRoute({ entity: 'events', parameters: eventNames }) : undefined),
  'event-counts': (rest) =>
    rest.length === 0 ? createRowsRoute({ entity: 'event_counts', parameters: countNames }) : undefined,
  'aggregate-event-counts': (rest) =>
    rest.length === 0 ? createRowsRoute({ entity: 'aggregate_event_counts', parameters: aggregateNames }) : undefined,
  packages: createPlainRoute('packages', false),
  'package-inventory': ([node, ...rest]) => {
    if (rest.length > 0 || node === '') return undefined
    return node === undefined
      ? createRowsRoute({ entity: 'package_inventory', active: true })
      : createRowsRoute({ entity: 'package_inventory', conditions: [['=', 'certname', node]] })
  },
  'catalog-inputs': createPlainRoute('catalog_inputs', true),
  'catalog-input-contents': createPlainRoute('catalog_input_contents', true),
}

function addParent(route: QueryRoute | undefined, parent: RouteParent): QueryRoute | undefined {
  return route && { ...route, parent: route.parent ?? parent }
}

function findNodesRoute([node, what, ...rest]: readonly string[]): QueryRoute | undefined {
  if (node === undefined) return createRowsRoute({ entity: 'nodes', active: true })
  const parent: RouteParent = { kind: 'node', id: node }
  const own = ['=', 'certname', node]
  if (what === undefined) return createObjectRoute('nodes', 'certname', parent)
  if (what === 'facts') return addParent(findFactsRoute(rest, [own]), parent)
  return what === 'resources' ? addParent(findResourcesRoute(rest, [own]), parent) : undefined
}

function findNamedRoute(
  kind: 'environment' | 'producer',
  [name, what, ...rest]: readonly string[],
): QueryRoute | undefined {
  const entity = `${kind}s`
  if (name === undefined) return createRowsRoute({ entity })
  const parent: RouteParent = { kind, id: name }
  if (what === undefined) return createObjectRoute(entity, 'name', parent, singleNames)
  const own = ['=', kind, name]
  return addParent(findNestedRoute(kind, what, rest, own), parent)
}

function findNestedRoute(
  kind: 'environment' | 'producer',
  what: string,
  rest: readonly string[],
  own: Ast,
): QueryRoute | undefined {
  if (what === 'reports') return findReportsRoute(rest, [own])
  if (kind === 'producer') {
    if (what === 'factsets') return findFactsetsRoute(rest, [own])
    return what === 'catalogs' ? findCatalogsRoute(rest, [own]) : undefined
  }
  if (what === 'facts') return findFactsRoute(rest, [own])
  if (what === 'resources') return findResourcesRoute(rest, [own])
  if (what !== 'events' || rest.length > 0) return undefined
  return createRowsRoute({ entity: 'events', parameters: eventNames, conditions: [own] })
}

function findFactsRoute([name, value, ...rest]: readonly string[], own: readonly Ast[]): QueryRoute | undefined {
  if (rest.length > 0) return undefined
  const conditions: Ast[] = [...own]
  if (name !== undefined) conditions.unshift(['=', 'name', name])
  if (value !== undefined) conditions.unshift(['=', 'value', value])
  return createRowsRoute({ entity: 'facts', active: true, conditions })
}

function findResourcesRoute([type, title, ...rest]: readonly string[], own: readonly Ast[]): QueryRoute | undefined {
  if (rest.length > 0) return undefined
  const conditions: Ast[] = [...own]
  if (type !== undefined) conditions.unshift(['=', 'type', type])
  if (title !== undefined) conditions.unshift(['=', 'title', title])
  return createRowsRoute({ entity: 'resources', active: true, conditions })
}

function findFactsetsRoute([node, what, ...rest]: readonly string[], own: readonly Ast[]): QueryRoute | undefined {
  if (node === undefined) return createRowsRoute({ entity: 'factsets', active: true, conditions: own })
  const parent: RouteParent = { kind: 'factset', id: node }
  if (what === undefined) return createObjectRoute('factsets', 'certname', parent)
  if (what !== 'facts' || rest.length > 0) return undefined
  return { ...createRowsRoute({ entity: 'factsets', conditions: [...own, ['=', 'certname', node]] }), parent }
}

function findCatalogsRoute([node, what, ...rest]: readonly string[], own: readonly Ast[]): QueryRoute | undefined {
  if (node === undefined) return createRowsRoute({ entity: 'catalogs', conditions: own })
  const parent: RouteParent = { kind: 'catalog', id: node }
  if (what === undefined) return createObjectRoute('catalogs', 'certname', parent)
  const mine = ['=', 'certname', node]
  if (what === 'resources') return addParent(findResourcesRoute(rest, [...own, mine]), parent)
  if (what !== 'edges' || rest.length > 0) return undefined
  return { ...createRowsRoute({ entity: 'edges', active: true, conditions: own }), parent }
}

function findReportsRoute([hash, what, ...rest]: readonly string[], own: readonly Ast[]): QueryRoute | undefined {
  if (hash === undefined) return createRowsRoute({ entity: 'reports', conditions: own })
  if (hash === '' || what === undefined || rest.length > 0) return undefined
  const parent: RouteParent = { kind: 'report', id: hash }
  if (what === 'events')
    return {
      ...createRowsRoute({ entity: 'events', parameters: eventNames, conditions: [['=', 'report', hash], ...own] }),
      parent,
    }
  if (what !== 'metrics' && what !== 'logs') return undefined
  return {
    entity: 'reports',
    parameters: singleNames,
    conditions: [['=', 'hash', hash]],
    active: false,
    parent,
    answer: what,
  }
}
