import type { Dialect } from '../database/dialect.ts'
import { catalogHistory } from './entities/catalog-history.ts'
import {
  catalogInputContents,
  catalogInputs,
  catalogs,
  edges,
  resourceParameters,
  resources,
  sourcedFiles,
} from './entities/catalogs.ts'
import { factContents, factNames, factPaths, facts, factsets, factsetsWithPackages } from './entities/facts.ts'
import { inventory } from './entities/inventory.ts'
import { nodeHistory } from './entities/node-history.ts'
import { environments, inactiveNodes, nodes, nodesWithExpiration, notActiveNodes, producers } from './entities/nodes.ts'
import { packageInventory, packages } from './entities/packages.ts'
import { events, latestReport, reports } from './entities/reports.ts'
import type { Entities, Entity, EntityOf } from './entity.ts'

const table: Readonly<Record<string, EntityOf>> = {
  catalogs,
  catalog_history: catalogHistory,
  catalog_input_contents: catalogInputContents,
  catalog_inputs: catalogInputs,
  edges,
  environments,
  events,
  fact_contents: factContents,
  fact_names: factNames,
  fact_paths: factPaths,
  facts,
  factsets,
  inventory,
  node_history: nodeHistory,
  nodes,
  nodes_with_fact_expiration: nodesWithExpiration,
  package_inventory: packageInventory,
  packages,
  producers,
  reports,
  resources,
  sourced_files: sourcedFiles,
  factsets_with_packages: factsetsWithPackages,
  params: resourceParameters,
  inactive_nodes: inactiveNodes,
  not_active_nodes: notActiveNodes,
  latest_report: latestReport,
}

/** The entities that a query may select. */
export const selectable: readonly string[] = [
  'catalogs',
  'catalog_input_contents',
  'catalog_inputs',
  'edges',
  'environments',
  'producers',
  'packages',
  'package_inventory',
  'events',
  'facts',
  'factsets',
  'fact_contents',
  'fact_paths',
  'nodes',
  'reports',
  'inventory',
  'resources',
  // Entities that PuppetDB does not have.
  'catalog_history',
  'node_history',
]

/** The entities allowed in `select_ENTITY`, including entities that only older queries use. */
export const subqueries: readonly string[] = [
  ...selectable,
  'params',
  'inactive_nodes',
  'not_active_nodes',
  'latest_report',
]

const made = new Map<Dialect, Entities>()

/** The entities for a database dialect. */
export function entitiesOf(dialect: Dialect): Entities {
  const known = made.get(dialect)
  if (known) return known
  const entities = Object.entries(table).map(([name, entityOf]): [string, Entity] => {
    const entity = entityOf(dialect)
    return [name, { ...entity, fields: bare(entity.fields), relationships: bare(entity.relationships) }]
  })
  const all = bare(Object.fromEntries(entities))
  made.set(dialect, all)
  return all
}

/**
 * Copies a table without a prototype, so that names in queries do not match inherited properties.
 */
function bare<Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), table)
}
